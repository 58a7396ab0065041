/* SPDX-License-Identifier: MIT */
#include "capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/prctl.h>
#include <linux/securebits.h>

#define BIT(cap) (UINT64_C(1) << (cap))
#define ROOT_KEEPS                                                                                 \
	(BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FOWNER) | BIT(CAP_FSETID) |              \
	 BIT(CAP_SETUID) | BIT(CAP_SETGID) | BIT(CAP_KILL))

uint64_t capabilities_plan(const struct setup *setup)
{
	if (setup->plan->uid != 0)
		return 0;
	if (setup->in_view)
		return ROOT_KEEPS;
	return setup->plan->foreign_root ? BIT(CAP_DAC_OVERRIDE) : 0;
}

/*
 * Cuts the bounding set, which an exec of uid 0 fills its capabilities from. No securebits here:
 * with NOROOT the kept ones would be lost at exec. EPERM (a container's root without CAP_SETPCAP)
 * is borne, since under no_new_privs an exec adds nothing to the permitted set anyway (commoncap.c,
 * cap_bprm_creds_from_file()).
 */
static int cut_bounding_set(uint64_t keep, struct rf_error *err)
{
	for (unsigned long cap = 0; cap < 64; cap++) {
		int ret;

		if (keep & BIT(cap))
			continue;
		ret = sys_prctl(PR_CAPBSET_DROP, cap, 0);
		if (ret == -EINVAL || ret == -EPERM) /* past the last capability */
			return 0;
		if (ret < 0)
			return setup_error(err, ret, "cannot drop capability %lu", cap);
	}
	return 0;
}

/*
 * Where nothing is kept one call does the work of forty: uid 0 stops being special at exec. A
 * container's root without CAP_SETPCAP gets EPERM, borne for the reason above.
 */
static void end_root_privilege(void)
{
	sys_prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0);
}

/* A container's root may lack what would be kept, and nothing can be kept that is not there. */
static uint64_t permitted_now(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	if (SYS2(SYS_capget, &header, data) < 0)
		return 0;
	return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

static int set_capabilities(uint64_t keep, struct rf_error *err)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	int ret;

	for (int i = 0; i < 2; i++)
		data[i].permitted = data[i].effective = (uint32_t)(keep >> 32 * i);
	ret = (int)SYS2(SYS_capset, &header, data);
	return ret < 0 ? setup_error(err, ret, "cannot give up capabilities") : 0;
}

int capabilities_apply(struct setup *setup, struct rf_error *err)
{
	uint64_t keep = capabilities_plan(setup);
	int ret = 0;

	if (keep)
		keep &= permitted_now();
	if (keep)
		ret = cut_bounding_set(keep, err);
	else if (setup->plan->uid == 0)
		end_root_privilege();
	if (!ret)
		ret = set_capabilities(keep, err);
	if (ret < 0)
		return ret;
	ret = sys_prctl(PR_SET_NO_NEW_PRIVS, 1, 0);
	return ret < 0 ? setup_error(err, ret, "cannot set no_new_privs") : 0;
}
