/* SPDX-License-Identifier: MIT */
/* What must be closed, listed here a second time and not taken from the table under test. */
#include <criterion/criterion.h>
#include <errno.h>

#include "seccomp_sim.h"

#define ARGUMENTS 5

/* What a register may hold above an int: the kernel does not look, so the filter must not care. */
static const uint64_t high_halves[] = { 0, 1ull << 32, 0xdeadbeefull << 32, 0xffffffffull << 32 };

struct closed {
	const char *call;
	uint64_t args[ARGUMENTS];
	unsigned ints; /* bit n: argument n is an int */
	unsigned any;  /* closed where one of these traits is set; 0: everywhere */
	unsigned off;  /* … but not with one of these */
	int error;
};

#define P EPERM
#define NET SECCOMP_NETWORK_OFF
#define USERNS SECCOMP_ALLOW_USERNS
#define ROOT SECCOMP_ROOT
#define LL SECCOMP_LANDLOCK_BACKEND
#define HOLE SECCOMP_TRUNCATE_HOLE
#define FREEZE SECCOMP_FREEZE_METADATA

static const struct closed table[] = {
	{ "clone", { 0x10000011 }, 1, 0, USERNS, P }, /* CLONE_NEWUSER */
	{ "clone", { 0x00020011 }, 1, 0, USERNS, P }, /* NEWNS */
	{ "clone", { 0x20000011 }, 1, 0, USERNS, P }, /* NEWPID */
	{ "clone", { 0x40000011 }, 1, 0, USERNS, P }, /* NEWNET */
	{ "clone", { 0x08000011 }, 1, 0, USERNS, P }, /* NEWIPC */
	{ "clone", { 0x04000011 }, 1, 0, USERNS, P }, /* NEWUTS */
	{ "clone", { 0x02000011 }, 1, 0, USERNS, P }, /* NEWCGROUP */
	{ "clone", { 0x7e024111 }, 1, 0, USERNS, P },
	{ "unshare", { 0x10000000 }, 1, 0, USERNS, P },
	{ "unshare", { 0x00020000 }, 1, 0, USERNS, P },
	{ "unshare", { 0x20000000 }, 1, 0, USERNS, P },
	{ "unshare", { 0x40000000 }, 1, 0, USERNS, P },
	{ "unshare", { 0x08000000 }, 1, 0, USERNS, P },
	{ "unshare", { 0x04000000 }, 1, 0, USERNS, P },
	{ "unshare", { 0x02000000 }, 1, 0, USERNS, P },
	{ "unshare", { 0x00000080 }, 1, 0, USERNS, P }, /* NEWTIME */
	{ "unshare", { 0x00100000 }, 1, 0, USERNS, P }, /* UNSHARE_EMPTY_MNTNS */
	{ "chroot", { 0 }, 0, 0, USERNS, P },

	{ "ioctl", { 0, 0x5412 }, 3, 0, 0, P },		 /* TIOCSTI */
	{ "ioctl", { 0, 0x541c }, 3, 0, 0, P },		 /* TIOCLINUX */
	{ "ioctl", { 3, 0x50009401 }, 3, LL, 0, P },	 /* BTRFS_IOC_SNAP_CREATE */
	{ "ioctl", { 3, 0x5000940e }, 3, LL, 0, P },	 /* SUBVOL_CREATE */
	{ "ioctl", { 3, 0x5000940f }, 3, LL, 0, P },	 /* SNAP_DESTROY */
	{ "ioctl", { 3, 0x50009417 }, 3, LL, 0, P },	 /* SNAP_CREATE_V2 */
	{ "ioctl", { 3, 0x50009418 }, 3, LL, 0, P },	 /* SUBVOL_CREATE_V2 */
	{ "ioctl", { 3, 0x4008941a }, 3, LL, 0, P },	 /* SUBVOL_SETFLAGS */
	{ "ioctl", { 3, 0x5000943f }, 3, LL, 0, P },	 /* SNAP_DESTROY_V2 */
	{ "ioctl", { 3, 0x40086602 }, 3, FREEZE, 0, P }, /* FS_IOC_SETFLAGS */
	{ "ioctl", { 3, 0x40046602 }, 3, FREEZE, 0, P },
	{ "ioctl", { 3, 0x40087602 }, 3, FREEZE, 0, P }, /* FS_IOC_SETVERSION */
	{ "ioctl", { 3, 0x40047602 }, 3, FREEZE, 0, P },
	{ "ioctl", { 3, 0x40086604 }, 3, FREEZE, 0, P }, /* EXT4_IOC_SETVERSION */
	{ "ioctl", { 3, 0x40046604 }, 3, FREEZE, 0, P },
	{ "ioctl", { 3, 0x401c5820 }, 3, FREEZE, 0, P }, /* FS_IOC_FSSETXATTR */
	{ "ioctl", { 3, 0x40047211 }, 3, FREEZE, 0, P }, /* FAT_IOCTL_SET_ATTRIBUTES */
	{ "ioctl", { 3, 0x40806685 }, 3, FREEZE, 0, P }, /* FS_IOC_ENABLE_VERITY */
	{ "ioctl", { 3, 0x800c6613 }, 3, FREEZE, 0, P }, /* FS_IOC_SET_ENCRYPTION_POLICY */

	{ "chmod", { 1, 04755 }, 2, 0, 0, P },
	{ "chmod", { 1, 02755 }, 2, ROOT | FREEZE, 0, P },
	{ "chmod", { 1, 0755 }, 2, FREEZE, 0, P },
	{ "fchmod", { 3, 04000 }, 3, 0, 0, P },
	{ "fchmod", { 3, 02000 }, 3, ROOT | FREEZE, 0, P },
	{ "fchmod", { 3, 0644 }, 3, FREEZE, 0, P },
	{ "fchmodat", { 3, 1, 07777 }, 5, 0, 0, P },
	{ "fchmodat", { 3, 1, 03777 }, 5, ROOT | FREEZE, 0, P },
	{ "fchmodat2", { 3, 1, 04000 }, 13, 0, 0, P },
	{ "fchmodat2", { 3, 1, 02000 }, 13, ROOT | FREEZE, 0, P },
	{ "fchmodat2", { 3, 1, 0600 }, 13, FREEZE, 0, P },
	{ "creat", { 1, 04644 }, 2, 0, 0, P },
	{ "creat", { 1, 02644 }, 2, ROOT, 0, P },
	{ "open", { 1, 0101, 04755 }, 6, 0, 0, P },
	{ "open", { 1, 020200002, 04755 }, 6, 0, 0, P }, /* O_TMPFILE */
	{ "open", { 1, 0100, 02755 }, 6, ROOT, 0, P },
	{ "openat", { -100, 1, 0101, 04000 }, 13, 0, 0, P },
	{ "openat", { -100, 1, 020000001, 06000 }, 13, 0, 0, P },
	{ "openat", { -100, 1, 0102, 02000 }, 13, ROOT, 0, P },
	{ "mknod", { 1, 0104755 }, 2, 0, 0, P },
	{ "mknod", { 1, 0102755 }, 2, ROOT, 0, P },
	{ "mknodat", { 3, 1, 0104755 }, 5, 0, 0, P },
	{ "mknodat", { 3, 1, 0102755 }, 5, ROOT, 0, P },
	{ "mkdir", { 1, 04755 }, 2, 0, 0, P },
	{ "mkdir", { 1, 02755 }, 2, ROOT, 0, P },
	{ "mkdirat", { 3, 1, 04755 }, 5, 0, 0, P },
	{ "mkdirat", { 3, 1, 02755 }, 5, ROOT, 0, P },

	{ "prlimit64", { 1234, 7, 0x7fff0000 }, 3, LL, 0, P },
	{ "prlimit64", { 1234, 7, 0x7f0000000000 }, 3, LL, 0, P },
	{ "prlimit64", { 0xffffffff, 7, 1 }, 3, LL, 0, P },
	{ "setpriority", { 0, 1234 }, 7, LL, 0, P },
	{ "setpriority", { 1, 0 }, 7, 0, 0, P },  /* the whole process group */
	{ "setpriority", { 2, 0 }, 7, LL, 0, P }, /* every process of the user */
	{ "ioprio_set", { 1, 1234 }, 7, LL, 0, P },
	{ "ioprio_set", { 2, 0 }, 7, 0, 0, P },
	{ "ioprio_set", { 3, 0 }, 7, LL, 0, P },
	{ "sched_setaffinity", { 1234 }, 1, LL, 0, P },
	{ "sched_setscheduler", { 1234 }, 1, LL, 0, P },
	{ "sched_setparam", { 1234 }, 1, LL, 0, P },
	{ "sched_setattr", { 1234 }, 1, LL, 0, P },

	{ "truncate", { 1, 0 }, 0, HOLE, 0, EACCES },
	{ "truncate64", { 1, 0 }, 0, HOLE, 0, EACCES },
	{ "open", { 1, 01000 }, 2, HOLE, 0, EACCES },
	{ "open", { 1, 01003 }, 2, HOLE, 0, EACCES },
	{ "open", { 1, 01100, 0644 }, 2, HOLE, 0, EACCES },
	{ "openat", { -100, 1, 01000 }, 5, HOLE, 0, EACCES },
	{ "openat", { -100, 1, 01003 }, 5, HOLE, 0, EACCES },
	{ "openat", { -100, 1, 02011103, 0644 }, 5, HOLE, 0, EACCES },

	{ "socketcall", { 1 }, 1, NET, 0, P },
	{ "socketcall", { 8 }, 1, NET, 0, P },
};

/* Closed whatever the arguments and the traits. */
static const char *const refused[] = {
	"bpf",
	"perf_event_open",
	"userfaultfd",
	"add_key",
	"request_key",
	"keyctl",
	"kexec_load",
	"kexec_file_load",
	"init_module",
	"finit_module",
	"delete_module",
	"reboot",
	"swapon",
	"swapoff",
	"acct",
	"quotactl",
	"quotactl_fd",
	"mount",
	"umount",
	"umount2",
	"pivot_root",
	"move_mount",
	"open_tree",
	"open_tree_attr",
	"fsopen",
	"fsconfig",
	"fsmount",
	"fspick",
	"mount_setattr",
	"setns",
	"name_to_handle_at",
	"open_by_handle_at",
	"fanotify_init",
	"lookup_dcookie",
	"nfsservctl",
	"process_vm_readv",
	"process_vm_writev",
	"process_madvise",
	"kcmp",
	"pidfd_getfd",
	"syslog",
	"settimeofday",
	"stime",
	"clock_settime",
	"clock_settime64",
	"clock_adjtime",
	"clock_adjtime64",
	"adjtimex",
	"sethostname",
	"setdomainname",
	"vhangup",
	"iopl",
	"ioperm",
	"modify_ldt",
	"vm86",
	"vm86old",
	"uselib",
	"ustat",
	"sysfs",
	"_sysctl",
};

static const char *const absent[] = {
	"io_uring_setup", "io_uring_enter", "io_uring_register", "clone3", "openat2",
};

/* Closed whatever the arguments where metadata is frozen. */
static const char *const frozen[] = {
	"chmod",	"fchmod",	"fchmodat",	"fchmodat2",
	"chown",	"lchown",	"fchown",	"fchownat",
	"chown32",	"lchown32",	"fchown32",	"utime",
	"utimes",	"futimesat",	"utimensat",	"utimensat_time64",
	"setxattr",	"lsetxattr",	"fsetxattr",	"setxattrat",
	"removexattr",	"lremovexattr", "fremovexattr", "removexattrat",
	"file_setattr",
};

/* Numbers from the kernel's own tables, so that one wrong name service does not hide another. */
static const struct {
	size_t arch; /* index into sim_archs */
	int number;
	int error;
} golden[] = {
	{ 0, 165, P },	    { 0, 166, P },	{ 0, 155, P },	    { 0, 246, P }, { 0, 321, P },
	{ 0, 435, ENOSYS }, { 0, 437, ENOSYS }, { 0, 425, ENOSYS }, { 0, 308, P }, { 0, 467, P },
	{ 1, 21, P },	    { 1, 22, P },	{ 1, 52, P },	    { 1, 217, P }, { 1, 357, P },
	{ 1, 435, ENOSYS }, { 1, 437, ENOSYS }, { 1, 425, ENOSYS }, { 1, 346, P }, { 1, 467, P },
	{ 2, 40, P },	    { 2, 39, P },	{ 2, 41, P },	    { 2, 104, P }, { 2, 280, P },
	{ 2, 435, ENOSYS }, { 2, 437, ENOSYS }, { 2, 425, ENOSYS }, { 2, 268, P }, { 2, 467, P },
	{ 3, 40, P },	    { 3, 39, P },	{ 3, 41, P },	    { 3, 104, P }, { 3, 280, P },
	{ 3, 435, ENOSYS }, { 3, 437, ENOSYS }, { 3, 425, ENOSYS }, { 3, 268, P }, { 3, 467, P },
};

static int wanted(const struct closed *row, unsigned traits)
{
	traits = seccomp_traits_canonical(traits);
	if (row->any && !(traits & row->any))
		return 0;
	return traits & row->off ? 0 : row->error;
}

static void expect_row(struct sim_tally *tally, const struct sim_arch *arch,
		       const struct closed *row, uint64_t high)
{
	struct seccomp_data data = { .arch = arch->token };

	if (!sim_number(arch, row->call, &data.nr))
		return;
	for (size_t i = 0; i < ARGUMENTS; i++) {
		bool is_int = row->ints >> i & 1;

		data.args[i] = is_int ? (uint32_t)row->args[i] | high : row->args[i];
		if (!arch->wide && data.args[i] > UINT32_MAX)
			return; /* there is no high half there */
	}
	for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++)
		sim_expect(tally, arch, traits, &data, row->call, wanted(row, traits));
}

Test(seccomp_closed, uses)
{
	struct sim_tally tally = { 0 };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
			for (size_t h = 0; h < sizeof(high_halves) / sizeof(high_halves[0]); h++)
				if (sim_archs[a].wide || h == 0)
					expect_row(&tally, &sim_archs[a], &table[i],
						   high_halves[h]);
	cr_assert_gt(tally.checked, 0);
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}

static void expect_whole(struct sim_tally *tally, const char *call, unsigned any, int error)
{
	struct closed row = { .call = call, .any = any, .error = error };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (uint64_t fill = 0; fill <= 2; fill++) {
			for (size_t i = 0; i < ARGUMENTS; i++)
				row.args[i] = fill == 2 ? UINT32_MAX : fill;
			if (!any || fill == 1) /* otherwise the mode rules answer too */
				expect_row(tally, &sim_archs[a], &row, 0);
		}
}

Test(seccomp_closed, whole_calls)
{
	struct sim_tally tally = { 0 };

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		expect_whole(&tally, refused[i], 0, EPERM);
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		expect_whole(&tally, absent[i], 0, ENOSYS);
	for (size_t i = 0; i < sizeof(frozen) / sizeof(frozen[0]); i++)
		expect_whole(&tally, frozen[i], FREEZE, EPERM);
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}

Test(seccomp_closed, numbers_of_the_kernel)
{
	struct sim_tally tally = { 0 };

	for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++)
		for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++) {
			const struct sim_arch *arch = &sim_archs[golden[i].arch];
			struct seccomp_data data = { .arch = arch->token, .nr = golden[i].number };

			sim_expect(&tally, arch, traits, &data, "golden", golden[i].error);
		}
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}

static int wanted_socket(unsigned traits, uint32_t family, uint32_t protocol)
{
	if (!(traits & SECCOMP_NETWORK_OFF) || family == 1)
		return 0;
	return family == 16 && protocol == 0 ? 0 : EPERM;
}

static void expect_socket(struct sim_tally *tally, const struct sim_arch *arch, const char *call,
			  uint32_t family, uint32_t protocol, uint64_t high)
{
	struct seccomp_data data = {
		.arch = arch->token,
		.args = { family | high, 1 | high, protocol | high },
	};

	cr_assert(sim_number(arch, call, &data.nr));
	for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++)
		sim_expect(tally, arch, traits, &data, call,
			   wanted_socket(traits, family, protocol));
}

Test(seccomp_closed, socket_families)
{
	static const uint32_t odd[] = { 0x101,	   0x10001,    0x80000001, 0x80000010,
					0x1000010, UINT32_MAX, 0x7fffffff, 0x11 };
	struct sim_tally tally = { 0 };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (size_t h = 0; h < (sim_archs[a].wide ? 4 : 1); h++)
			for (uint32_t f = 0; f < 64 + sizeof(odd) / sizeof(odd[0]); f++)
				for (uint32_t bit = 0; bit <= 32; bit++) {
					uint32_t family = f < 64 ? f : odd[f - 64];
					uint32_t protocol = bit ? 1u << (bit - 1) : 0;

					expect_socket(&tally, &sim_archs[a], "socket", family,
						      protocol, high_halves[h]);
					expect_socket(&tally, &sim_archs[a], "socketpair", family,
						      protocol, high_halves[h]);
				}
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}

static int wanted_personality(uint32_t value)
{
	return value == UINT32_MAX || (value & ~0x60008u) == 0 ? 0 : EPERM;
}

Test(seccomp_closed, personalities)
{
	static const uint32_t odd[] = {
		0,	   8,	      0x60008,	  UINT32_MAX, UINT32_MAX - 8,
		0x0040000, 0x0020008, 0xfffffffe, 0xfff9fff7, 0x0400000
	};
	struct sim_tally tally = { 0 };

	for (size_t a = 0; a < SIM_ARCHITECTURES; a++)
		for (size_t h = 0; h < (sim_archs[a].wide ? 4 : 1); h++)
			for (uint32_t i = 0; i < 32 + sizeof(odd) / sizeof(odd[0]); i++) {
				uint32_t value = i < 32 ? 1u << i : odd[i - 32];
				struct seccomp_data data = {
					.arch = sim_archs[a].token,
					.args = { value | high_halves[h] },
				};

				cr_assert(sim_number(&sim_archs[a], "personality", &data.nr));
				for (unsigned traits = 0; traits < SECCOMP_TRAITS_END; traits++)
					sim_expect(&tally, &sim_archs[a], traits, &data,
						   "personality", wanted_personality(value));
			}
	cr_assert_eq(tally.wrong, 0, "%zu of %zu", tally.wrong, tally.checked);
}
