/* SPDX-License-Identifier: MIT */
/*
 * Claim `metadata`: mode, owner, times and attributes outside stay; and, in a table of its own,
 * nobody makes a setuid file anywhere.
 */
#include "escape.h"

#define HANDED "EROFS EPERM EACCES"

static const struct attempt rows[] = {
	{ "mode", "call chmod @out/victim 0600" },
	{ "mode", "call fchmod r=@out/victim 0600" },
	{ "mode", "call fchmodat -100 @out/victim 0600" },
	{ "mode", "call fchmodat2 -100 @out/victim 0600 0" },
	{ "mode", "call chmod @out/dir 0700" },
	{ "mode", "call chmod @work/way 0700" },
	{ "mode", "i386 15 @out/victim 0600" },
	{ "mode", "i386 306 -100 @out/victim 0600" },

	/* no change of the ids is a change of the file all the same, and a user may make it */
	{ "owner", "call chown @out/victim -1 -1" },
	{ "owner", "call lchown @work/way/victim -1 -1" },
	{ "owner", "call fchown r=@out/victim -1 -1" },
	{ "owner", "call fchownat -100 @out/victim -1 -1 0" },
	{ "owner", "call chown @out/victim 1 1", ONLY_ROOT },
	{ "owner", "i386 212 @out/victim -1 -1" },
	{ "owner", "i386 182 @out/victim -1 -1" },

	{ "times", "call utimensat -100 @out/victim u64=1,0,1,0 0" },
	{ "times", "call utimensat r=@out/victim 0 u64=1,0,1,0 0" },
	{ "times", "call utimensat -100 @out/victim 0 0" },
	{ "times", "call utimes @out/victim u64=1,0,1,0" },
	{ "times", "call utime @out/victim u64=1,1" },
	{ "times", "call futimesat -100 @out/victim u64=1,0,1,0" },
	{ "times", "i386 30 @out/victim u32=1,1" },
	{ "times", "i386 320 -100 @out/victim u32=1,0,1,0 0" },
	{ "times", "i386 412 -100 @out/victim u64=1,0,1,0 0" },

	{ "attributes", "call setxattr @out/victim s=user.a s=v 1 0" },
	{ "attributes", "call lsetxattr @out/victim s=user.a s=v 1 0" },
	{ "attributes", "call fsetxattr r=@out/victim s=user.a s=v 1 0" },
	{ "attributes", "call setxattrat -100 @out/victim 0 s=user.a at=s=v 16", 0, NULL, NULL,
	  "ENOSYS" },
	{ "attributes", "call removexattr @out/victim s=user.mark" },
	{ "attributes", "call lremovexattr @out/victim s=user.mark" },
	{ "attributes", "call fremovexattr r=@out/victim s=user.mark" },
	{ "attributes", "call removexattrat -100 @out/victim 0 s=user.mark", 0, NULL, NULL,
	  "ENOSYS" },
	{ "attributes", "i386 226 @out/victim s=user.a s=v 1 0" },

	/* version 2, then tag, permission and id of three entries: others lose theirs */
	{ "access list", "call setxattr @out/victim s=system.posix_acl_access "
			 "u32=2,0x60001,-1,0x40004,-1,0x20,-1 28 0" },
	{ "access list", "call fsetxattr r=@out/victim s=system.posix_acl_access "
			 "u32=2,0x60001,-1,0x40004,-1,0x20,-1 28 0" },
	{ "access list", "call setxattr @out/dir s=system.posix_acl_default "
			 "u32=2,0x60001,-1,0x40004,-1,0x20,-1 28 0" },

	/* FS_IOC_SETFLAGS with FS_NODUMP_FL (and the flag that every file of ext4 has),
	   FS_IOC_FSSETXATTR with FS_XFLAG_NODUMP */
	{ "flags", "call ioctl r=@out/victim 0x40086602 u32=0x80040", 0, NULL, NULL, "EOPNOTSUPP" },
	{ "flags", "call ioctl r=@out/victim 0x401c5820 u32=0x80" },
	{ "flags", "i386 54 r=@out/victim 0x40046602 u32=0x80040", 0, NULL, NULL, "EOPNOTSUPP" },
	{ "flags", "call file_setattr -100 @out/victim u64=0x80,0,0 24 0", 0, NULL, NULL,
	  "ENOSYS" },

	/* 0x1000 is AT_EMPTY_PATH: the fd is the file, and an O_PATH one will do */
	{ "by O_PATH", "call fchmodat2 p=@out/victim s= 0600 0x1000" },
	{ "by O_PATH", "call fchownat p=@out/victim s= -1 -1 0x1000" },
	{ "by O_PATH", "call utimensat p=@out/victim s= u64=1,0,1,0 0x1000" },

	/* an fd from outside is an fd of the mount outside, which no view made read-only */
	{ "handed fd", "call fchmod 0 0600", FD0_FILE, HANDED },
	{ "handed fd", "call fchown 0 -1 -1", FD0_FILE, HANDED },
	{ "handed fd", "call utimensat 0 0 u64=1,0,1,0 0", FD0_FILE, HANDED },
	{ "handed fd", "call fsetxattr 0 s=user.a s=v 1 0", FD0_FILE, HANDED },
	{ "handed fd", "call fremovexattr 0 s=user.mark", FD0_FILE, HANDED },
	{ "handed fd", "call chmod /proc/self/fd/0 0600", FD0_FILE, HANDED },
	{ "handed fd", "call fchownat 0 s= -1 -1 0x1000", FD0_FILE, HANDED },
	{ "handed fd", "call ioctl 0 0x40086602 u32=0x80040", FD0_FILE, HANDED, NULL,
	  "EOPNOTSUPP" },
	{ "handed fd", "call fchmod 10 0600", KEEP_FILE, HANDED },
	{ "handed fd", "call setxattr /proc/self/fd/10 s=user.a s=v 1 0", KEEP_FILE, HANDED },
	{ "handed fd", "call fchmod 0 0700", FD0_DIR, HANDED },
	{ "handed fd", "call fchmodat 0 s=victim 0600", FD0_DIR, HANDED },
	{ "handed fd", "call utimensat 7 s=victim u64=1,0,1,0 0", KEEP_DIR, HANDED },
	{ 0 },
};

const struct attempts attempts_metadata = { RF_CLAIM_METADATA, "EROFS", "EPERM EACCES", rows };

#define MADE (ONLY_WRITE | HELD_ANYWAY)

static const struct attempt setuid_rows[] = {
	{ "change", "call chmod @work/file 04755", MADE },
	{ "change", "call fchmod r=@work/file 04755", MADE },
	{ "change", "call fchmodat -100 @work/file 04755", MADE },
	{ "change", "call fchmodat2 -100 @work/file 04755 0", MADE },
	{ "change", "call chmod @work/file 0x100000009ed", MADE },
	{ "change", "call chmod @out/victim 04755", MADE },
	{ "change", "i386 15 @work/file 04755", MADE },
	{ "change", "i386 94 r=@work/file 04755", MADE },
	{ "change", "child call chmod @work/file 04755", MADE },

	{ "create", "call open @work/new 0101 04755", MADE },
	{ "create", "call openat -100 @work/new 0101 04755", MADE },
	{ "create", "call openat2 -100 @work/new u64=0101,04755,0 24", MADE, "ENOSYS", "ENOSYS" },
	{ "create", "call creat @work/new 04755", MADE },
	{ "create", "call mknod @work/new 0104755 0", MADE },
	{ "create", "call mknodat -100 @work/new 0104755 0", MADE },
	{ "create", "tmpfile-link @work @work/new 04755", MADE },
	{ "create", "i386 5 @work/new 0101 04755", MADE },
	{ "create", "i386 8 @work/new 04755", MADE },
	{ "create", "i386 14 @work/new 0104755 0", MADE },
	{ "create", "i386 295 -100 @work/new 0101 04755", MADE },

	{ "setgid by root", "call chmod @work/file 02755", MADE | ONLY_ROOT },
	{ "setgid by root", "call open @work/new 0101 02755", MADE | ONLY_ROOT },
	{ "setgid by root", "call mknod @work/new 0102755 0", MADE | ONLY_ROOT },

	/* capabilities of a file are the newer setuid bit: version 2, CAP_CHOWN permitted */
	{ "file capabilities",
	  "call setxattr @work/file s=security.capability "
	  "u32=0x02000001,1,0,0,0 20 0",
	  MADE | ONLY_ROOT },
	{ "file capabilities",
	  "call fsetxattr r=@work/file s=security.capability "
	  "u32=0x02000001,1,0,0,0 20 0",
	  MADE | ONLY_ROOT },
	{ "file capabilities",
	  "call lsetxattr @work/file s=security.capability "
	  "u32=0x02000001,1,0,0,0 20 0",
	  MADE | ONLY_ROOT },
	{ 0 },
};

const struct attempts attempts_setuid = { RF_CLAIM_METADATA, "EPERM", "EPERM", setuid_rows };
