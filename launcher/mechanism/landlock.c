/* SPDX-License-Identifier: MIT */
#include "landlock.h"
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define CREATE_RULESET_VERSION 1U
#define RULE_PATH_BENEATH 1
#define RIGHT_REFER (UINT64_C(1) << 13)
#define SCOPE_SIGNAL (UINT64_C(1) << 1)

struct path_beneath {
	uint64_t allowed;
	int parent_fd;
} __attribute__((packed));

int landlock_probe(void)
{
	int abi = (int)SYS3(SYS_NR_LANDLOCK_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);

	if (abi < 0)
		return 0;
	return abi < LANDLOCK_ABI_NEWEST ? abi : LANDLOCK_ABI_NEWEST;
}

/* A kernel accepts the attributes that its ABI has; longer ones only if the rest is zero. */
static size_t attributes_size(int abi)
{
	return sizeof(uint64_t) * (abi >= 6 ? 3 : abi >= 4 ? 2 : 1);
}

static int create_ruleset(const struct landlock_attributes *attributes, int abi)
{
	return (int)SYS3(SYS_NR_LANDLOCK_CREATE_RULESET, attributes, attributes_size(abi), 0);
}

static int add_rule(int ruleset, int fd, uint64_t rights)
{
	struct path_beneath rule = { .allowed = rights, .parent_fd = fd };

	return (int)SYS4(SYS_NR_LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0);
}

static int add_roots(int ruleset, const struct setup *setup, struct rf_error *err)
{
	for (size_t i = 0; i < setup->plan->roots_len; i++) {
		const struct rf_object *root = setup->plan->roots[i];
		int ret =
			add_rule(ruleset, root->fd,
				 landlock_root_rights(setup->landlock_abi, S_ISDIR(root->is.mode)));

		if (ret < 0)
			return setup_error(err, ret, "cannot add a rule for '%s'", root->path);
	}
	return 0;
}

/* `path` is one of ours, in /dev or /proc: nobody but root could have swapped it. */
static int add_path(int ruleset, const char *path, uint64_t rights, struct rf_error *err)
{
	/* not closed here: the exec that follows does it, in no call at all */
	int fd = sys_openat(AT_FDCWD, path, O_PATH | O_CLOEXEC);
	int ret = fd;

	if (fd == -ENOENT)
		return 0;
	if (fd >= 0)
		ret = add_rule(ruleset, fd, rights);
	return ret < 0 ? setup_error(err, ret, "cannot add a rule for '%s'", path) : 0;
}

static int add_device(int ruleset, const struct setup *setup, size_t index,
		      const struct device *device, struct rf_error *err)
{
	uint64_t rights = landlock_device_rights(setup->landlock_abi, device->terminal);
	int ret;

	if (setup->devices[index] < 0) /* no view, or one without the node */
		return add_path(ruleset, device->path, rights, err);
	ret = add_rule(ruleset, setup->devices[index], rights);
	return ret < 0 ? setup_error(err, ret, "cannot add a rule for '%s'", device->path) : 0;
}

/* Node by node, so that the layer opens no disk. */
static int add_devices(int ruleset, const struct setup *setup, struct rf_error *err)
{
	size_t len;
	const struct device *devices = devices_table(&len);
	uint64_t terminal = landlock_device_rights(setup->landlock_abi, true);
	int ret = 0;

	for (size_t i = 0; !ret && i < len; i++)
		ret = add_device(ruleset, setup, i, &devices[i], err);
	/* its entry lies in the devpts outside, where /dev/stdout leads; /dev/tty opens it anyway
	 */
	for (int fd = 0; !ret && fd < 3; fd++)
		if (setup->result.terminals & 1U << fd && add_rule(ruleset, fd, terminal) < 0)
			ret = setup_error(err, -EBADFD, "cannot add a rule for descriptor %d", fd);
	if (!ret)
		ret = add_path(ruleset, "/dev/ptmx", terminal, err);
	if (!ret)
		ret = add_path(ruleset, "/dev/pts", terminal, err);
	return ret;
}

static int add_shared_memory(int ruleset, const struct setup *setup, struct rf_error *err)
{
	if (setup->plan->mode != RF_MODE_WORKSPACE_WRITE)
		return 0;
	return add_path(ruleset, "/dev/shm", landlock_root_rights(setup->landlock_abi, true), err);
}

/*
 * A fresh /proc shows the run's own processes only, so that their files (oom_score_adj, comm, the
 * maps of a nested user namespace) may be written. Uid 0 owns more there than its processes and
 * gets this only where nested user namespaces, which need it, were asked for.
 */
static int add_proc(int ruleset, const struct setup *setup, struct rf_error *err)
{
	if (!setup->in_view || setup->result.host_pids)
		return 0;
	if (setup->plan->uid == 0 && !setup->plan->allow_userns)
		return 0;
	return add_path(ruleset, "/proc", landlock_device_rights(setup->landlock_abi, false), err);
}

static int restrict_self(int ruleset, struct rf_error *err)
{
	int ret = (int)SYS2(SYS_NR_LANDLOCK_RESTRICT_SELF, ruleset, 0);

	return ret < 0 ? setup_error(err, ret, "cannot enter the Landlock domain") : 0;
}

int landlock_apply(struct setup *setup, struct rf_error *err)
{
	struct landlock_attributes attributes = landlock_plan(setup->plan, setup->landlock_abi);
	int ruleset, ret;

	if (setup->landlock_abi == 0) {
		if (setup->in_view)
			return 0;
		return setup_error(err, -ENOSYS, "Landlock is not available");
	}
	ruleset = create_ruleset(&attributes, setup->landlock_abi);
	if (ruleset < 0)
		return setup_error(err, ruleset, "cannot create a Landlock ruleset");
	ret = add_roots(ruleset, setup, err);
	if (!ret)
		ret = add_devices(ruleset, setup, err);
	if (!ret)
		ret = add_shared_memory(ruleset, setup, err);
	if (!ret)
		ret = add_proc(ruleset, setup, err);
	return ret < 0 ? ret : restrict_self(ruleset, err);
}

int landlock_apply_signal_scope(struct setup *setup, struct rf_error *err)
{
	struct landlock_attributes attributes = { .fs = RIGHT_REFER, .scope = SCOPE_SIGNAL };
	int ruleset, ret;

	if (setup->landlock_abi < 6)
		return 0;
	ruleset = create_ruleset(&attributes, setup->landlock_abi);
	if (ruleset < 0)
		return setup_error(err, ruleset, "cannot create a Landlock ruleset");
	/* a layer that does not grant this right denies it: no rename or link across directories */
	ret = add_path(ruleset, "/", RIGHT_REFER, err);
	if (ret < 0)
		return ret;
	return restrict_self(ruleset, err);
}
