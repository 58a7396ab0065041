/* SPDX-License-Identifier: MIT */
#ifndef RF_BASE_KERNEL_H
#define RF_BASE_KERNEL_H

/*
 * Kernel structures and constants that the oldest supported headers (or musl's) lack, under names
 * of our own so that newer headers can arrive. Sources: the uapi headers of Linux 7.3.
 */

#include "sys.h"

/* statx(2); only what is asked for here is named */
struct kernel_statx {
	uint32_t mask, block_size;
	uint64_t attributes;
	uint32_t links, uid, gid;
	uint16_t mode, spare0;
	uint64_t inode, size, blocks, attributes_mask;
	struct {
		int64_t seconds;
		uint32_t nanoseconds;
		int32_t reserved;
	} times[4];
	uint32_t rdev_major, rdev_minor, dev_major, dev_minor;
	uint64_t mount;
	uint32_t dio_memory_align, dio_offset_align;
	uint64_t spare[12];
};
_Static_assert(sizeof(struct kernel_statx) == 256, "struct statx is 256 bytes");

#define KERNEL_STATX_BASIC 0x07ffU
#define KERNEL_STATX_MNT_ID 0x1000U /* Linux 5.8 */

/* openat2(2), Linux 5.6 */
struct kernel_open_how {
	uint64_t flags, mode, resolve;
};
#define KERNEL_RESOLVE_NO_MAGICLINKS 0x02
#define KERNEL_RESOLVE_NO_SYMLINKS 0x04

/* mount_setattr(2), Linux 5.12 */
struct kernel_mount_attr {
	uint64_t set, clear, propagation, userns_fd;
};
#define KERNEL_MOUNT_RDONLY 0x01
#define KERNEL_MOUNT_NOSUID 0x02
#define KERNEL_MOUNT_NODEV 0x04
#define KERNEL_MOUNT_NOEXEC 0x08

#define KERNEL_OPEN_TREE_CLONE 1U
#define KERNEL_MOVE_MOUNT_F_EMPTY_PATH 0x04
#define KERNEL_MOVE_MOUNT_T_EMPTY_PATH 0x40
#define KERNEL_AT_RECURSIVE 0x8000

#define KERNEL_CLOSE_RANGE_CLOEXEC 4U /* Linux 5.11 */

static inline int sys_statx(int dir, const char *path, int flags, struct kernel_statx *st)
{
	return (int)SYS5(SYS_statx, dir, path, flags, KERNEL_STATX_BASIC | KERNEL_STATX_MNT_ID, st);
}

#endif
