/* SPDX-License-Identifier: MIT */
/*
 * What a tree or the mount table looks like, as text: equal texts mean that nothing changed. One
 * line an entry with type, mode, owner, links, size, times but for that of access, content,
 * target and extended attributes.
 */
#ifndef RF_TEST_SNAPSHOT_H
#define RF_TEST_SNAPSHOT_H

/* Heap memory, for the caller to free; NULL with errno set. */
char *snapshot_tree(const char *path);
char *snapshot_mounts(void);

/* The first line that is in one of the two only, for a message; heap memory, NULL when equal. */
char *snapshot_difference(const char *before, const char *after);

#endif
