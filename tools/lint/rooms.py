#!/usr/bin/env python3
"""Refuses includes that core/README.md does not allow.

Pages may name only files that exist. The rows of its table are the rooms of core/, from the ground up: a file may include its own room, those above it and
the SDK. Plugins and skills may include the SDK and their own files; the core nothing of theirs.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
NO_ROOM = {"resources"}


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".cpp", ".hpp"))


def includes(file):
    """Line, whether in quotes, and path of every include."""
    text = file.read_text()
    for found in INCLUDE.finditer(text):
        yield text.count("\n", 0, found.start(1)) + 1, found[1] == '"', found[2]


def check_core(rooms, complain):
    core = ROOT / "core"
    for folder in sorted(p.name for p in core.iterdir() if p.is_dir()):
        if folder not in rooms and folder not in NO_ROOM:
            complain(f"core/{folder}", "is in no row of the table in core/README.md")
    for room in rooms:
        if not (core / room).is_dir():
            complain("core/README.md", f"names the room '{room}', which does not exist")
            continue
        allowed = rooms[: rooms.index(room) + 1]
        for file in sources(core / room):
            for line, quoted, path in includes(file):
                place = f"{file.relative_to(ROOT)}:{line}"
                if path.startswith("parley/"):
                    continue
                other = path.split("/")[0]
                if other in rooms and other not in allowed:
                    complain(place, f"{room} may not include {path}: {other} stands below it in core/README.md")
                elif quoted and not (core / path).is_file():
                    complain(place, f"{path} is no file of the core; name it from core/ on, as room/file.hpp")


def check_plugins(folder, rooms, complain):
    for plugin in sorted(p for p in (ROOT / folder).iterdir() if p.is_dir()):
        for file in sources(plugin):
            if file.name.endswith("_test.cpp") or file.name.startswith("test_") or file.parent.name == "tests":
                continue  # tests may look behind the SDK
            for line, quoted, path in includes(file):
                place = f"{file.relative_to(ROOT)}:{line}"
                own = (plugin / path).is_file() or (file.parent / path).is_file()
                if own or path.startswith("parley/"):
                    continue
                if quoted or path.split("/")[0] in rooms:
                    complain(place, f"{path} is neither of the SDK nor of {folder}/{plugin.name}")


def check_pages(complain):
    """What a page names in backticks under one of our folders has to be there."""
    named = re.compile(r"`((?:core|plugins|skills|tools|tests|config|docs)/[\w./]+)`")
    for page in sorted([ROOT / "README.md", ROOT / "core/README.md", *(ROOT / "docs").glob("*.md")]):
        text = page.read_text()
        for found in named.finditer(text):
            if not (ROOT / found[1]).exists():
                line = text.count("\n", 0, found.start()) + 1
                complain(f"{page.relative_to(ROOT)}:{line}", f"names {found[1]}, which does not exist")


def main():
    found = 0

    def complain(place, what):
        nonlocal found
        found += 1
        print(f"{place}: {what}", file=sys.stderr)

    rooms = ROW.findall((ROOT / "core/README.md").read_text())
    if not rooms:
        complain("core/README.md", "has no table of rooms, whose rows begin with | `room` |")
    check_core(rooms, complain)
    for folder in ("plugins", "skills"):
        check_plugins(folder, rooms, complain)
    check_pages(complain)
    if found:
        return 1
    print(f"rooms: {len(rooms)}, and nobody includes what stands below")
    return 0


if __name__ == "__main__":
    sys.exit(main())
