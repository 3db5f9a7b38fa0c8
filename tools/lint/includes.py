#!/usr/bin/env python3
"""Finds files that use what they don't include, neither themselves nor by a file of ours, or what another file beside
them keeps to itself.

usage: includes.py [FILE...]

CI compiles many files at once, where one lives on what another includes; `tools/run` compiles each by itself. The tests
are always compiled many at once and not looked at. The table names what is used most, and from which headers it may
come; what the standard library's headers include of each other is counted only where it is certain. Of the names in
an unnamed namespace it is looked whether a file beside it uses one that it has from nowhere. Exits 1 on findings.
"""

import re
import sys
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "plugins", "skills", "tools/benchmarks", "tools/command")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
# What stands at the beginning of a line there: clang-format leaves it no other place.
OWN = re.compile(r"^(?:(?:class|struct|enum class) (\w+)|using (\w+) =|(?!return\b|namespace\b)\w[\w:<>,&*\[\] ]*?[ &*>](\w+)(?=[(={;\[]| [={]))",
                 re.MULTILINE)
DECLARED = re.compile(r"(?:\b(?!return\b|co_return\b|co_await\b|co_yield\b|else\b|case\b|throw\b|new\b|delete\b|not\b)\w+|"
                      r"[\w>]\s*&|[*>\]])\s+(?=(\w+))|(?<=[,\[])\s*&?(\w+)(?=\s*[\],=;])|::\*(\w+)")
NO_CODE = re.compile(r'^\s*#[^\n]*|//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL | re.MULTILINE)

CONTAINERS = "deque list map memory regex set span string string_view unordered_map vector"
# What is used, and the headers any of which brings it.
USES = [
    (r"\bJson::|\bJson[({]|make_(?:shared|unique)<(?:const )?Json>|\bJson \w+(?: =|;|[({])", "nlohmann/json.hpp"),
    (r"\bfmt::format\b", "fmt/format.h fmt/ranges.h"),
]
USES += [(rf"\bstd::(?:{names})\b", headers) for names, headers in (
    ("accumulate|iota", "numeric"),
    ("any_of|all_of|none_of|find_if|sort|stable_sort|transform|max_element|min_element|copy_if|count_if|lower_bound|"
     "upper_bound|binary_search|clamp", "algorithm functional"),
    ("array", "array functional span tuple"),
    ("atomic", "atomic"),
    ("back_inserter|make_move_iterator", f"iterator algorithm array filesystem {CONTAINERS}"),
    ("bitset", "bitset"),
    ("chrono", "chrono condition_variable future mutex thread"),
    ("condition_variable", "condition_variable"),
    ("deque", "deque"),
    ("exp|floor|isfinite|isnan|log|lround|pow|sqrt", "cmath"),
    ("filesystem", "filesystem"),
    ("from_chars|to_chars", "charconv"),
    ("function", "functional"),
    ("future|promise", "future"),
    ("holds_alternative|get_if|variant|visit", "variant"),
    ("ifstream|ofstream", "fstream"),
    ("invalid_argument|logic_error|out_of_range|runtime_error", "stdexcept string"),
    ("istringstream|ostringstream|stringstream", "sstream"),
    ("list", "list"),
    ("lock_guard|once_flag|call_once|unique_lock", "mutex condition_variable future"),
    ("make_shared|make_unique|shared_ptr|unique_ptr|weak_ptr", "memory functional future"),
    ("map|multimap", "map"),
    ("mt19937|random_device|uniform_int_distribution", "random"),
    ("multiset|set", "set"),
    ("mutex", "mutex condition_variable future"),
    ("numeric_limits", "limits chrono"),
    ("optional|nullopt", "optional"),
    ("queue|priority_queue", "queue"),
    ("regex", "regex"),
    ("span", "span"),
    ("string", "string filesystem stdexcept system_error"),
    ("string_view", "string_view string"),
    ("this_thread|thread", "thread future"),
    ("tie|tuple", "tuple functional map memory"),
    ("unordered_map", "unordered_map functional"),
    ("unordered_set", "unordered_set"),
    ("vector", "vector functional"),
)]
USES = [(re.compile(pattern), headers.split()) for pattern, headers in USES]


@lru_cache(None)
def included_by(path):
    return tuple(INCLUDE.findall(path.read_text(encoding="utf-8")))


def of_ours(name, path):
    """The file of ours that a file includes; None: it is somebody else's."""
    above = [folder for folder in path.parents if folder != ROOT and ROOT in folder.parents]
    places = [*above, ROOT / "core" / "include", ROOT / "core", ROOT / "plugins", ROOT / "tests"]
    return next((place / name for place in places if (place / name).is_file()), None)


def headers_of(path):
    """The headers of others that are included, by files of ours as well."""
    seen, headers, left = set(), set(), [path]
    while left:
        here = left.pop()
        if here in seen:
            continue
        seen.add(here)
        for name in included_by(here):
            ours = of_ours(name, here)
            if ours:
                left.append(ours)
            else:
                headers.add(name)
    return headers


@lru_cache(None)
def code_of(path):
    return NO_CODE.sub('""', path.read_text(encoding="utf-8"))


@lru_cache(None)
def own_names(path):
    """What a file keeps to itself, in an unnamed namespace."""
    blocks = (NO_CODE.sub('""', block) for block in UNNAMED.findall(path.read_text(encoding="utf-8")))
    return frozenset(name for block in blocks for one in OWN.findall(block) for name in one if name)


@lru_cache(None)
def words_of_headers(path):
    """All that the files of ours say that a file includes, one by the other."""
    seen, left, words = {path}, [path], set()
    while left:
        for name in included_by(here := left.pop()):
            ours = of_ours(name, here)
            if ours and ours not in seen:
                seen.add(ours)
                left.append(ours)
                words.update(re.findall(r"\w+", code_of(ours)))
    return words


@lru_cache(None)
def declared_in(path):
    """What stands behind a type, behind a comma as declarations do, or behind `class` and its like."""
    return frozenset(name for one in DECLARED.findall(code_of(path)) for name in one if name)


def names_of_others(path):
    """Of the names that files beside this one keep to themselves: those it uses all the same, and whose they are."""
    code = code_of(path)
    used = set(re.findall(r"(?<![\w.])(?<!->)(?<!::)[A-Za-z]\w+", code))
    for other in sorted(path.parent.glob("*.cpp")):
        if other == path or other.name.endswith("_test.cpp"):
            continue
        for name in sorted(used & own_names(other) - own_names(path) - declared_in(path)):
            if name not in words_of_headers(path):
                yield name, other


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.cpp")):
            if not path.name.endswith("_test.cpp") and "tests" not in path.parts:
                yield path


def main():
    files = [Path(name).resolve() for name in sys.argv[1:]] or list(sources())
    faults = 0
    for path in files:
        headers, code = headers_of(path), code_of(path)
        for pattern, wanted in USES:
            found = pattern.search(code)
            if found and headers.isdisjoint(wanted):
                print(f"{path.relative_to(ROOT)}: uses {found[0].strip()} and does not include <{wanted[0]}>")
                faults += 1
        for name, other in names_of_others(path):
            print(f"{path.relative_to(ROOT)}: uses {name}, which {other.name} keeps to itself")
            faults += 1
    print(f"includes: {len(files)} files, {faults} findings")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
