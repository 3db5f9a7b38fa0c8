#!/usr/bin/env python3
"""Finds coroutines that crash or dangle: runs coroutines.query over all files with a coroutine in them.

usage: coroutines.py BUILD_FOLDER [FILE...]

BUILD_FOLDER holds the compile_commands.json of a preset of clang's. Exits 1 on findings that coroutines.allow does
not name, or when something does not parse.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUERY = ROOT / "tools" / "lint" / "coroutines.query"
ALLOW = ROOT / "tools" / "lint" / "coroutines.allow"
# The tests are not looked at: their lambdas live in the fixture until the assistant has ended.
FOLDERS = ("core", "plugins", "skills", "tools")

BINDING = re.compile(r'^(/[^:\n]+):(\d+):(\d+): note: "(\w+)" binds here', re.MULTILINE)
ERROR = re.compile(r"^.*: (?:fatal )?error: .*|^.*: Error parsing .*", re.MULTILINE)
COROUTINE = re.compile(r"\bco_(?:await|return|yield)\b")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
FUNCTION = re.compile(r"([A-Za-z_~][\w:~]*)\s*\(")
KEPT = ("-I", "-isystem", "-std=", "-D")
ALSO = ("-w", '-DPARLEY_PLUGIN_NAME="looked_at"')
# A plugin has one door, and here are many plugins.
NO_DOORS = ("#include <parley/plugin.hpp>", "#undef PARLEY_PLUGIN_MANIFEST", "#define PARLEY_PLUGIN_MANIFEST(...)")
EXPLANATION = {
    "aggregate": "an aggregate temporary in a co_await expression is destroyed twice by g++ 12: "
    "name it before, and move it in",
    "capture": "the captures of this coroutine lambda die at its first suspension: pass them as arguments",
    "reference": "a coroutine must own its arguments: take this one by value, or share its ownership",
}


def coroutine_files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp") and COROUTINE.search(path.read_text(encoding="utf-8")):
                yield path


def arguments_of(build, files):
    """What the compiler is told with each of `files`, by file; with a unity build, what its unit is compiled with."""
    found = {}
    for command in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        unit = Path(command["file"])
        holds = [unit]
        if unit.is_relative_to(build):
            # One that the build has yet to generate has none of them.
            holds = map(Path, INCLUDE.findall(unit.read_text(encoding="utf-8"))) if unit.is_file() else []
        for path in holds:
            if path in files:
                words = shlex.split(command["command"].replace("-isystem ", "-isystem"))
                found[path] = [word for word in words if word.startswith(KEPT) and "PARLEY_PLUGIN_NAME" not in word]
    return found


def groups_of(build, files):
    """Files that are looked at together, as most of the time is spent on headers, with the arguments for them."""
    known = arguments_of(build, files)
    groups = {}
    for path in files:
        if path.suffix == ".cpp":
            together, arguments = groups.setdefault(path.relative_to(ROOT).parts[0] == "core", ([], {}))
            together.append(path)
            arguments.update(dict.fromkeys(known.get(path, ())))  # nothing here compiles the templates of plugins
    return [(together, list(arguments)) for together, arguments in groups.values()]


def read_allowed():
    allowed = []
    for number, line in enumerate(ALLOW.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = line.split(maxsplit=2)
        if len(parts) < 3 or parts[0] not in EXPLANATION or ":" not in parts[1]:
            sys.exit(f"{ALLOW.relative_to(ROOT)}:{number}: expected CHECK PATH:FUNCTION REASON, not '{line}'")
        path, _, function = parts[1].partition(":")
        allowed.append((number, parts[0], path, function))
    return allowed


def function_name(path, line, column):
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join([lines[line - 1][column - 1 :], *lines[line : line + 3]])
    found = FUNCTION.search(re.sub(r"\b(?:noexcept|explicit|decltype|alignas)\s*\(", " ", text))
    return found[1] if found else "?"


def query(files, arguments):
    """The findings in the files as (check, path, line, column, function), and why they did not parse."""
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as unit:
        unit.write("".join(f"{line}\n" for line in (*NO_DOORS, *(f'#include "{path}"' for path in files))))
        unit.flush()
        run = subprocess.run(
            ["clang-query", "-f", str(QUERY), unit.name, "--", *arguments, *ALSO],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
        )
    output = run.stdout + run.stderr
    errors = list(dict.fromkeys(ERROR.findall(output)))
    if run.returncode != 0 and not errors:
        errors = [output.strip()]
    findings = set()
    for match in re.split(r"^Match #\d+:$", output, flags=re.MULTILINE)[1:]:
        places = {name: (Path(file).resolve(), int(line), int(column)) for file, line, column, name in BINDING.findall(match)}
        kind = next((name for name in EXPLANATION if name in places), None)
        if kind and "function" in places:
            path, line, column = places["function"]
            findings.add((kind, *places[kind], function_name(path, line, column)))
    return findings, errors


def check(files, arguments):
    """The same, of the halves where together they don't parse: names that two of them use for something else."""
    findings, errors = query(files, arguments)
    if errors and len(files) > 1:
        halves = [check(half, arguments) for half in (files[: len(files) // 2], files[len(files) // 2 :])]
        findings, errors = halves[0][0] | halves[1][0], halves[0][1] + halves[1][1]
    return findings, errors


def main():
    if len(sys.argv) < 2 or not (Path(sys.argv[1]) / "compile_commands.json").is_file():
        sys.exit(__doc__)
    build = Path(sys.argv[1]).resolve()
    given = [Path(name).resolve() for name in sys.argv[2:]]
    files = given or list(coroutine_files())
    groups = groups_of(build, files)
    allowed, used, faults = read_allowed(), set(), 0
    findings = set()

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found, errors in pool.map(lambda group: check(*group), groups):
            findings |= {finding for finding in found if finding[1] in files}
            for error in errors:
                print(error)
            faults += len(errors)
    for kind, path, line, column, function in sorted(findings, key=lambda finding: finding[1:]):
        name = path.relative_to(ROOT).as_posix()
        entries = {
            number for number, *entry in allowed
            if kind == entry[0] and fnmatch(name, entry[1]) and fnmatch(function, entry[2])
        }
        used |= entries
        if not entries:
            print(f"{name}:{line}:{column}: {kind}: in {function}: {EXPLANATION[kind]}")
            faults += 1

    for number, *entry in allowed:
        if not given and number not in used:
            print(f"{ALLOW.relative_to(ROOT)}:{number}: allows nothing any more ({' '.join(entry)}): take it out")
            faults += 1
    print(f"coroutines: {len(files)} files, {faults} findings")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
