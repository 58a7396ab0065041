/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include <stdlib.h>
#include <sys/stat.h>

struct rf_object object_directory(const char *path)
{
	return (struct rf_object){
		.fd = OBJECTS_FD,
		.path = (char *)path,
		.is = { .mode = S_IFDIR | 0755, .uid = OBJECTS_UID, .links = 1 },
	};
}

struct rf_found found_make(const char *workspace, const char *tmp)
{
	return (struct rf_found){
		.uid = OBJECTS_UID,
		.gid = OBJECTS_UID,
		.workspace = object_directory(workspace),
		.directory = RF_OBJECT_NONE,
		.tmp = tmp ? object_directory(tmp) : (struct rf_object)RF_OBJECT_NONE,
		.tmpdir = RF_OBJECT_NONE,
	};
}

void found_add(struct rf_found *found, struct rf_object object)
{
	struct rf_object *grown =
		realloc(found->extra, (found->extra_len + 1) * sizeof(*found->extra));

	if (!grown)
		abort();
	found->extra = grown;
	found->extra[found->extra_len++] = object;
}

void found_drop(struct rf_found *found)
{
	free(found->extra);
	found->extra = NULL;
	found->extra_len = 0;
	strv_release(&found->kernel_mounts);
}
