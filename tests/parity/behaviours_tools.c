/* SPDX-License-Identifier: MIT */
/* Whole programs at work in a workspace. */
#include "parity.h"

#define REPOSITORY "git init -q -b main . && git add file && git commit -qm first"
#define PACKAGE                                                                                    \
	"mkdir p && echo '{\"name\":\"p\",\"version\":\"1.0.0\"}' > p/package.json && "            \
	"echo 'module.exports = 7' > p/index.js && (cd p && npm pack --silent > /dev/null) && "    \
	"mv p/p-1.0.0.tgz a/ && rm -r p && echo '{\"name\":\"w\",\"version\":\"1.0.0\","           \
	"\"dependencies\":{\"p\":\"file:a/p-1.0.0.tgz\"}}' > package.json && "                     \
	"npm install --silent --no-audit --no-fund --cache $OUT/dir > /dev/null && "               \
	"rm -r node_modules && rm -rf ~/.npm"
#define C_PROJECT                                                                                  \
	"echo 'int f(void);int main(void){return f();}' > m.c && echo 'int f(void){return 3;}' > " \
	"f.c "                                                                                     \
	"&& printf 'm: m.o f.o\\n\\tcc -o m m.o f.o\\n%%.o: %%.c\\n\\tcc -c $<\\n' > Makefile"
#define RELOCATABLE                                                                                \
	"mkdir bin lib && echo 'int f(void){return 5;}' > f.c && cc -shared -fPIC -o lib/libf.so " \
	"f.c && "                                                                                  \
	"printf '#include <stdio.h>\\n#include <sys/auxv.h>\\nint f(void);"                        \
	"int main(void){printf(\"%%d %%lu\\\\n\",f(),getauxval(AT_SECURE));}' > m.c && "           \
	"cc -o bin/m m.c -Llib -lf -Wl,-rpath,'$ORIGIN/../lib'"

static const struct behaviour tools[] = {
	{ "git-commit",
	  WRITABLE | ANY_EFFECT,
	  "echo x > x && git add x && git commit -qm second && git log --format=%s && git status "
	  "-s",
	  { 0, "second\nfirst\n" },
	  .prepare = REPOSITORY },
	{ "git-everyday",
	  WRITABLE | ANY_EFFECT,
	  "git checkout -qb other && echo x >> file && git stash -q && git stash pop -q && "
	  "git commit -qam x && git checkout -q main && git merge -q other && git rebase -q other "
	  "&& "
	  "git worktree add -q a/tree && git tag t && git gc -q && git log --format=%s",
	  { 0, "x\nfirst\n" },
	  .prepare = REPOSITORY },
	{ "git-init-and-clone",
	  WRITABLE | ANY_EFFECT,
	  "git clone -q . a/clone && cd a/clone && git log --format=%s && git push -q origin "
	  "HEAD:new",
	  { 0, "first\n" },
	  .prepare = REPOSITORY },
	{ "git-reads",
	  READ_ONLY | ANY_TREE,
	  "git status -s && git log --format=%s && git diff --stat",
	  { 0, " M file\nfirst\n file | 1 +\n 1 file changed, 1 insertion(+)\n" },
	  .prepare = REPOSITORY " && echo x >> file" },
	{ "make",
	  WRITABLE,
	  "make -s -j2 && ./m; echo $?",
	  { 0, "3\n", "+work/f.o +work/m +work/m.o" },
	  .prepare = C_PROJECT },
	{ "compile-in-tmp",
	  WRITABLE,
	  "cc -pipe -o m m.c f.c && cc -o n m.c f.c && ./n; echo $?",
	  { 0, "3\n", "+work/m +work/n" },
	  .prepare = C_PROJECT },
	{ "here-document-bash",
	  WRITABLE,
	  "bash -c 'cat > note <<X\nhere $((1+1))\nX\ncat note'",
	  { 0, "here 2\n", "+work/note" } },
	{ "here-document-zsh",
	  WRITABLE,
	  "zsh -fc 'cat > note <<X\nhere $((1+1))\nX\ncat note'",
	  { 0, "here 2\n", "+work/note" } },
	{ "here-document-long",
	  WRITABLE,
	  "bash -c 'x=$(printf %0100000d 0); wc -c <<<$x'; zsh -fc 'wc -c <<<${(l:100000::0:)}'",
	  { 0, "100001\n100001\n" } },
	{ "process-substitution",
	  EITHER,
	  "bash -c 'diff <(echo a) <(echo a) && echo same'",
	  { 0, "same\n" } },
	{ "sqlite-wal",
	  WRITABLE | ANY_EFFECT,
	  "sqlite3 d 'pragma journal_mode=wal; create table t(x); insert into t values(7);' && "
	  "(sqlite3 d 'begin; select x from t;' '.shell test -e d-wal && echo wal') && "
	  "sqlite3 d 'insert into t values(8); select sum(x) from t;'",
	  { 0, "wal\nwal\n7\n15\n" } },
	{ "npm-ci",
	  WRITABLE | ANY_EFFECT,
	  "npm ci --silent --offline --no-audit --no-fund --cache $OUT/dir && "
	  "node -e 'console.log(require(\"p\"))'",
	  { 0, "7\n" },
	  .prepare = PACKAGE,
	  .options = "--write BASE/out/dir" },
	{ "node-children",
	  EITHER,
	  "node -e 'const p=require(\"child_process\").fork(\"child.js\"); "
	  "p.on(\"message\",m=>{console.log(m);p.disconnect()})'",
	  { 0, "42\n" },
	  .prepare = "echo 'process.send(6*7)' > child.js" },
	{ "relocatable", EITHER, "bin/m", { 0, "5 0\n" }, .prepare = RELOCATABLE },
	{ "script-with-interpreter",
	  EITHER,
	  "./s a",
	  { 0, "./s a\n" },
	  .prepare = "printf '#!/bin/sh\\necho $0 $1\\n' > s && chmod 755 s" },
	{ "archive",
	  WRITABLE,
	  "tar cf t.tar file a && mkdir c && tar xf t.tar -C c && ls c",
	  { 0, "a\nfile\n", "+work/c +work/c/a +work/c/file +work/t.tar" } },
	{ "sort-with-temporary-files",
	  WRITABLE,
	  "seq 50000 | sort -S 100k -n | tail -1",
	  { 0, "50000\n" } },
	{ "find-and-grep", EITHER, "find . -type f | xargs grep -l inside", { 0, "./file\n" } },
	{ "edit-in-place",
	  WRITABLE,
	  "sed -i s/in/IN/ file && perl -pi -e 's/side/SIDE/' file && cat file",
	  { 0, "INSIDE\n", "=work/file" } },
	{ "async-loop",
	  EITHER,
	  "python3 -c 'import asyncio as a\nasync def f():\n p=await "
	  "a.create_subprocess_exec(\"echo\",\"hi\","
	  "stdout=-1)\n print((await p.communicate())[0])\na.run(f())'",
	  { 0, "b'hi\\n'\n" } },
	{ "bubblewrap-refused",
	  EITHER,
	  "bwrap --ro-bind / / true 2>&- || echo refused",
	  { 0, "refused\n" } },
	{ "ringfence-in-ringfence",
	  WRITABLE,
	  "$LAUNCHER -w --quiet -- sh -c 'echo in > new && (echo x > $OUT/new) 2>&- || echo "
	  "refused'",
	  { 0, "refused\n", "+work/new" },
	  .around = "LAUNCHER=$1 \"$@\"" },
	{ "ringfence-in-ringfence-narrower",
	  WRITABLE,
	  "$LAUNCHER --quiet -- sh -c '(echo in > new) 2>&- || echo refused'",
	  { 0, "refused\n" },
	  .around = "LAUNCHER=$1 \"$@\"" },
};

GROUP(tools);
