/* SPDX-License-Identifier: MIT */
/* Roots below another root collapse into it; the order of what stays is kept. */
#include "objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MANY 1000
#define DEPTH 5

static const struct rf_policy policy = { .mode = RF_MODE_WORKSPACE_WRITE };

struct collapse_case {
	const char *workspace;
	const char *extra[8];
	const char *roots[8];
};

Test(collapse, by_components)
{
	static const struct collapse_case cases[] = {
		{ "/w", { "/a", "/a-b", "/a/c" }, { "/w", "/a", "/a-b" } },
		{ "/w", { "/a/c", "/a-b", "/a" }, { "/w", "/a-b", "/a" } },
		{ "/w", { "/a!", "/a/x", "/a0", "/a" }, { "/w", "/a!", "/a0", "/a" } },
		{ "/w", { "/a\x01", "/a/x", "/a\xff", "/a" }, { "/w", "/a\x01", "/a\xff", "/a" } },
		{ "/w", { "/w/x", "/w-2" }, { "/w", "/w-2" } },
		{ "/w", { "/b", "/a", "/b", "/a" }, { "/w", "/b", "/a" } },
		{ "/w", { "/w", "/w" }, { "/w" } },
		{ "/w", { "/a/b/c/d", "/a/b/c", "/a/b", "/a" }, { "/w", "/a" } },
		{ "/w", { "/x/y", "/x/z", "/x/y/q" }, { "/w", "/x/y", "/x/z" } },
		{ "/w", { "/ab/c", "/a" }, { "/w", "/ab/c", "/a" } },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct rf_found found = found_make(cases[i].workspace, NULL);
		struct rf_plan plan;
		size_t count = 0;

		for (size_t n = 0; cases[i].extra[n]; n++)
			found_add(&found, object_directory(cases[i].extra[n]));
		cr_assert_eq(rf_plan_make(&policy, &found, &plan, NULL), 0);
		while (cases[i].roots[count])
			count++;
		cr_assert_eq(plan.roots_len, count, "case %zu: %zu roots", i, plan.roots_len);
		for (size_t n = 0; n < count; n++)
			cr_expect_str_eq(plan.roots[n]->path, cases[i].roots[n], "case %zu", i);
		rf_plan_release(&plan);
		found_drop(&found);
	}
}

Test(collapse, of_duplicates_the_first_is_kept)
{
	struct rf_found found = found_make("/w", "/tmp");
	struct rf_plan plan;

	found.tmpdir = object_directory("/tmp");
	found_add(&found, object_directory("/x"));
	found_add(&found, object_directory("/w"));
	found_add(&found, object_directory("/x"));
	cr_assert_eq(rf_plan_make(&policy, &found, &plan, NULL), 0);
	cr_assert_eq(plan.roots_len, 3);
	cr_expect_eq(plan.roots[0], &found.workspace);
	cr_expect_eq(plan.roots[1], &found.tmp);
	cr_expect_eq(plan.roots[2], &found.extra[0]);
	rf_plan_release(&plan);
	found_drop(&found);
}

/* A workspace below /tmp is writable by way of /tmp, and is no root of its own. */
Test(collapse, the_workspace_may_lie_in_tmp)
{
	struct rf_found found = found_make("/tmp/app", "/tmp");
	struct rf_plan plan;

	cr_assert_eq(rf_plan_make(&policy, &found, &plan, NULL), 0);
	cr_assert_eq(plan.roots_len, 1);
	cr_expect_eq(plan.roots[0], &found.tmp);
	cr_expect_eq(plan.workspace, &found.workspace);
	cr_expect(rf_plan_allows(&plan, "/tmp/app/file"));
	rf_plan_release(&plan);
}

static double milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1000 + (double)now.tv_nsec / 1e6;
}

/* With a comparison of each with each it would take a million of them. */
Test(collapse, a_thousand_roots_are_quick)
{
	static char paths[MANY][64];
	struct rf_found found = found_make("/w", "/tmp");
	struct rf_plan plan;
	double start;

	for (int i = 0; i < MANY; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/a/rather/long/common/start/%d",
			 i * 7919 % MANY);
		found_add(&found, object_directory(paths[i]));
	}
	start = milliseconds();
	cr_assert_eq(rf_plan_make(&policy, &found, &plan, NULL), 0);
	cr_expect_lt(milliseconds() - start, 50, "%f ms", milliseconds() - start);
	cr_assert_eq(plan.roots_len, MANY + 2);
	for (int i = 0; i < MANY; i++)
		cr_expect_eq(plan.roots[i + 2], &found.extra[i]);
	rf_plan_release(&plan);
	found_drop(&found);
}

/* Few names, some the start of others, and bytes around '/', so that paths meet often. */
static void random_path(char *path, size_t size)
{
	static const char *const names[] = { "a", "b", "a-", "a.", "a0", "ab", "a\x01", "\xff" };
	int depth = 1 + rand() % DEPTH;
	size_t len = (size_t)snprintf(path, size, "/r");

	while (depth-- > 0)
		len += (size_t)snprintf(path + len, size - len, "/%s",
					names[(size_t)rand() % ARRAY_LEN(names)]);
}

/* What the specification says, in the slow and obvious way. */
static bool must_stay(const struct rf_found *found, size_t index)
{
	for (size_t i = 0; i < found->extra_len; i++) {
		bool same = !strcmp(found->extra[i].path, found->extra[index].path);

		if (same ? i < index
			 : rf_path_within(found->extra[index].path, found->extra[i].path))
			return false;
	}
	return true;
}

static void expect_as_specified(const struct rf_found *found, const struct rf_plan *plan)
{
	size_t next = 1; /* behind the workspace */

	for (size_t i = 0; i < found->extra_len; i++) {
		cr_assert(rf_plan_allows(plan, found->extra[i].path), "%s is not covered",
			  found->extra[i].path);
		if (!must_stay(found, i))
			continue;
		cr_assert_lt(next, plan->roots_len, "%s is gone", found->extra[i].path);
		cr_assert_eq(plan->roots[next], &found->extra[i], "%s where %s belongs",
			     plan->roots[next]->path, found->extra[i].path);
		next++;
	}
	cr_assert_eq(next, plan->roots_len, "%s is too much",
		     plan->roots[plan->roots_len - 1]->path);
}

Test(collapse, random_trees)
{
	static char paths[60][64];

	srand(20);
	for (int round = 0; round < 2000; round++) {
		struct rf_found found = found_make("/w", NULL);
		struct rf_plan plan;
		int count = rand() % (int)ARRAY_LEN(paths);

		for (int i = 0; i < count; i++) {
			random_path(paths[i], sizeof(paths[i]));
			found_add(&found, object_directory(paths[i]));
		}
		cr_assert_eq(rf_plan_make(&policy, &found, &plan, NULL), 0);
		expect_as_specified(&found, &plan);
		rf_plan_release(&plan);
		found_drop(&found);
	}
}
