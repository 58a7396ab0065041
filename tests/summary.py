#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums up the TAP output of all suites of one or more Meson builds.

Prints every failure with what its suite said, then `N passed, N failed, N skipped`. A suite that
ran no test, that ended badly, or a sanitizer log that is not empty counts as a failure.
"""

import json
import pathlib
import re
import sys

LINE = re.compile(r"^(not ok|ok)\b(.*)$")
PLAN = re.compile(r"^1\.\.(\d+)")


def read_tap(text):
    passed, failed, skipped, planned = 0, [], 0, None
    for line in text.splitlines():
        plan = PLAN.match(line)
        if plan:
            planned = int(plan.group(1))
        match = LINE.match(line)
        if not match:
            continue
        if re.search(r"#\s*skip", match.group(2), re.IGNORECASE):
            skipped += 1
        elif match.group(1) == "ok":
            passed += 1
        else:
            failed.append(match.group(2).strip(" -"))
    return passed, failed, skipped, planned


def suite_problem(record, passed, failed, skipped, planned):
    if passed + len(failed) + skipped == 0:
        return "ran no test"
    if planned is not None and planned != passed + len(failed) + skipped:
        return f"planned {planned} tests and ran {passed + len(failed) + skipped}"
    if record["result"] not in ("OK", "SKIP", "FAIL") or record["returncode"] < 0:
        return f"ended badly: {record['result']}, status {record['returncode']}"
    if record["returncode"] != 0 and not failed:
        return f"ended with status {record['returncode']}"
    return None


def report(build, name, failed, problem, record):
    for test in failed:
        print(f"FAILED {build}: {name}: {test}")
    if problem:
        print(f"FAILED {build}: {name}: {problem}")
    for stream in ("stdout", "stderr"):
        text = record.get(stream, "").strip()
        if text:
            print("\n".join("    " + line for line in text.splitlines()[-60:]))


def sum_build(build, folder):
    log = pathlib.Path(folder) / "meson-logs" / "testlog.json"
    if not log.exists():
        print(f"FAILED {build}: no suite ran")
        return 0, 1, 0
    totals = [0, 0, 0]
    for line in log.read_text(errors="replace").splitlines():
        record = json.loads(line)
        passed, failed, skipped, planned = read_tap(record.get("stdout", ""))
        problem = suite_problem(record, passed, failed, skipped, planned)
        print(f"{build}: {record['name']}: {passed} passed, {len(failed)} failed, "
              f"{skipped} skipped, {record['duration']:.1f} s")
        if failed or problem:
            report(build, record["name"], failed, problem, record)
        totals[0] += passed
        totals[1] += len(failed) + (1 if problem else 0)
        totals[2] += skipped
    return totals


# Said by the leak checker of a program that a suite kills at its end: the check was cut off there.
CUT_OFF = re.compile(r"^==\d+==Unable to get registers from thread \d+\.$")


def read_logs(folder):
    found = 0
    for path in sorted(pathlib.Path(folder).iterdir()):
        text = path.read_text(errors="replace").strip()
        if not all(CUT_OFF.match(line) for line in text.splitlines()):
            found += 1
            print(f"FAILED sanitizer: {path.name}\n{text[:6000]}")
    return found


def main(arguments):
    logs = arguments[arguments.index("--logs") + 1]
    totals = [0, 0, 0]
    for argument in arguments:
        if "=" in argument:
            build, folder = argument.split("=", 1)
            totals = [a + b for a, b in zip(totals, sum_build(build, folder))]
    totals[1] += read_logs(logs)
    if totals[0] == 0:
        totals[1] = max(totals[1], 1)
    print(f"{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped")
    return 1 if totals[1] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
