#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of the house, as TAP: who may include whom, what is exported, what a file looks like.

Each rule is also run over a planted breach, so that a rule that sees nothing is noticed.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# From the lowest to the highest: a module may include those before it, by their header alone.
ORDER = ["base", "policy", "mechanism", "backend", "process", "probes", "escalate", "command"]
FOLDERS = {"policy": "policy", "probes": "probes", "escalate": "escalate"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ANGLED = re.compile(r"^\s*#\s*include\s*<((?:%s)/[^>]+)>" % "|".join(ORDER), re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# Of the libraries that the hot-path program must not hold.
FOREIGN = ("seccomp_rule_add", "seccomp_syscall_resolve", "json_loads", "json_object_get",
           "yaml_parser", "bpf_object__")
# Made at build time, or read by the generator alone.
GENERATED = {"seccomp_filters.h", "seccomp_all.h"}


def folder_of(module):
    return FOLDERS.get(module, f"launcher/{module}")


def sources(root):
    for module in ORDER:
        for path in sorted((root / folder_of(module)).glob("*.[ch]")):
            yield module, path
    # the programs themselves sit on top of all modules
    for path in sorted((root / "launcher").glob("*.[ch]")):
        yield None, path


def homeless(root):
    """Folders with sources that have no place in the order yet."""
    known = {root / folder_of(module) for module in ORDER} | {root / "launcher"}
    folders = {path.parent for top in ("launcher", "policy", "probes", "escalate")
               for path in (root / top).rglob("*.[ch]")}
    # the installed header is for others, and includes nothing of ours
    return [f"{folder} has no place in the order"
            for folder in sorted(folders - known - {root / "launcher/include"})]


def check_include(module, path, name):
    first, _, rest = name.partition("/")
    if not rest:
        if (path.parent / name).exists() or name in GENERATED:
            return None
        return f"{path}: '{name}' is not in its own module"
    if first not in ORDER:
        return f"{path}: '{name}' is in no module"
    if module and ORDER.index(first) >= ORDER.index(module):
        return f"{path}: {module} must not include {first}"
    if rest != f"{first}.h":
        return f"{path}: '{name}' is not the header of its module"
    return None


def bad_includes(root):
    found = homeless(root)
    for module, path in sources(root):
        text = path.read_text()
        found += [f"{path}: <{name}> is ours" for name in ANGLED.findall(text)]
        for name in INCLUDE.findall(text):
            problem = check_include(module, path, name)
            if problem:
                found.append(problem)
    return found


def global_symbols(archive):
    out = subprocess.run(["nm", "--extern-only", "--defined-only", str(archive)],
                         capture_output=True, text=True, check=True).stdout
    # what a sanitizer adds of its own is not ours to declare
    return {line.split()[-1] for line in out.splitlines()
            if len(line.split()) == 3 and not line.split()[-1].startswith("__")}


def undeclared(symbols, headers):
    # a comment that mentions a function declares nothing
    text = COMMENT.sub(" ", "\n".join(path.read_text() for path in headers))
    return sorted(name for name in symbols if not re.search(rf"\b{re.escape(name)}\b", text))


def bad_exports(root, build):
    found = []
    for module in ORDER:
        archive = build / f"lib{module}.a"
        if not archive.exists():
            continue
        headers = list((root / folder_of(module)).glob("*.h"))
        found += [f"{module}: '{name}' stands in no header"
                  for name in undeclared(global_symbols(archive), headers)]
    return found


def bad_program(program):
    header = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True,
                            check=True).stdout
    found = [f"{program} has a {word}" for word in ("INTERP", "DYNAMIC") if word in header]
    # in the bytes: a stripped program still has the messages and names of what it was linked with
    content = pathlib.Path(program).read_bytes()
    return found + [f"{program} holds '{name}'" for name in FOREIGN if name.encode() in content]


def project_files(root):
    for folder in ("policy", "launcher", "probes", "escalate", "tests", "packaging", ".ci"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in (".c", ".h", ".py", ".sh", ".build", ""):
                yield path


def width(line):
    return len(line.expandtabs(8))


def bad_files(files):
    found = []
    for path in files:
        text = path.read_text(errors="replace")
        first = [line for line in text.splitlines()[:2] if not line.startswith("#!")][:1]
        if not first or not re.match(r"(/\*|#) SPDX-License-Identifier: MIT( \*/)?$", first[0]):
            found.append(f"{path}: no SPDX line")
        # spelled apart, so that this file is not its own finding
        if re.search(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX)\b", text):
            found.append(f"{path}: an open end")
        if path.suffix in (".c", ".h"):
            found += [f"{path}:{number}: longer than 100 columns"
                      for number, line in enumerate(text.splitlines(), 1) if width(line) > 100]
    return found


def unlisted(root):
    """C files that no meson.build names: they would be neither built nor run."""
    listed = set()
    for build in [root / "meson.build", *sorted(root.glob("*/**/meson.build"))]:
        for name in re.findall(r"'([^'\n]+\.c)'", build.read_text()):
            listed.add((build.parent / name).resolve())
        # unit tests are listed by their stems
        for name in re.findall(r"'(\w+)'", build.read_text()):
            listed.add((build.parent / f"test_{name}.c").resolve())
    tops = ("policy", "launcher", "probes", "escalate", "tests")
    return [f"{path} stands in no meson.build" for top in tops
            for path in sorted((root / top).rglob("*.c")) if path.resolve() not in listed]


def planted(folder):
    base, process = folder / "launcher/base", folder / "launcher/process"
    for path in (base, process, folder / "policy"):
        path.mkdir(parents=True)
    (base / "base.h").write_text("/* SPDX-License-Identifier: MIT */\nint declared(void);\n"
                                 "/* unlike mentioned() */\n")
    (folder / "launcher/odd").mkdir()
    (folder / "launcher/odd/odd.c").write_text("/* SPDX-License-Identifier: MIT */\n")
    (folder / "launcher/main.c").write_text('#include <base/base.h>\n#include "base/fd.h"\n')
    (folder / "meson.build").write_text("files('launcher/base/up.c')\n")
    (base / "up.c").write_text('#include "process/process.h"\n')
    (process / "inner.c").write_text('#include "base/fd.h"\n')
    (folder / "policy/long.c").write_text("x" * 101 + "\n")
    return folder


def self_tests():
    with tempfile.TemporaryDirectory() as name:
        root = planted(pathlib.Path(name))
        includes = bad_includes(root)
        files = bad_files(project_files(root))
        exports = undeclared({"declared", "accident", "mentioned"},
                             [root / "launcher/base/base.h"])
        missing = unlisted(root)
        stripped = root / "stripped"
        stripped.write_bytes(pathlib.Path("/usr/bin/env").read_bytes() + b"json_loads\0")
        program = bad_program(str(stripped))
    return [
        ("an arrow that goes up is seen", any("must not include" in p for p in includes)),
        ("an inner header is seen", any("inner.c" in p and "not the header" in p
                                        for p in includes)),
        ("an inner header in a program is seen", any("main.c" in p and "not the header" in p
                                                     for p in includes)),
        ("an include in angle brackets is seen", any("is ours" in p for p in includes)),
        ("a folder without a place is seen", any("no place" in p for p in includes)),
        ("an accidental symbol is seen", exports == ["accident", "mentioned"]),
        ("a file that is built nowhere is seen",
         any("odd.c" in p for p in missing) and not any("up.c" in p for p in missing)),
        ("a file without SPDX is seen", any("no SPDX" in p for p in files)),
        ("a long line is seen", any("100 columns" in p for p in files)),
        ("a dynamic program is seen", any("INTERP" in p for p in program)),
        ("a library in a program is seen", any("json_loads" in p for p in program)),
    ]


def main():
    root = pathlib.Path(os.environ["RINGFENCE_SOURCE"])
    build = pathlib.Path(os.environ["RINGFENCE_BUILD"])
    rules = [
        ("include arrows go down", bad_includes(root)),
        ("every exported symbol stands in a header", bad_exports(root, build)),
        ("files look as they should", bad_files(project_files(root))),
        ("every C file is built", unlisted(root)),
    ]
    if not os.environ.get("RINGFENCE_SANITIZED"):
        rules.append(("the hot-path program is small and static",
                      bad_program(os.environ["RINGFENCE"])))
    results = self_tests() + [(name, not found) for name, found in rules]
    print(f"1..{len(results)}")
    for number, (name, good) in enumerate(results, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for name, found in rules:
        for problem in found:
            print(f"# {name}: {problem}")
    return 0 if all(good for _, good in results) else 1


if __name__ == "__main__":
    sys.exit(main())
