/* SPDX-License-Identifier: MIT */
#include "devices.h"
#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>

/* The longest line of mountinfo that is understood: paths, escaped, and the options. */
#define WINDOW (64 * 1024)

static unsigned char_value(const char *octal)
{
	return (unsigned)(octal[0] - '0') << 6 | (unsigned)(octal[1] - '0') << 3 |
	       (unsigned)(octal[2] - '0');
}

static bool is_octal(const char *p)
{
	return p[0] >= '0' && p[0] <= '3' && p[1] >= '0' && p[1] <= '7' && p[2] >= '0' && p[2] <= '7';
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

/* A remount that leaves one of these out takes it away, which the kernel refuses once it is locked. */
static unsigned long flags_of(const char *options)
{
	static const struct {
		const char *name;
		unsigned long flag;
	} known[] = {
		{ "ro", MS_RDONLY },	     { "nosuid", MS_NOSUID },	{ "nodev", MS_NODEV },
		{ "noexec", MS_NOEXEC },     { "noatime", MS_NOATIME }, { "nodiratime", MS_NODIRATIME },
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

int mounts_parse_line(char *line, struct mounts_line *ret)
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

static bool in_writable_root(const struct rf_plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->roots_len; i++)
		if (rf_path_within(path, plan->roots[i]->path))
			return true;
	return false;
}

/* A mount that cannot be reached, or lies under another, cannot be written through either. */
static bool is_unreachable(int error)
{
	return error == -EACCES || error == -ENOENT || error == -ENOTDIR || error == -EINVAL;
}

static int restrict_mount(const struct setup *setup, const struct mounts_line *line,
			  struct rf_error *err)
{
	unsigned long flags = line->flags | MS_NOSUID;
	int ret;

	if (!strcmp(line->type, "autofs")) /* touching it may mount what it stands for */
		return 0;
	if (!devices_is_node(line->point)) {
		flags |= MS_NODEV;
		if (!in_writable_root(setup->plan, line->point))
			flags |= MS_RDONLY;
	}
	if (flags == line->flags)
		return 0;
	ret = sys_mount(NULL, line->point, NULL, MS_REMOUNT | MS_BIND | flags, NULL);
	if (!ret || is_unreachable(ret))
		return 0;
	return setup_error(err, ret, "cannot restrict the mount '%s'", line->point);
}

static int restrict_lines(const struct setup *setup, char *text, size_t *len, struct rf_error *err)
{
	char *start = text, *end;

	while ((end = memchr(start, '\n', *len - (size_t)(start - text)))) {
		struct mounts_line line;
		int ret;

		*end = '\0';
		ret = mounts_parse_line(start, &line);
		if (ret < 0)
			return setup_error(err, ret, "cannot understand '/proc/self/mountinfo'");
		ret = restrict_mount(setup, &line, err);
		if (ret < 0)
			return ret;
		start = end + 1;
	}
	*len -= (size_t)(start - text);
	memmove(text, start, *len);
	return 0;
}

static int restrict_all(const struct setup *setup, struct rf_error *err)
{
	static char window[WINDOW];
	_cleanup_fd_ int fd = sys_openat(AT_FDCWD, "/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	size_t len = 0;

	if (fd < 0)
		return setup_error(err, fd, "cannot open '/proc/self/mountinfo'");
	for (;;) {
		long got = sys_read(fd, window + len, sizeof(window) - len);
		int ret;

		if (got <= 0 && (got < 0 || len))
			return setup_error(err, got < 0 ? (int)got : -E2BIG,
					   "cannot read '/proc/self/mountinfo'");
		if (got == 0)
			return 0;
		len += (size_t)got;
		ret = restrict_lines(setup, window, &len, err);
		if (ret < 0)
			return ret;
	}
}

static int bind_root(const struct rf_object *root, struct rf_error *err)
{
	_cleanup_fd_ int fd = mounts_reopen(root, err);
	int ret;

	if (fd < 0)
		return fd;
	ret = sys_mount(root->path, root->path, NULL, MS_BIND | MS_REC, NULL);
	return ret < 0 ? setup_error(err, ret, "cannot mount writable root '%s'", root->path) : 0;
}

/* mount(2) takes names only: look after each mount that what lies there now is what was checked. */
static int check_root(const struct rf_object *root, struct rf_error *err)
{
	int fd = mounts_reopen(root, err);

	fd_close(fd);
	return fd < 0 ? fd : 0;
}

int mounts_classic_apply(struct setup *setup, struct rf_error *err)
{
	int ret = sys_mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);

	if (ret < 0)
		return setup_error(err, ret, "cannot make the mounts private");
	for (size_t i = 0; i < setup->plan->roots_len; i++) {
		ret = bind_root(setup->plan->roots[i], err);
		if (ret < 0)
			return ret;
	}
	ret = devices_bind(err);
	if (!ret)
		ret = restrict_all(setup, err);
	for (size_t i = 0; !ret && i < setup->plan->roots_len; i++)
		ret = check_root(setup->plan->roots[i], err);
	return ret;
}
