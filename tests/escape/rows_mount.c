/* SPDX-License-Identifier: MIT */
/*
 * Claim `write`, the part that speaks of mounts: nothing is mounted over or made writable again.
 * The controls run in a mount namespace of their own.
 */
#include "escape.h"

static const struct attempt rows[] = {
	/* 4096 is MS_BIND, 0x201020 also MS_REMOUNT | MS_RELATIME, 8192 MS_MOVE, 0x104000
	 * MS_SHARED | MS_REC */
	{ "mount", "call mount @out/dir @out/empty 0 4096 0", CONTROL_PRIVATE },
	{ "mount", "call mount s=none @out/empty s=tmpfs 0 0", CONTROL_PRIVATE },
	{ "mount", "call mount 0 / 0 0x201020 0", CONTROL_PRIVATE },
	{ "mount", "call mount 0 / 0 0x104000 0", CONTROL_PRIVATE },
	{ "mount", "call mount @out/dir @out/empty 0 8192 0", CONTROL_PRIVATE, NULL, NULL,
	  "EINVAL" },
	{ "mount", "i386 21 @out/dir @out/empty 0 4096 0", CONTROL_PRIVATE },
	{ "mount", "child call mount @out/dir @work/dir 0 4096 0", CONTROL_PRIVATE },

	{ "new mount", "new-mount @out/empty", CONTROL_PRIVATE },
	{ "new mount", "clone-mount @out/dir @out/empty", CONTROL_PRIVATE },
	{ "new mount", "call fsopen s=tmpfs 0", CONTROL_PRIVATE },
	{ "new mount", "call fspick -100 / 0", CONTROL_PRIVATE, NULL, NULL, "EINVAL" },
	{ "new mount", "call open_tree -100 @out 1", CONTROL_PRIVATE },
	{ "new mount", "call open_tree_attr -100 @out 1 u64=0,1,0,0 32", CONTROL_PRIVATE, NULL,
	  NULL, "ENOSYS" },
	{ "new mount", "call move_mount -100 / -100 @out/dir 0", CONTROL_PRIVATE, NULL, NULL,
	  "EINVAL ELOOP" },
	{ "new mount", "call mount_setattr -100 / 0 u64=0,1,0,0 32", CONTROL_PRIVATE },

	/* MNT_DETACH; a user may not take away what root has mounted */
	{ "unmount", "call umount2 /proc 2", CONTROL_PRIVATE, NULL, NULL, "EINVAL" },
	{ "unmount", "call umount2 /dev 2", CONTROL_PRIVATE, NULL, NULL, "EINVAL" },
	{ "unmount", "call umount2 @work 2", CONTROL_PRIVATE, NULL, NULL, "EINVAL" },
	{ "unmount", "i386 52 @work 2", CONTROL_PRIVATE, NULL, NULL, "EINVAL" },
	{ "unmount", "i386 22 @work", CONTROL_PRIVATE, NULL, NULL, "EINVAL" },

	{ "root", "call pivot_root . .", CONTROL_PRIVATE, NULL, NULL, "EINVAL EBUSY" },
	{ "root", "call chroot @out", CONTROL_PRIVATE },
	{ "root", "i386 61 @out", CONTROL_PRIVATE },
	{ "root", "i386 217 . .", CONTROL_PRIVATE, NULL, NULL, "EINVAL EBUSY" },

	{ "mount by userns", "userns-write @out/victim" },
	{ "mount by userns", "child userns-write @out/victim" },
	{ "mount by userns", "userns-write @work/way/victim" },
	{ 0 },
};

const struct attempts attempts_mount = { RF_CLAIM_WRITE, "EPERM", "EPERM", rows };
