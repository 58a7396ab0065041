/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

#include "tests/support/launch.h"
#include "tests/support/snapshot.h"

#define WORDS_MAX 24

static bool speaks_of(const struct attempt *a, const char *name)
{
	return strstr(a->act, name) != NULL;
}

/* Mode 0: a directory's default. Entries of another user exist only where root makes them. */
static const struct entry {
	const char *path;
	const char *text; /* NULL: a directory */
	mode_t mode;
	uid_t uid; /* 0: whoever runs it */
	gid_t gid;
} entries[] = {
	{ "out/victim", "outside\n", 0644, 0, 0 },
	{ "out/dir", NULL, 0755, 0, 0 },
	{ "out/dir/inner", "inner\n", 0644, 0, 0 },
	{ "out/empty", NULL, 0755, 0, 0 },
	{ "out/setgid", NULL, 02755, 0, 0 },
	{ "out/sticky", NULL, 01777, 0, 0 },
	{ "out/sticky/foreign", "foreign\n", 0600, FOREIGN_ID, FOREIGN_GROUP },
	{ "out/foreign", "foreign\n", 0600, FOREIGN_ID, FOREIGN_GROUP },
	{ "out/group", "group\n", 0660, FOREIGN_ID, FOREIGN_GROUP },
	{ "work/file", "inside\n", 0644, 0, 0 },
	{ "work/dir", NULL, 0755, 0, 0 },
};

static int make_entry(const struct fixture *f, const struct entry *e)
{
	struct fixture owned = *f;

	if (e->uid && geteuid() != 0)
		return 0;
	if (e->uid)
		owned.who = (struct run_who){ .uid = e->uid, .gid = e->gid };
	if (!e->text)
		return fixture_dir(&owned, e->path, e->mode);
	return fixture_file(&owned, e->path, e->text, e->mode);
}

static int make_tree(const struct fixture *f)
{
	char path[PATH_MAX + 16];
	int r = 0;

	for (size_t i = 0; !r && i < sizeof(entries) / sizeof(entries[0]); i++)
		r = make_entry(f, &entries[i]);
	/* ways that lead out of the workspace */
	if (!r)
		r = fixture_link(f, "work/way", "../out");
	if (!r)
		r = fixture_link(f, "work/hanging", "../out/hanging");
	snprintf(path, sizeof(path), "%s/pipe", f->out);
	if (!r &&
	    (mkfifo(path, 0600) < 0 || (!f->who.own && lchown(path, f->who.uid, f->who.gid) < 0)))
		r = -errno;
	snprintf(path, sizeof(path), "%s/victim", f->out);
	if (!r && setxattr(path, "user.mark", "mark", 4, 0) < 0)
		r = -errno;
	return r;
}

static int make_terminal(struct world *w)
{
	struct termios raw;

	if (openpty(&w->master, &w->slave, w->tty, NULL, NULL) < 0)
		return -errno;
	fcntl(w->master, F_SETFD, FD_CLOEXEC);
	fcntl(w->slave, F_SETFD, FD_CLOEXEC);
	/* raw, so that a single character counts as input */
	tcgetattr(w->slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(w->slave, TCSANOW, &raw);
	if (w->f.who.own)
		return 0;
	return fchown(w->slave, w->f.who.uid, w->f.who.gid) < 0 ? -errno : 0;
}

/* A container may have the node without the right to open it. */
static bool can_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int find_disk(struct world *w)
{
	static const char *const disks[] = { "/dev/vda",     "/dev/sda",   "/dev/nvme0n1",
					     "/dev/mmcblk0", "/dev/zram0", "/dev/loop0" };

	for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]); i++) {
		if (can_open(disks[i])) {
			snprintf(w->disk, sizeof(w->disk), "%s", disks[i]);
			return 0;
		}
	}
	return -ENODEV;
}

static struct run_who foreign_user(void)
{
	return (struct run_who){ .uid = FOREIGN_ID, .gid = FOREIGN_GROUP };
}

static int make_people(struct world *w, const struct attempt *a)
{
	int r = 0;

	if (speaks_of(a, "@pid") || a->flags & (SAME_GROUP | WITH_VICTIM))
		r = victim_start(&w->victim, w->f.who);
	if (!r && speaks_of(a, "@foreign"))
		r = victim_start(&w->foreign, foreign_user());
	return r;
}

static bool wants_sockets(const struct attempt *a)
{
	return a->flags & FDS || speaks_of(a, "@tcp") || speaks_of(a, "@udp") ||
	       speaks_of(a, "@stream") || speaks_of(a, "@dgram");
}

int world_make(struct world *w, struct run_who who, const struct attempt *a)
{
	int r;

	memset(w, 0, sizeof(*w));
	w->mounts = speaks_of(a, "mount") || speaks_of(a, "open_tree");
	r = fixture_make(&w->f, who);
	if (!r)
		r = make_tree(&w->f);
	snprintf(w->uid, sizeof(w->uid), "%u", who.uid);
	snprintf(w->suid, sizeof(w->suid), "%s/suid", w->f.base);
	if (!r && speaks_of(a, "@suid"))
		r = fixture_program(&w->f, "suid", act_path(), 0, 04755);
	if (!r && speaks_of(a, "@disk"))
		r = find_disk(w);
	if (!r && a->flags & ON_TERMINAL)
		r = make_terminal(w);
	if (!r && wants_sockets(a))
		r = listeners_make(w);
	return r ? r : make_people(w, a);
}

void world_remove(struct world *w)
{
	victim_stop(&w->victim);
	victim_stop(&w->foreign);
	listeners_close(w);
	if (w->master > 0)
		close(w->master);
	if (w->slave > 0)
		close(w->slave);
	fixture_remove(&w->f);
}

static void put_tree(FILE *out, const char *path)
{
	char *text = snapshot_tree(path);

	fputs(text ? text : "gone\n", out);
	free(text);
}

static void put_people(FILE *out, const struct world *w)
{
	char line[256];

	if (w->victim.pid) {
		victim_report(&w->victim, line, sizeof(line));
		fprintf(out, "victim %s\n", line);
	}
	if (w->foreign.pid) {
		victim_report(&w->foreign, line, sizeof(line));
		fprintf(out, "foreign %s\n", line);
	}
}

static void put_host(FILE *out, struct world *w)
{
	char *mounts = w->mounts ? snapshot_mounts() : NULL;
	char name[256] = "";
	int waiting = 0;

	listeners_count(w);
	gethostname(name, sizeof(name) - 1);
	if (w->slave > 0)
		ioctl(w->slave, FIONREAD, &waiting);
	fprintf(out, "arrived %zu\ntyped %d\nhost %s\n%s", w->arrived, waiting, name,
		mounts ? mounts : "");
	free(mounts);
}

char *world_describe(struct world *w)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	put_tree(out, w->f.out);
	put_tree(out, w->f.work);
	put_people(out, w);
	put_host(out, w);
	fclose(out);
	return text;
}

/* Copies one character, or what the placeholder there stands for; returns what it has read. */
static size_t put_next(FILE *out, const struct world *w, const char *at)
{
	const struct {
		const char *name;
		const char *value;
	} places[] = {
		{ "@out", w->f.out },
		{ "@work", w->f.work },
		{ "@base", w->f.base },
		{ "@pid", w->victim.name },
		{ "@address", w->victim.address },
		{ "@foreign", w->foreign.name },
		{ "@tcp", w->tcp_port },
		{ "@udp", w->udp_port },
		{ "@stream", w->stream_name },
		{ "@dgram", w->dgram_name },
		{ "@tty", w->tty },
		{ "@suid", w->suid },
		{ "@disk", w->disk },
		{ "@uid", w->uid },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (strncmp(at, places[i].name, strlen(places[i].name)) == 0) {
			fputs(places[i].value, out);
			return strlen(places[i].name);
		}
	}
	fputc(*at, out);
	return 1;
}

static char *fill_in(const struct world *w, const char *word, size_t len)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (const char *at = word; at < word + len;)
		at += put_next(out, w, at);
	fclose(out);
	return text;
}

char **world_words(const struct world *w, const struct attempt *a)
{
	char **words = calloc(WORDS_MAX + 2, sizeof(*words));
	size_t n = 0;

	if (!words)
		return NULL;
	words[n++] = strdup(act_path());
	for (const char *at = a->act; *at && n < WORDS_MAX;) {
		size_t len = strcspn(at, " ");

		words[n++] = fill_in(w, at, len);
		at += len + strspn(at + len, " ");
	}
	return words;
}

void words_free(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}
