/* SPDX-License-Identifier: MIT */
#include "mountinfo.h"

#include <errno.h>
#include <string.h>
#include <sys/mount.h>

static unsigned char_value(const char *octal)
{
	return (unsigned)(octal[0] - '0') << 6 | (unsigned)(octal[1] - '0') << 3 |
	       (unsigned)(octal[2] - '0');
}

static bool is_octal(const char *p)
{
	return p[0] >= '0' && p[0] <= '3' && p[1] >= '0' && p[1] <= '7' && p[2] >= '0' &&
	       p[2] <= '7';
}

/* The kernel writes space, tab, newline and backslash as \040 \011 \012 \134. */
static void decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from == '\\' && is_octal(from + 1)) {
			*to++ = (char)char_value(from + 1);
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

static char *next_field(char **rest)
{
	char *field = *rest, *end;

	if (!field)
		return NULL;
	end = strchr(field, ' ');
	if (end)
		*end++ = '\0';
	*rest = end;
	return field;
}

static bool next_option(const char **rest, const char **option, size_t *len)
{
	if (!**rest)
		return false;
	*option = *rest;
	*len = strcspn(*rest, ",");
	*rest += *len + ((*rest)[*len] == ',');
	return true;
}

/*
 * A remount that leaves one of these out takes it away, which the kernel refuses once it is locked.
 */
static unsigned long flags_of(const char *options)
{
	static const struct {
		const char *name;
		unsigned long flag;
	} known[] = {
		{ "ro", MS_RDONLY },	     { "nosuid", MS_NOSUID },
		{ "nodev", MS_NODEV },	     { "noexec", MS_NOEXEC },
		{ "noatime", MS_NOATIME },   { "nodiratime", MS_NODIRATIME },
		{ "relatime", MS_RELATIME },
	};
	unsigned long flags = 0;
	const char *option;
	size_t len;

	while (next_option(&options, &option, &len))
		for (size_t i = 0; i < ARRAY_LEN(known); i++)
			if (strlen(known[i].name) == len && !strncmp(option, known[i].name, len))
				flags |= known[i].flag;
	return flags;
}

int rf_mount_parse(char *line, struct rf_mount *ret)
{
	char *field[6], *rest = line, *type;

	for (size_t i = 0; i < ARRAY_LEN(field); i++) {
		field[i] = next_field(&rest);
		if (!field[i])
			return -EINVAL;
	}
	do { /* optional fields, ended by a single dash */
		type = next_field(&rest);
		if (!type)
			return -EINVAL;
	} while (strcmp(type, "-"));
	ret->type = next_field(&rest);
	if (!ret->type)
		return -EINVAL;
	ret->point = field[4];
	ret->flags = flags_of(field[5]);
	decode(ret->point);
	return 0;
}

/* File systems through which uid 0 changes the kernel and not some files of its own. */
bool rf_mount_is_kernel(const struct rf_mount *mount)
{
	static const char *const types[] = {
		"proc",	       "sysfs",	   "devtmpfs", "cgroup",    "cgroup2",
		"securityfs",  "debugfs",  "tracefs",  "configfs",  "bpf",
		"binfmt_misc", "efivarfs", "pstore",   "selinuxfs", "fusectl",
		"rpc_pipefs",  "nfsd",	   "smackfs",  "resctrl",
	};

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (!strcmp(mount->type, types[i]))
			return true;
	return false;
}
