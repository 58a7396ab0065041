/* SPDX-License-Identifier: MIT */
/*
 * Every behaviour on both backends: what it has to show, and the same on both. What may differ
 * stands in differences.c; anything else that differs fails, and so does a row there that has
 * nothing to say any more.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../support/launch.h"
#include "parity.h"

#define BEHAVIOURS_MIN 80

const struct group *const all_groups[] = {
	&group_files, &group_outside,	  &group_devices, &group_processes,
	&group_tools, &group_environment, &group_places,  &group_descriptors,
	&group_bytes, &group_network,	  &group_kernel,  NULL,
};

static const char *const backends[] = { "namespace", "landlock" };

static bool covers(unsigned traits, unsigned run)
{
	unsigned modes = traits & EITHER, users = traits & (AS_ROOT | AS_USER);

	return (!modes || modes & run) && (!users || users & run);
}

const struct difference *difference_find(const char *id, const char *backend, unsigned run)
{
	for (size_t i = 0; i < differences_len; i++) {
		const struct difference *d = &differences[i];

		if (!strcmp(d->id, id) && !strcmp(d->backend, backend) && covers(d->traits, run))
			return d;
	}
	return NULL;
}

static const char *text(const char *maybe)
{
	return maybe ? maybe : "";
}

static bool equal(const struct outcome *a, const struct outcome *b)
{
	return a->status == b->status && !strcmp(text(a->out), text(b->out)) &&
	       !strcmp(text(a->effect), text(b->effect));
}

/* "parity/ID on BACKEND, MODE, as uid N" */
static const char *label(const struct behaviour *b, const char *backend, unsigned run)
{
	static char line[256];

	snprintf(line, sizeof(line), "%s on %s, %s, as %s", b->id, backend,
		 run & WRITABLE ? "workspace-write" : "read-only", run & AS_ROOT ? "root" : "user");
	return line;
}

static void check_one(const struct behaviour *b, const char *backend, unsigned run,
		      const struct measured *m)
{
	const struct difference *d = difference_find(b->id, backend, run);
	const struct outcome *e = d ? &d->expected : &b->expected;
	const char *what = label(b, backend, run);
	char *made = !d && b->out ? b->out() : NULL;
	const char *out = made ? made : text(e->out);

	cr_assert_eq(m->harness, 0, "%s: the harness failed: %s", what, strerror(-m->harness));
	cr_expect_eq(m->status, e->status, "%s: status %d, not %d: %s%s", what, m->status,
		     e->status, m->out, m->err);
	cr_expect(!strcmp(m->out, out), "%s: printed '%.300s', not '%.300s': %s", what, m->out, out,
		  m->err);
	if (!(b->traits & ANY_EFFECT))
		cr_expect(!strcmp(m->effect, text(e->effect)), "%s: changed '%s', not '%s': %s",
			  what, m->effect, text(e->effect), m->err);
	cr_expect_eq(m->left, 0, "%s: %zu processes outlived the run", what, m->left);
	free(made);
}

/* Beyond what a table says: modes, owners, links and content. */
static void check_same(const struct behaviour *b, unsigned run, const struct measured m[static 2])
{
	for (int i = 0; i < 2; i++)
		if (difference_find(b->id, backends[i], run))
			return;
	cr_expect(b->traits & (ANY_TREE | ANY_EFFECT) || !strcmp(m[0].tree, m[1].tree),
		  "%s: the trees differ:\n%s\n%s", label(b, "both", run), m[0].tree, m[1].tree);
}

static void check_mode(const struct behaviour *b, bool writable, struct run_who who)
{
	unsigned run = (writable ? WRITABLE : READ_ONLY) | (who.uid == 0 ? AS_ROOT : AS_USER);
	struct measured m[2];

	for (int i = 0; i < 2; i++) {
		m[i] = measure(b, backends[i], writable, who);
		check_one(b, backends[i], run, &m[i]);
	}
	check_same(b, run, m);
	for (int i = 0; i < 2; i++)
		measured_release(&m[i]);
}

static void check_group(const struct group *group, struct run_who who)
{
	unsigned user = who.uid == 0 ? AS_ROOT : AS_USER;

	cr_assert_not_null(launcher_path(), "RINGFENCE is not set");
	for (size_t i = 0; i < group->len; i++) {
		const struct behaviour *b = &group->behaviours[i];

		if (b->traits & (AS_ROOT | AS_USER) && !(b->traits & user))
			continue;
		if (b->traits & READ_ONLY)
			check_mode(b, false, who);
		if (b->traits & WRITABLE)
			check_mode(b, true, who);
	}
}

#define EACH_USER(group)                                                                           \
	Test(parity, group##_as_user, .timeout = 300)                                              \
	{                                                                                          \
		check_group(&group_##group, run_user());                                           \
	}                                                                                          \
	Test(parity, group##_as_caller, .timeout = 300)                                            \
	{                                                                                          \
		check_group(&group_##group, run_own());                                            \
	}

EACH_USER(files)
EACH_USER(outside)
EACH_USER(devices)
EACH_USER(processes)
EACH_USER(tools)
EACH_USER(environment)
EACH_USER(places)
EACH_USER(descriptors)
EACH_USER(bytes)
EACH_USER(network)
EACH_USER(kernel)

static const struct behaviour *behaviour_find(const char *id, size_t *ret_count)
{
	const struct behaviour *found = NULL;

	*ret_count = 0;
	for (const struct group *const *g = all_groups; *g; g++)
		for (size_t i = 0; i < (*g)->len; i++)
			if (!strcmp((*g)->behaviours[i].id, id)) {
				found = &(*g)->behaviours[i];
				++*ret_count;
			}
	return found;
}

Test(parity_list, is_long_enough_and_without_duplicates)
{
	size_t total = 0, count;

	for (const struct group *const *g = all_groups; *g; g++) {
		for (size_t i = 0; i < (*g)->len; i++) {
			const struct behaviour *b = &(*g)->behaviours[i];

			behaviour_find(b->id, &count);
			cr_expect_eq(count, 1, "'%s' is there %zu times", b->id, count);
			cr_expect(b->traits & EITHER, "'%s' runs in no mode", b->id);
		}
		total += (*g)->len;
	}
	cr_expect_geq(total, BEHAVIOURS_MIN);
}

/* A run compares each row exactly; here it must also say something else than the behaviour does. */
Test(parity_list, every_difference_is_one)
{
	for (size_t i = 0; i < differences_len; i++) {
		const struct difference *d = &differences[i];
		size_t count;
		const struct behaviour *b = behaviour_find(d->id, &count);

		cr_assert_not_null(b, "'%s' is no behaviour", d->id);
		cr_expect(!equal(&d->expected, &b->expected), "'%s' does not differ", d->id);
		cr_expect(!(d->traits & EITHER & ~b->traits), "'%s' never runs so", d->id);
		cr_expect(strlen(text(d->reason)) > 20, "'%s' has no reason", d->id);
	}
}
