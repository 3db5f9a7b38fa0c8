#!/usr/bin/env python3
"""Lists the protocol's rules with the tests that show them.

A test shows a rule by naming it: TEST_CASE("T-2 expansion: ..."), or `# rule: T-2` in a dialogue script.
Exits 1 when a rule of a finished section has no test, or when a test names a rule that does not exist.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "docs" / "protocol.md"
FINISHED = ROOT / "tools" / "lint" / "finished_rules.txt"
TEST_FOLDERS = ("tests", "skills", "plugins", "tools")

RULE = re.compile(r"\b[A-Z]-\d+\b")
RULE_LINE = re.compile(r"^- \*\*([A-Z]-\d+)\*\* (.*)")
STRING = r'"(?:[^"\\\n]|\\.)*"'
# Comments, raw strings, strings and character literals first, so that nothing inside them looks like a test.
TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r'|R"(?P<delimiter>[^\s()\\]{0,16})\(.*?\)(?P=delimiter)"'
    rf"|\b(?:CO_)?(?:TEST_CASE|SUBCASE|SCENARIO)\w*\s*\((?:\s*[\w:<>]+\s*,)?\s*(?P<name>{STRING}(?:\s*{STRING})*)(?P<rest>[^;{{]*)"
    rf"|{STRING}|'(?:[^'\\\n]|\\.)+'",
    re.DOTALL,
)


def read_rules():
    rules = {}
    for line in RULES.read_text(encoding="utf-8").splitlines():
        if found := RULE_LINE.match(line):
            rules[found[1]] = found[2]
    return rules


def finished_sections():
    lines = FINISHED.read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def tests_in_source(text):
    for found in TOKEN.finditer(text):
        if found["name"] and "doctest::skip" not in found["rest"]:
            name = "".join(part[1:-1] for part in re.findall(STRING, found["name"]))
            yield text.count("\n", 0, found.start()) + 1, name


def tests_in_dialogue(text):
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.match(r"#\s*rules?:\s*(.*)", line):
            yield number, found[1]


def all_tests():
    readers = {".cpp": tests_in_source, ".hpp": tests_in_source, ".parley": tests_in_dialogue}
    for folder in TEST_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if (reader := readers.get(path.suffix)) and path.is_file():
                for line, name in reader(path.read_text(encoding="utf-8", errors="replace")):
                    yield f"{path.relative_to(ROOT)}:{line}", name


def in_order(rule):
    letter, number = rule.split("-")
    return letter, int(number)


def summary(text, width):
    text = text.replace("`", "")
    return text if len(text) <= width else text[: width - 1].rsplit(" ", 1)[0] + " …"


def main():
    rules, finished = read_rules(), finished_sections()
    shown = {rule: [] for rule in rules}
    faults = []
    for section in sorted(finished - {rule[0] for rule in rules}):
        faults.append(f"{FINISHED.relative_to(ROOT)}: there is no section {section} in {RULES.relative_to(ROOT)}")
    for place, name in all_tests():
        for rule in dict.fromkeys(RULE.findall(name)):
            if rule in rules:
                shown[rule].append(f"{place} {name}")
            else:
                faults.append(f"{place}: '{name}' names {rule}, which {RULES.relative_to(ROOT)} does not have")

    missing = []
    order = list(dict.fromkeys(rule[0] for rule in rules))
    for rule in sorted(rules, key=lambda rule: (order.index(rule[0]), in_order(rule))):
        print(f"{rule:5} {summary(rules[rule], 100)}")
        for test in shown[rule]:
            print(f"        {test}")
        if not shown[rule]:
            print("        no test" if rule[0] in finished else "        no test (section not finished)")
        if not shown[rule] and rule[0] in finished:
            missing.append(rule)

    if missing:
        faults.append(f"no test names {', '.join(missing)}: their sections are finished, so a test must show them")

    with_test = sum(1 for tests in shown.values() if tests)
    print(f"rules: {with_test} of {len(rules)} have a test")
    sys.stdout.flush()
    for fault in faults:
        print(f"rules: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
