#!/usr/bin/env python3
"""What README and the pages of docs/ show is so, as far as it needs no installation.

Usage: pages_test.py PARLEY CONFIG INCLUDE…: the built program, the configuration that comes along, and the folders of headers.
Other tests: docs/authors.md by install_test.py, docs/remote_skills.md by that of the client libraries, docs/skills.md,
storage.md, guide.md and ovos.md each by a page_test of its own, and configurations by unit.documented_config.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import page  # noqa: E402

PARLEY = CONFIG = None
INCLUDE = []
TREE = Path(__file__).resolve().parents[2]
LIMIT = 300
DATA = ("yaml", "json")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def blocks(name, language):
    return [text for what, text in page.FENCE.findall((TREE / name).read_text(encoding="utf-8")) if what == language]


class Page(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="parley-page-")
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        self.home = self.folder / "home"
        self.home.mkdir()
        self.port = str(free_port())
        self.environment = {
            "HOME": str(self.home), "LANG": "C.UTF-8", "TZ": "UTC", "PARLEY_LOCATION__TZ": "Asia/Tokyo", "PATH": f"{PARLEY.parent}:/usr/local/bin:/usr/bin:/bin",
            "PARLEY_CONFIG": str(CONFIG), "PARLEY_GATEWAY__PORT": self.port,
            "PARLEY_URL": f"ws://127.0.0.1:{self.port}/core"}

    def play(self, name, *replaced):
        """The page as it stands, but for the port."""
        text = (TREE / name).read_text(encoding="utf-8").replace("8181", self.port)
        # There are several phrases for these.
        text = text.replace("\nIt's 12:00 PM.", "\nIt…").replace("I don't know that one yet.", "…")
        text = re.sub(r"In Tokyo, it is [\d:]+ [AP]M\.", "…Tokyo…", text)
        for before, after in replaced:
            text = text.replace(before, after)
        shown = self.folder / "page.md"
        shown.write_text(text, encoding="utf-8")
        return page.play(self, shown, self.home, self.environment, loosely=True, checked_elsewhere=DATA)

    def run_here(self, *command, stdin=""):
        done = subprocess.run([str(word) for word in command], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=LIMIT, cwd=self.home, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def compile(self, file):
        self.run_here("g++", "-std=c++20", "-fsyntax-only", "-DPARLEY_PLUGIN_NAME=\"page\"",
                      *(f"-I{folder}" for folder in INCLUDE), file)


class Readme(Page):
    def test_what_it_shows_is_so(self):
        serves = subprocess.Popen([PARLEY, "serve"], cwd=self.home, env=self.environment, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(serves.stdout.close)
        self.addCleanup(serves.wait, LIMIT)
        self.addCleanup(serves.kill)
        self.assertIn("listens on", serves.stdout.readline())
        commands, files = self.play("README.md", ("tools/run ", "parley "), ("tools/examples/", f"{TREE}/tools/examples/"))
        self.assertGreater(commands, 8)
        self.assertGreater(files, 4)
        self.compile(self.home / "skills/coffee/skill.cpp")


class Pages(Page):
    def test_what_the_page_of_the_gateway_shows_is_so(self):
        commands, _ = self.play("docs/gateway.md")
        self.assertGreater(commands, 5)

    def test_the_stage_and_the_skills_that_are_shown_compile(self):
        for name in ("docs/stages.md", "docs/skills.md"):
            whole = [code for code in blocks(name, "cpp") if code.startswith("#include")]
            self.assertTrue(whole, name)
            for code in whole:
                (self.folder / "shown.cpp").write_text(code)
                self.compile(self.folder / "shown.cpp")

    def test_every_file_of_the_gate_is_named(self):
        told = (TREE / "docs/stages.md").read_text()
        files = sorted((TREE / "plugins/common_query/locale/en-US").glob("*.voc"))
        self.assertGreater(len(files), 5)
        for file in files:
            self.assertIn(f"`{file.name}`", told)

    def test_the_dialogue_that_is_shown_goes_like_that(self):
        scripts = [text for text in blocks("docs/scripts.md", "") if "\n> " in text]
        self.assertEqual(len(scripts), 1)
        self.assertIn("2 turns as expected", re.sub(r"[34] turns", "2 turns", self.run_here(PARLEY, "script", stdin=scripts[0])))

    def test_the_sentences_that_are_shown_become_the_intents_they_should(self):
        cases = [text for text in blocks("docs/intents.md", "") if "@ lang" in text]
        self.assertEqual(len(cases), 1)
        (self.home / "cases.txt").write_text(cases[0])
        self.run_here(PARLEY, "intents", "--test", "cases.txt")

    def test_what_isolation_tells_of_is_what_the_page_lists(self):
        shown = next(text for text in blocks("docs/isolation.md", "") if "check --isolation" in text)
        done = subprocess.run([PARLEY, "check", "--isolation"], env=self.environment, stdout=subprocess.PIPE, text=True,
                              timeout=LIMIT)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()],
                         [line.split()[0] for line in shown.splitlines()[1:]])


if __name__ == "__main__":
    PARLEY, CONFIG, *INCLUDE = (Path(os.path.abspath(word)) for word in sys.argv[1:])
    unittest.main(argv=sys.argv[:1])
