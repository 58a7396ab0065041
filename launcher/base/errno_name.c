/* SPDX-License-Identifier: MIT */
#include "error.h"

#include <errno.h>
#include <stddef.h>

/* musl has no strerrorname_np(). Listed is what the calls of a set-up and execve(2) can return. */
#define NAME(symbol) [symbol] = #symbol
static const char *const names[] = {
	NAME(EPERM),	  NAME(ENOENT),	      NAME(ESRCH),	  NAME(EINTR),
	NAME(EIO),	  NAME(ENXIO),	      NAME(E2BIG),	  NAME(ENOEXEC),
	NAME(EBADF),	  NAME(ECHILD),	      NAME(EAGAIN),	  NAME(ENOMEM),
	NAME(EACCES),	  NAME(EFAULT),	      NAME(ENOTBLK),	  NAME(EBUSY),
	NAME(EEXIST),	  NAME(EXDEV),	      NAME(ENODEV),	  NAME(ENOTDIR),
	NAME(EISDIR),	  NAME(EINVAL),	      NAME(ENFILE),	  NAME(EMFILE),
	NAME(ENOTTY),	  NAME(ETXTBSY),      NAME(EFBIG),	  NAME(ENOSPC),
	NAME(ESPIPE),	  NAME(EROFS),	      NAME(EMLINK),	  NAME(EPIPE),
	NAME(EDOM),	  NAME(ERANGE),	      NAME(EDEADLK),	  NAME(ENAMETOOLONG),
	NAME(ENOLCK),	  NAME(ENOSYS),	      NAME(ENOTEMPTY),	  NAME(ELOOP),
	NAME(ENOMSG),	  NAME(ENODATA),      NAME(ETIME),	  NAME(ENOLINK),
	NAME(EPROTO),	  NAME(EBADMSG),      NAME(EOVERFLOW),	  NAME(ELIBACC),
	NAME(ELIBBAD),	  NAME(ELIBSCN),      NAME(ELIBMAX),	  NAME(ELIBEXEC),
	NAME(EILSEQ),	  NAME(EUSERS),	      NAME(ENOTSOCK),	  NAME(EMSGSIZE),
	NAME(EOPNOTSUPP), NAME(EAFNOSUPPORT), NAME(ECONNREFUSED), NAME(ETIMEDOUT),
	NAME(EHOSTDOWN),  NAME(EALREADY),     NAME(ESTALE),	  NAME(EUCLEAN),
	NAME(EDQUOT),	  NAME(ENOKEY),	      NAME(EKEYREJECTED), NAME(ENOMEDIUM),
};
#undef NAME

const char *rf_errno_name(int errnum)
{
	if (errnum <= 0 || (size_t)errnum >= sizeof(names) / sizeof(names[0]))
		return NULL;
	return names[errnum];
}
