/* SPDX-License-Identifier: MIT */
/*
 * The one list of what the backends may show differently. Each row says what a behaviour shows on
 * that backend instead of what it is expected to show, and why.
 */
#include "parity.h"

/* what the kernel's rights for paths cannot say, and what no namespace hides */
#define METADATA "Landlock has no right for metadata: the claim is listed as missing"
#define ONE_PID_SPACE "without a pid namespace the host's processes are seen: listed as missing"
#define NO_CAPABILITIES                                                                            \
	"without a user namespace of its own root's capabilities are the host's, so all are "      \
	"dropped"

const struct difference differences[] = {
	{ "outside-mode", "landlock", WRITABLE, { 0, "", "!out/file" }, METADATA },
	{ "outside-times", "landlock", WRITABLE, { 0 }, METADATA },
	{ "outside-xattr", "landlock", WRITABLE, { 0 }, METADATA },
	{ "outside-errno",
	  "landlock",
	  0,
	  { 0, "EACCES\n" },
	  "a Landlock denial is EACCES, one by a read-only mount EROFS" },
	{ "file-root-rename-over",
	  "landlock",
	  0,
	  { 0, "EACCES\n" },
	  "no mount lies on the file: the directory around it is what refuses" },
	{ "shared-memory-of-the-host",
	  "landlock",
	  0,
	  { 0, "host\n" },
	  "without a mount view /dev/shm can only be the host's, as a writable root" },
	{ "other-device-read",
	  "landlock",
	  0,
	  { 0, "read\n", "+out/device" },
	  "reading is no right that is handled, and without a mount view nothing is nodev" },
	{ "device-in-workspace",
	  "landlock",
	  0,
	  { 0, "wrote\n", "+work/device" },
	  "a node that the caller placed in a writable root is a file like others to Landlock" },
	{ "rename-between-roots",
	  "landlock",
	  0,
	  { 0, "done\n", "+out/dir/f -work/file" },
	  "roots are no mounts of their own there, so that one file system stays one" },
	{ "name-a-supplementary-group",
	  "landlock",
	  0,
	  { 0, "", "+work/own" },
	  "without a user namespace every id has its name" },
	{ "outside-is-seen", "landlock", 0, { 0, "seen\n" }, ONE_PID_SPACE },
	{ "ipc-of-the-host",
	  "landlock",
	  0,
	  { 0, "seen\n" },
	  "without an ipc namespace System V objects are the host's, under their own modes" },
	{ "capabilities-of-root",
	  "namespace",
	  0,
	  { 0, "CapEff:\t00000000000000fb\n" },
	  "six file capabilities and KILL stay, within the user namespace of the run" },
	{ "foreign-file-of-root", "landlock", 0, { 2, "", "+work/foreign" }, NO_CAPABILITIES },
	{ "change-owner-as-root", "landlock", 0, { 0, "refused\n" }, NO_CAPABILITIES },
	{ "become-another-user", "landlock", 0, { 0, "refused\n" }, NO_CAPABILITIES },
	{ "injected-backend",
	  "landlock",
	  0,
	  { 0, "landlock\n" },
	  "the name of the backend, and no pid view to speak of" },
	{ "user-namespace-mapped",
	  "landlock",
	  0,
	  { 0, "refused\n" },
	  "the maps in /proc are written, which no rule of Landlock grants" },
};

const size_t differences_len = sizeof(differences) / sizeof(differences[0]);
