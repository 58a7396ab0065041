#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the documents against the code: options, error codes, variables, events and claims stand in
# the manual pages and nothing else does, the pages are sound, files that are named exist, and the
# README's tour prints what it says. TAP on stdout.
# RINGFENCE: the launcher. RINGFENCE_SOURCE: the root of the source tree.
# shellcheck disable=SC2016 # backquotes and dollars in patterns are Markdown's
set -u

: "${RINGFENCE:?}" "${RINGFENCE_SOURCE:?}"
RINGFENCE=$(realpath "$RINGFENCE")
cd "$RINGFENCE_SOURCE" || exit 1
LC_ALL=C
export LC_ALL

main_page=docs/man/ringfence.1.scd
run_page=docs/man/ringfence-run.1.scd
documents='README.md CONTRIBUTING.md SECURITY.md NEWS.md docs/architecture.md docs/threat-model.md'
number=0
failures=0
work=$(mktemp -d /var/tmp/ringfence-docs.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# result STATUS NAME
result() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		failures=$((failures + 1))
		echo "not ok $number - $2"
	fi
}

# same NAME: $work/code and $work/docs hold the same lines, and some
same() {
	diff -u "$work/code" "$work/docs" >"$work/diff" && [ -s "$work/code" ]
	status=$?
	sed 's/^/# /' "$work/diff"
	result "$status" "$1"
}

# The lines of a section of a page.
section() {
	awk -v title="# $2" '/^# /{inside = ($0 == title); next} inside' "$1"
}

# Words in bold of the paragraph that starts with $3, in a section of a page.
words_of_paragraph() {
	section "$1" "$2" | awk -v start="$3" '
		index($0, start) == 1 { inside = 1; $0 = substr($0, length(start) + 1) }
		/^$/ { inside = 0 }
		inside' | grep -o '[A-Z][A-Z0-9_]*\(\\\*\)\{0,1\}' | sed 's|[\\]||' | sort
}

table_rows() {
	grep "{ \"[A-Z0-9_]*\", RF_VARIABLE_$1" policy/environment.c | sed 's/^[^"]*"\([A-Z0-9_]*\)".*/\1/'
}

# An option with its value, as `help` shows it: "--mode MODE".
for title in 'policy' 'run options'; do
	upper=$(echo "$title" | tr '[:lower:]' '[:upper:]')
	"$RINGFENCE" help run | awk -v title="$title:" '
		/^[a-z]/ { inside = ($0 == title); next }
		inside && /^  -/ { print $1 ($2 ~ /^[A-Z]+(=[A-Z]+)?$/ ? " " $2 : "") }' >"$work/code"
	section "$run_page" "$upper" | sed -n 's/^\(\*-.*\)$/\1/p' | tr -d '*_' >"$work/docs"
	same "options: $title"
done

sed -n 's/^[[:space:]]*X(RF_CODE_[A-Z0-9_]*, "\([a-z-]*\)").*/\1/p' launcher/base/error.h >"$work/code"
section "$main_page" 'ERROR CODES' | sed -n 's/^\*\([a-z-]*\)\*$/\1/p' >"$work/docs"
same 'error codes'

table_rows '\(ALWAYS\|PER_BACKEND\|CONDITIONAL\)' >"$work/code"
section "$run_page" ENVIRONMENT | sed -n 's/^\*\([A-Z0-9_]*\)\*$/\1/p' >"$work/docs"
same 'variables that are set'

table_rows RESERVED | sort >"$work/code"
words_of_paragraph "$run_page" ENVIRONMENT 'Reserved:' >"$work/docs"
same 'variables that are reserved'

sed -n '/clean_names\[\]/,/};/p' policy/environment.c | grep -o '"[A-Z0-9_*]*"' | tr -d '"' |
	sort >"$work/code"
words_of_paragraph "$run_page" ENVIRONMENT '*--env clean* keeps:' >"$work/docs"
same 'variables that a clean environment keeps'

grep -o '"event\\":\\"[a-z-]*' launcher/process/events.c | sed 's/.*"//' | sort -u >"$work/code"
section "$run_page" 'STATUS CHANNEL' | sed -n 's/^_\([a-z-]*\)_$/\1/p' | sort >"$work/docs"
same 'events'

# The claims that a backend can miss, in the order of the list of claims.
sed -n 's/^[[:space:]]*X(\(RF_CLAIM_[A-Z0-9_]*\), "\([a-z-]*\)").*/\1 \2/p' policy/claims.h >"$work/claims"
while read -r symbol name; do
	if grep -q "$symbol\\b" launcher/backend/*.c; then
		echo "$name"
	fi
done <"$work/claims" >"$work/code"
section "$run_page" CLAIMS | sed -n 's/^|  \([a-z-]*\)$/\1/p' >"$work/docs"
same 'claims that can be missing'

cut -d ' ' -f 2 "$work/claims" >"$work/code"
sed -n 's/^| `\([a-z-]*\)` |.*/\1/p' docs/threat-model.md >"$work/docs"
same 'claims of the threat model'

# What mandoc calls style, and empty paragraphs, are scdoc's own and harmless.
sound() {
	name=$work/$(basename "$1" .scd)
	scdoc <"$1" >"$name" 2>"$work/lint" || { sed 's/^/# /' "$work/lint"; return 1; }
	mandoc -T lint -W warning "$name" >"$work/lint" 2>&1
	# 2: warnings, which are looked at one by one; more: an error, or no such program
	[ $? -le 2 ] || { sed 's/^/# /' "$work/lint"; return 1; }
	! grep -v 'skipping paragraph macro' "$work/lint" | sed 's/^/# /' | grep .
}

for page in docs/man/*.scd; do
	sound "$page"
	result $? "page $(basename "$page" .scd)"
done

# Names of files in the documents, `launcher/base/error.h` or [text](docs/x.md).
: >"$work/gone"
for document in $documents; do
	{
		grep -oE '`(policy|launcher|tests|packaging|docs|\.ci)/[^` ]*`' "$document" | tr -d '`'
		grep -oE '\]\([A-Za-z./_-]+\)' "$document" | sed 's/^](\(.*\))$/\1/' |
			sed "s|^|$(dirname "$document")/|"
	} | while read -r name; do
		# shellcheck disable=SC2086 # a pattern, such as launcher/backend/*.c
		ls -d $name >/dev/null 2>&1 || echo "# $document: $name is not there"
	done
done >"$work/gone"
cat "$work/gone"
[ ! -s "$work/gone" ]
result $? 'files that are named exist'

[ "$(wc -l <README.md)" -le 120 ]
result $? 'the README is short'

# The tour: all of its blocks in one shell, in a directory that is no writable root.
sed -n '/^```console$/,/^```$/p' README.md | grep -v '^```' >"$work/tour"
{
	echo 'exec 2>&1'
	grep '^\$ ' "$work/tour" | sed 's/^\$ //' | while IFS= read -r line; do
		printf "echo '$ %s'\n%s\n" "$(printf '%s' "$line" | sed "s/'/'\\\\''/g")" "$line"
	done
} >"$work/script"
mkdir "$work/home" "$work/bin"
ln -s "$RINGFENCE" "$work/bin/ringfence"
(
	cd "$work/home" || exit 1
	unset TMPDIR
	HOME=$work/home PATH=$work/bin:$PATH GIT_CONFIG_NOSYSTEM=1 \
		GIT_AUTHOR_NAME=tour GIT_AUTHOR_EMAIL=tour@localhost \
		GIT_COMMITTER_NAME=tour GIT_COMMITTER_EMAIL=tour@localhost \
		sh "$work/script"
) </dev/null >"$work/docs"
cp "$work/tour" "$work/code"
same "the README's tour"

echo "1..$number"
[ "$failures" -eq 0 ]
