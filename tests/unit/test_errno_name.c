/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

Test(errno_name, known_numbers)
{
	cr_assert_str_eq(rf_errno_name(EPERM), "EPERM");
	cr_assert_str_eq(rf_errno_name(ENOENT), "ENOENT");
	cr_assert_str_eq(rf_errno_name(EACCES), "EACCES");
	cr_assert_str_eq(rf_errno_name(ENOEXEC), "ENOEXEC");
	cr_assert_str_eq(rf_errno_name(ELOOP), "ELOOP");
	cr_assert_str_eq(rf_errno_name(ENAMETOOLONG), "ENAMETOOLONG");
	cr_assert_str_eq(rf_errno_name(ETXTBSY), "ETXTBSY");
	cr_assert_str_eq(rf_errno_name(ELIBBAD), "ELIBBAD");
}

Test(errno_name, others_have_none)
{
	cr_assert_null(rf_errno_name(0));
	cr_assert_null(rf_errno_name(-1));
	cr_assert_null(rf_errno_name(-ENOENT));
	cr_assert_null(rf_errno_name(4096));
	cr_assert_null(rf_errno_name(1 << 30));
}

/* What execve(2) documents must all be there: the exec-failed event prints it. */
Test(errno_name, all_of_execve)
{
	static const int all[] = { E2BIG,  EACCES,  EAGAIN, EFAULT,  EINVAL,	   EIO,
				   EISDIR, ELIBBAD, ELOOP,  EMFILE,  ENAMETOOLONG, ENFILE,
				   ENOENT, ENOEXEC, ENOMEM, ENOTDIR, EPERM,	   ETXTBSY };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		cr_expect_not_null(rf_errno_name(all[i]), "%s", strerror(all[i]));
}

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
/* The C library knows them too: no name may stand for another number. */
Test(errno_name, agrees_with_the_c_library)
{
	for (int number = 1; number < 200; number++) {
		const char *name = rf_errno_name(number);

		if (name)
			cr_expect_str_eq(name, strerrorname_np(number));
	}
}
#endif
