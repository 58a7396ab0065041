/* SPDX-License-Identifier: MIT */
/* Experiments on the view: what the host does to it later, odd mounts, and paths that change. */
#include "view.h"

#define WAIT_FOR_START "while ! test -s at; do sleep 0.01; done\n"
#define LATER_MOUNT(launch)                                                                        \
	"mount --make-rshared / && mkfifo go\n" launch                                             \
	" sh -c 'echo x > at; read x < go; ls $OUT/dir; "                                          \
	"(echo x > $OUT/dir/new) 2>&- && echo wrote; echo end' &\n" WAIT_FOR_START                 \
	"mount -t tmpfs t $OUT/dir && touch $OUT/dir/later && echo > go; wait\n"

EXPERIMENT(later_host_mount, NAMESPACE | PRIVATE, LATER_MOUNT("\"$@\" --"), "end\n")
CONTROL(later_host_mount, PRIVATE, LATER_MOUNT("unshare -m --propagation slave"),
	"later\nwrote\nend\n")

/* What is made for the view does not come back to the host either. */
EXPERIMENT(shared_mounts_stay_as_they_are, BOTH | PRIVATE,
	   "mount --make-rshared / && cat /proc/self/mountinfo > a\n"
	   "\"$@\" -- sh -c 'echo ran; cat /proc/self/mountinfo > in'\n"
	   "cat /proc/self/mountinfo > b; cmp a b && echo same\n"
	   "test $BACKEND = landlock || ! cmp -s a in && echo viewed\n",
	   "ran\nsame\nviewed\n")

/*
 * Between the reading of the options and the mounts the launcher stands still in its first mount
 * call, and the root becomes a link to what holds the workspace.
 */
#define SWAP                                                                                       \
	"ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" " /* impossible under a tracer */           \
	"strace -f -o /dev/null -e trace=mount_setattr "                                           \
	"-e inject=mount_setattr:delay_enter=400000:when=1 "                                       \
	"\"$@\" --write $BASE/swap -- sh -c '(echo x > $OUT/new) 2>&- && echo wrote' 2> err &\n"   \
	"sleep 0.2; mv $BASE/swap $BASE/old; ln -s . $BASE/swap; wait $!; echo $?\n"               \
	"sed 's/^\\(ringfence: error: [a-z-]*\\): .*/\\1/' err; ls $OUT\n"

EXPERIMENT(swapped_path, NAMESPACE, SWAP, "125\nringfence: error: path-changed\ndir\nfile\n")

#define REPLACED_BY_A_DIRECTORY                                                                    \
	"ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" " /* impossible under a tracer */           \
	"strace -f -o /dev/null -e trace=mount_setattr "                                           \
	"-e inject=mount_setattr:delay_enter=400000:when=1 "                                       \
	"\"$@\" --write $BASE/swap -- true 2> err &\n"                                             \
	"sleep 0.2; mv $BASE/swap $BASE/old; mv $OUT $BASE/swap; wait $!; echo $?\n"               \
	"sed 's/^\\(ringfence: error: [a-z-]*\\): .*/\\1/' err; mv $BASE/swap $OUT\n"

EXPERIMENT(replaced_path, NAMESPACE, REPLACED_BY_A_DIRECTORY,
	   "125\nringfence: error: path-changed\n")

/*
 * The same as a race, on both backends: at parse the path is a directory, or a link to an ancestor
 * of the workspace, which is refused. Whatever it is afterwards, nothing outside is written.
 */
#define RACE                                                                                       \
	"mv $BASE/swap $BASE/x; ln -s . $BASE/y\n"                                                 \
	"python3 -c 'import ctypes,os\n"                                                           \
	"l=ctypes.CDLL(None); b=os.environ[\"BASE\"].encode()\n"                                   \
	"os.rename(b+b\"/x\",b+b\"/swap\")\n"                                                      \
	"while not os.path.exists(b\"stop\"):\n"                                                   \
	" for i in range(50): l.syscall(316,-100,b+b\"/swap\",-100,b+b\"/y\",2)' &\n"              \
	"while ! test -e $BASE/swap; do sleep 0.01; done\n"                                        \
	"for i in $(seq 1500); do \"$@\" --write $BASE/swap -- "                                   \
	"sh -c 'echo ran >> log; echo x > $OUT/new' 2>> log\n"                                     \
	"test $i -lt 150 || ! grep -q ^ran log || ! grep -q root-refused log || break\n"           \
	"done; touch stop; wait\n"                                                                 \
	"grep -q ^ran log && grep -q root-refused log && echo both\n"                              \
	"grep -vE '^ran$|: root-refused: |: path-changed: |cannot create .*/out/new: ' log\n"      \
	"ls $OUT\n"

EXPERIMENT(raced_path, BOTH, RACE, "both\ndir\nfile\n")

/*
 * Mounts of every kind outside the roots, and some inside. The walk tries each point of mountinfo,
 * decoded, and what lies around it.
 */
#define ODD_MOUNTS                                                                                 \
	"d=$OUT/dir; n=\"$(printf 'new\\nline')\"; t=\"$(printf 'tab\\tulator')\"\n"               \
	"mkdir \"$d/sp ace\" \"$d/$n\" \"$d/$t\" \"$d/back\\\\slash\" \"$d/\\\\040\" $d/shadow "   \
	"$d/ro $d/bind $WORK/in $WORK/in-ro $WORK/out\n"                                           \
	"for m in \"$d/sp ace\" \"$d/$n\" \"$d/$t\" \"$d/back\\\\slash\" \"$d/\\\\040\" "          \
	"$WORK/in; do "                                                                            \
	"mount -t tmpfs t \"$m\" || echo failed; mkdir \"$m/deep er\" && mount -t tmpfs t "        \
	"\"$m/deep er\" || echo failed; done\n"                                                    \
	"mount -t tmpfs t $d/shadow; mkdir $d/shadow/x; mount -t tmpfs t $d/shadow/x\n"            \
	"mount -t tmpfs u $d/shadow; mount -t tmpfs -o ro t $d/ro; mount --bind $OUT $d/bind\n"    \
	"mount -t tmpfs -o ro t $WORK/in-ro; mount -t tmpfs -o nosuid,nodev,noexec t $WORK/out\n"  \
	"touch $OUT/mounted && mount --bind $OUT/file $OUT/mounted\n"
#define WALK                                                                                       \
	" python3 -c 'import os, re\n"                                                             \
	"work, base = os.environ[\"WORK\"], os.environ[\"BASE\"]\n"                                \
	"points = [re.sub(rb\"\\\\([0-7]{3})\", lambda m: bytes([int(m[1], 8)]), l.split(b\" "     \
	"\")[4])"                                                                                  \
	".decode(errors=\"surrogateescape\") for l in open(\"/proc/self/mountinfo\", \"rb\")]\n"   \
	"seen = 0\n"                                                                               \
	"for p in sorted(set(points)):\n"                                                          \
	" seen += p.startswith(base)\n"                                                            \
	" try:\n"                                                                                  \
	"  if os.path.isdir(p):\n"                                                                 \
	"   name = p + \"/view.\" + str(os.getpid())\n"                                            \
	"   os.close(os.open(name, os.O_CREAT | os.O_WRONLY)); os.unlink(name)\n"                  \
	"  elif os.path.isfile(p): os.close(os.open(p, os.O_WRONLY))\n"                            \
	"  else: continue\n"                                                                       \
	" except OSError: continue\n"                                                              \
	" print(p.replace(base, \"\"))\n"                                                          \
	"print(seen > 15)'\n"
#define WRITABLE_POINTS "/work\n/work/in\n/work/in/deep er\n/work/out\n"

Test(view, every_mount, .timeout = 120)
{
	static const char *const bare[] = { "landlock-enosys", NULL };
	static const char *const classic[] = { "new-mounts-enosys", NULL };
	static const char *const classic_bare[] = { "new-mounts-enosys", "landlock-enosys", NULL };
	static const char *const setattr[] = { "setattr-enosys", "landlock-enosys", NULL };
	const char *const *conditions[] = { view_normal, bare, classic, classic_bare, setattr };
	/* the view has a mount for each root, the other backend only those that are there anyway */
	static const char *const expected = "/dev/shm\n/tmp\n" WRITABLE_POINTS "True\n";

	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		view_check_users(NAMESPACE | PRIVATE, conditions[i], ODD_MOUNTS "\"$@\" --" WALK,
				 expected);
	view_check_users(LANDLOCK | PRIVATE, view_normal, ODD_MOUNTS "\"$@\" --" WALK,
			 "/dev/shm\n/work/in\n/work/in/deep er\n/work/out\nTrue\n");
}

/* Nothing at all in read-only mode. */
EXPERIMENT(every_mount_read_only, BOTH | PRIVATE, ODD_MOUNTS "\"$@\" --mode read-only --" WALK,
	   "True\n")

Test(view_control, every_mount)
{
	static const char *const script = ODD_MOUNTS WALK " true";
	struct fixture f;
	struct run_result r;

	view_place(&f, run_own());
	r = view_run(&f, "namespace", PRIVATE, view_normal, script);
	cr_expect(strstr(r.out.data, "/out/dir/back\\slash\n") &&
			  strstr(r.out.data, "\n/out/mounted\n"),
		  "'%s'", r.out.data);
	run_release(&r);
	fixture_remove(&f);
}

/* Flags that somebody set are kept, and no set-up fails on them: a remount that drops a locked flag
 * is refused by the kernel. */
#define FLAGS                                                                                      \
	"mount --rbind /tmp /tmp && mount -o remount,bind,nosuid,nodev /tmp || exit\n"             \
	"mount -t tmpfs -o ro,nosuid,nodev,noexec r $OUT/dir; mkdir m n\n"                         \
	"mount -t tmpfs -o nosuid,nodev,noexec,noatime t m; mount -t tmpfs -o ro t n\n"            \
	"\"$@\" -- sh -c 'f=$(mktemp) && rm $f && echo tmp; cp /bin/true m/t; m/t 2>&-; echo $?; " \
	"(echo x > n/x) 2>&- || echo refused; "                                                    \
	"grep -q \" /tmp rw,nosuid,nodev\" /proc/self/mountinfo && "                               \
	"grep -q \" $WORK/m rw,nosuid,nodev,noexec,noatime\" /proc/self/mountinfo && echo kept'\n"

Test(view, flags_of_mounts, .timeout = 60)
{
	static const char *const classic[] = { "new-mounts-enosys", NULL };

	view_check_users(BOTH | PRIVATE, view_normal, FLAGS, "tmp\n126\nrefused\nkept\n");
	view_check_users(NAMESPACE | PRIVATE, classic, FLAGS, "tmp\n126\nrefused\nkept\n");
}

/* Where /tmp is a link, its target is the root, and both spellings work. */
EXPERIMENT(
	tmp_is_a_link, BOTH | PRIVATE | ROOT,
	"r=$BASE/swap; mount -t tmpfs t $OUT/dir; mkdir $OUT/dir/u $OUT/dir/w\n"
	"mount -t overlay o -o lowerdir=/,upperdir=$OUT/dir/u,workdir=$OUT/dir/w $r || exit\n"
	"rm -rf $r/tmp 2>&-; ln -s srv/real $r/tmp; mkdir -m 1777 $r/srv/real $r/put\n"
	"for d in dev proc sys; do mount --rbind /$d $r/$d; done\n"
	"mkdir -p $r$BASE && mount --bind $BASE/work $r$WORK\n"
	"cp $1 $r/launcher; cd $r && pivot_root . put && cd $WORK || exit\n"
	"umount -l /put; shift; /launcher \"$@\" -- sh -c 'echo x > /tmp/a; echo y > /srv/real/b; "
	"ls /tmp /srv/real; (echo x > /srv/c) 2>&- || echo refused; mktemp -u'| sed "
	"'s/tmp\\..*/tmp/'\n",
	"/srv/real:\na\nb\n\n/tmp:\na\nb\nrefused\n/tmp/tmp\n")

/* A private tmpfs that takes all memory would be a way to hurt the host. */
EXPERIMENT(shared_memory_is_capped, NAMESPACE,
	   "\"$@\" -- sh -c 'grep \" /dev/shm \" /proc/self/mountinfo | tail -1 | "
	   "grep -c size=.*nr_inodes='\n",
	   "1\n")

/* What the user cannot reach needs no restriction and must not stop the set-up. */
#define UNREACHABLE                                                                                \
	"mkdir -m 700 $OUT/closed; mkdir $OUT/closed/m; mount -t tmpfs t $OUT/closed/m\n"          \
	"chown 64002 $WORK; setpriv --reuid 64002 --regid 64002 --clear-groups \"$@\" -- "         \
	"sh -c 'echo x > new && cat new; ls $OUT/closed 2>&- || echo refused'\n"

Test(view, unreachable_mounts, .timeout = 60)
{
	static const char *const classic[] = { "new-mounts-enosys", "landlock-enosys", NULL };

	if (geteuid() != 0)
		cr_skip("this is about root's mounts");
	view_check_users(BOTH | PRIVATE | ROOT, view_normal, UNREACHABLE, "x\nrefused\n");
	view_check_users(NAMESPACE | PRIVATE | ROOT, classic, UNREACHABLE, "x\nrefused\n");
}

/* A thousand roots: all of them writable, quickly, and without a trace in the limits. */
#define MANY_ROOTS                                                                                 \
	"ulimit -Sn 1024; mkdir $OUT/r; cd $OUT/r; seq -f %05g 1000 | xargs mkdir; cd $WORK\n"     \
	"for i in $(seq -f %05g 1000); do set -- \"$@\" --write $OUT/r/$i; done\n"                 \
	"a=$(date +%s%N); \"$@\" -- true; b=$(date +%s%N); "                                       \
	"test $((b - a)) -lt 1000000000 && echo quick\n"                                           \
	"\"$@\" -- sh -c 'for i in $(seq -f %05g 1000); do echo x > $OUT/r/$i/x || echo $i; "      \
	"done; "                                                                                   \
	"(echo x > $OUT/r/x) 2>&- || echo refused; ulimit -n'; cat $OUT/r/*/x | wc -l\n"

EXPERIMENT(a_thousand_roots, BOTH, MANY_ROOTS, "quick\nrefused\n1024\n1000\n")

/*
 * Before Linux 5.3, and under filters of that time, there is no pidfd: signals are passed on all
 * the same, and the run still ends with the launcher.
 */
#define SIGNALLED                                                                                  \
	"\"$@\" -- sh -c 'trap \"exit 5\" TERM; touch ready; sleep 5 & wait' & p=$!\n"             \
	"until test -e ready; do sleep 0.01; done; kill -TERM $p; wait $p; echo $?; rm ready\n"    \
	"\"$@\" -- sh -c 'touch ready; sleep 60 & sleep 61' & p=$!\n"                              \
	"until test -e ready; do sleep 0.01; done; kill -KILL $p; wait $p; echo $?; rm ready\n"    \
	"sleep 0.3; pgrep -f '^sleep 6[01]$' -u $(id -u) > /dev/null && echo left\n"

Test(view, without_a_pidfd, .timeout = 120)
{
	static const char *const enosys[] = { "pidfd-enosys", NULL };
	static const char *const eperm[] = { "pidfd-eperm", NULL };

	view_check_users(BOTH, view_normal, SIGNALLED, "5\n137\n");
	view_check_users(BOTH, enosys, SIGNALLED, "5\n137\n");
	view_check_users(BOTH, eperm, SIGNALLED, "5\n137\n");
}
