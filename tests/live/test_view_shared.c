/* SPDX-License-Identifier: MIT */
/* Experiments on what a command shares with its caller and with the host: descriptors, the process
 * group, other users' processes, the kernel's settings, files that outlive it. */
#include "view.h"

/* Without a layer on top it is the view that keeps the file behind fd 0 from being written. */
#define REOPEN                                                                                     \
	"\"$@\" -- sh -c '(echo x > /proc/self/fd/0) 2>&- && echo wrote; (echo x > /dev/stdin) "   \
	"2>&- && echo wrote; cat' < $OUT/file; cat $OUT/file\n"

Test(view, stdin_opened_for_writing, .timeout = 60)
{
	static const char *const bare[] = { "landlock-enosys", NULL };

	view_check_users(BOTH, view_normal, REOPEN, "outside\noutside\n");
	view_check_users(NAMESPACE, bare, REOPEN, "outside\noutside\n");
}
CONTROL(stdin_opened_for_writing, 0,
	"sh -c 'echo x > /proc/self/fd/0' < $OUT/file; cat $OUT/file\n", "x\n")

/* The process group is shared with the caller; kill(0) must stay inside all the same. */
#define KILL_GROUP(launch)                                                                         \
	"setsid -w sh -c 'trap \"echo hit\" USR1; \"$@\"; echo status $?' sh " launch              \
	" sh -c 'trap \"echo inside\" USR1; kill -USR1 0; echo end'\n"

EXPERIMENT(kill_of_the_group, BOTH, KILL_GROUP("\"$@\" --"), "inside\nend\nstatus 0\n")
EXPERIMENT(kill_of_the_group_before_the_scope, NAMESPACE, KILL_GROUP("\"$@\" --cap-abi 5 --"),
	   "inside\nend\nstatus 0\n")
CONTROL(kill_of_the_group, 0,
	"setsid -w sh -c 'trap \"echo hit\" USR1; \"$@\"; echo status $?' sh "
	"sh -c 'trap \"echo inside\" USR1; kill -USR1 0; echo end'\n",
	"inside\nend\nhit\nstatus 0\n")

/* Opening is harmless; nothing is written, also by the control. */
#define KERNEL_FILES                                                                               \
	" python3 -c 'import os\n"                                                                 \
	"n = 0\n"                                                                                  \
	"for top in (\"/proc/sys\", \"/proc/irq\", \"/proc/bus\", \"/proc/fs\", \"/proc/acpi\", "  \
	"\"/sys/kernel\", \"/sys/module\"):\n"                                                     \
	" for d, _, names in os.walk(top):\n"                                                      \
	"  for f in names:\n"                                                                      \
	"   try: os.close(os.open(d + \"/\" + f, os.O_WRONLY | os.O_NONBLOCK)); n += 1\n"          \
	"   except OSError: pass\n"                                                                \
	"try: os.close(os.open(\"/proc/sysrq-trigger\", os.O_WRONLY)); n += 1\n"                   \
	"except OSError: pass\n"                                                                   \
	"print(n > 0)'\n"

EXPERIMENT(kernel_files_of_root, BOTH | ROOT, "\"$@\" --" KERNEL_FILES, "False\n")
EXPERIMENT(kernel_files_with_user_namespaces, NAMESPACE | ROOT,
	   "\"$@\" --allow-userns --" KERNEL_FILES, "False\n")
Test(view_control, kernel_files_of_root)
{
	if (geteuid() != 0)
		cr_skip("this is about root");
	view_check("namespace", run_own(), 0, view_normal, KERNEL_FILES, "True\n");
}

#define SETUID_FILES                                                                               \
	" sh -c 'cp /bin/true t; chmod u+s t; install -m 4755 /bin/true u; cp -p /usr/bin/passwd " \
	"v; "                                                                                      \
	"tar -cf a.tar -C /usr/bin passwd; tar -xpf a.tar; mv passwd w; mkdir -m 4755 x; "         \
	"python3 -c \"import os; os.mknod(\\\"y\\\", 0o104755)\"' 2>&-; "                          \
	"test -n \"$(find . -perm /4000)\" && echo made || echo none\n"

EXPERIMENT(setuid_files, BOTH, "\"$@\" --" SETUID_FILES, "none\n")
CONTROL(setuid_files, 0, SETUID_FILES, "made\n")

/* Those who became someone else are no longer root's to kill, but for the reaper. */
EXPERIMENT(children_of_another_user, NAMESPACE | ROOT,
	   "\"$@\" -- sh -c 'for u in 64002 64003; do setpriv --reuid $u --clear-groups "
	   "setsid sleep 300 & done; sleep 0.2; ps -eo uid= | grep -c 6400'\n",
	   "2\n")

#define LIMIT_OF_ANOTHER(launch)                                                                   \
	"sleep 100 & export P=$!; " launch                                                         \
	" sh -c 'prlimit --pid $P --core=7:7 2>&- && echo set'; prlimit --pid $P --core -o SOFT "  \
	"--noheadings --raw | grep -c '^7$'; kill $P\n"

EXPERIMENT(limits_of_another_process, BOTH, LIMIT_OF_ANOTHER("\"$@\" --"), "0\n")
CONTROL(limits_of_another_process, 0, LIMIT_OF_ANOTHER(""), "set\n1\n")
