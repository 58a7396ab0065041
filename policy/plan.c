/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int refuse(const struct rf_object *object, const char *why, struct rf_error *err)
{
	return rf_error_set(err, RF_CODE_ROOT_REFUSED, 0, "writable root '%s' %s", object->path,
			    why);
}

static int check_root(const struct rf_object *root, const struct rf_object *workspace,
		      struct rf_error *err)
{
	const char *kernel = rf_path_kernel_directory(root->path);

	if (!strcmp(root->path, "/"))
		return refuse(root, "is the root directory", err);
	if (kernel)
		return rf_error_set(err, RF_CODE_ROOT_REFUSED, 0, "writable root '%s' lies in %s",
				    root->path, kernel);
	if (root != workspace && strcmp(root->path, workspace->path) &&
	    rf_path_within(workspace->path, root->path))
		return refuse(root, "holds the workspace", err);
	if (!S_ISDIR(root->is.mode) && !S_ISREG(root->is.mode) && !S_ISFIFO(root->is.mode))
		return refuse(root, "is neither a file nor a directory", err);
	return 0;
}

static int check_extras(const struct rf_found *found, struct rf_error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < found->extra_len; i++)
		ret = check_root(&found->extra[i], &found->workspace, err);
	return ret;
}

bool rf_plan_allows(const struct rf_plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->roots_len; i++)
		if (rf_path_within(path, plan->roots[i]->path))
			return true;
	return false;
}

/* Orders by components: what lies in a directory comes directly after it ("/a", "/a/b", "/a-b"). */
static int compare_roots(const void *a, const void *b)
{
	const struct rf_object *const *first = *(const struct rf_object *const *const *)a;
	const struct rf_object *const *second = *(const struct rf_object *const *const *)b;
	const unsigned char *x = (const unsigned char *)(*first)->path;
	const unsigned char *y = (const unsigned char *)(*second)->path;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x == *y) /* the same path twice: the one that was named first is kept */
		return first < second ? -1 : 1;
	return (*x == '/' ? 1 : *x ? *x + 1 : 0) - (*y == '/' ? 1 : *y ? *y + 1 : 0);
}

/* Drops roots that lie in another, in n log n steps; the order of what stays is kept. */
static int collapse(struct rf_plan *plan)
{
	_cleanup_free_ const struct rf_object ***order = NULL;
	const struct rf_object *kept = NULL;
	size_t len = 0;

	order = calloc(plan->roots_len, sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < plan->roots_len; i++)
		order[i] = &plan->roots[i];
	qsort(order, plan->roots_len, sizeof(*order), compare_roots);
	for (size_t i = 0; i < plan->roots_len; i++) {
		if (kept && rf_path_within((*order[i])->path, kept->path))
			*order[i] = NULL;
		else
			kept = *order[i];
	}
	for (size_t i = 0; i < plan->roots_len; i++)
		if (plan->roots[i])
			plan->roots[len++] = plan->roots[i];
	plan->roots_len = len;
	return 0;
}

static void add_root(struct rf_plan *plan, const struct rf_object *root)
{
	if (root->fd >= 0)
		plan->roots[plan->roots_len++] = root;
}

static int list_kernel_mounts(const struct rf_found *found, struct rf_plan *plan,
			      struct rf_error *err)
{
	for (size_t i = 0; i < found->kernel_mounts.len; i++) {
		const char *point = found->kernel_mounts.items[i];

		if (rf_plan_allows(plan, point) && strv_append(&plan->kernel_mounts, point) < 0)
			return rf_error_set(err, RF_CODE_INTERNAL, ENOMEM,
					    "cannot list writable roots");
	}
	return 0;
}

static int list_roots(const struct rf_found *found, struct rf_plan *plan, struct rf_error *err)
{
	int ret = check_root(&found->workspace, &found->workspace, err);

	if (ret < 0)
		return ret;
	plan->roots = calloc(found->extra_len + 3, sizeof(*plan->roots));
	if (!plan->roots)
		return rf_error_set(err, RF_CODE_INTERNAL, ENOMEM, "cannot list writable roots");
	add_root(plan, &found->workspace);
	add_root(plan, &found->tmp);
	add_root(plan, &found->tmpdir);
	for (size_t i = 0; i < found->extra_len; i++)
		add_root(plan, &found->extra[i]);
	ret = collapse(plan);
	if (ret < 0)
		return rf_error_set(err, RF_CODE_INTERNAL, -ret, "cannot list writable roots");
	for (size_t i = 0; i < plan->roots_len; i++)
		if (plan->roots[i]->is.uid != plan->uid)
			plan->foreign_root = true;
	return list_kernel_mounts(found, plan, err);
}

int rf_plan_make(const struct rf_policy *policy, const struct rf_found *found, struct rf_plan *ret,
		 struct rf_error *err)
{
	struct rf_plan plan = {
		.mode = policy->mode,
		.network = policy->network,
		.allow_userns = policy->allow_userns,
		.uid = found->uid,
		.gid = found->gid,
		.workspace = &found->workspace,
		.directory = rf_found_directory(found),
	};
	int error = check_extras(found, err);

	if (!error && policy->mode == RF_MODE_WORKSPACE_WRITE)
		error = list_roots(found, &plan, err);
	if (error < 0) {
		rf_plan_release(&plan);
		return error;
	}
	*ret = plan;
	return 0;
}

void rf_plan_release(struct rf_plan *plan)
{
	strv_release(&plan->kernel_mounts);
	free(plan->roots);
	plan->roots = NULL;
	plan->roots_len = 0;
}
