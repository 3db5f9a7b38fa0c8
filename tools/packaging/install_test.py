#!/usr/bin/env python3
"""What is installed works where it lies, and others build on it.

Usage: install_test.py BUILD: a build folder in which everything is built. It is installed into a folder of its own,
which is moved before anything is tried: nothing may be found by where it was built.
"""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import page  # noqa: E402

BUILD = None
TREE = Path(__file__).resolve().parents[2]
LIMIT = 300  # seconds, for a build


def run(*command, code=0, **more):
    """What a program says on both streams, of a slow machine aside; it has to end with `code`."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=LIMIT, stdin=subprocess.DEVNULL, **more)
    if done.returncode != code:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return page.without_watchdog(done.stdout)


HELD = tempfile.TemporaryDirectory(prefix="parley-install-")
PREFIX = Path(HELD.name) / "moved to"  # with a space in it


def setUpModule():
    unittest.addModuleCleanup(HELD.cleanup)
    before = Path(HELD.name) / "before"
    run("cmake", "--install", BUILD, "--prefix", before)
    before.rename(PREFIX)


class Installed(unittest.TestCase):
    """A folder to work in, and a shell's environment where parley is found."""

    prefix = PREFIX
    parley = PREFIX / "bin/parley"

    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="parley-author-")
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        (self.folder / "home").mkdir()
        self.environment = {
            "HOME": str(self.folder / "home"), "LANG": "C.UTF-8",
            "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(Path.home() / ".cache/ccache")),
            "PATH": f"{self.prefix / 'bin'}:/usr/local/bin:/usr/bin:/bin"}

    def run_here(self, *command, code=0, folder=None):
        return run(*command, code=code, cwd=folder or self.folder, env=self.environment)

    def build(self, source, *options):
        compiler = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.run_here("cmake", "-S", source, "-B", source / "build", "-G", "Ninja", *compiler, *options)
        self.run_here("cmake", "--build", source / "build")
        tests = self.run_here("ctest", "--test-dir", source / "build", "--output-on-failure", "--no-tests=error")
        self.assertIn("100% tests passed, 0 tests failed out of 2", tests)

    def say(self, *words):
        return self.run_here(self.parley, "say", *words).strip()


class Program(Installed):
    def test_it_answers_with_all_that_came_along(self):
        self.assertRegex(self.say("what is two plus two"), "4|[Ff]our")
        self.assertRegex(self.say("--lang", "de-DE", "wie spät ist es in Tokio"), "Tokio")
        self.assertEqual(self.say("what is the capital of France"), "The capital of France is Paris.")
        self.assertEqual(self.run_here(self.parley, "check").splitlines()[-1], "Everything is in order.")

    def test_it_needs_nothing_of_where_it_was_built(self):
        for file in self.prefix.rglob("*"):
            self.assertFalse(file.is_symlink(), file)
            self.assertNotIn(b"_test.", file.name.encode())
        paths = run("readelf", "-d", self.parley, *self.prefix.rglob("*.so"))
        self.assertNotIn(str(BUILD), paths)
        for file in (self.prefix / "lib/cmake/parley").iterdir():
            self.assertNotIn(str(TREE), file.read_text(), file)

    def test_a_command_that_makes_no_sense_is_refused_in_words(self):
        (self.folder / "full").mkdir()
        (self.folder / "full/file").touch()
        for words, told in (
            (("skil", "tea"), "did you mean 'skill'?"),
            (("skill", "Tea"), "small letters"),
            (("skill", "timer"), "has a skill 'timer' already"),
            (("stage", "intent"), "has a stage 'intent' already"),
            (("skill", "tea", "full"), "is there already"),
        ):
            self.assertIn(told, self.run_here(self.parley, "new", *words, code=2))
        self.assertIn("no CMakeLists.txt", self.run_here(self.parley, "dev", "full", code=2))


class Skill(Installed):
    def test_a_new_skill_builds_passes_its_tests_and_answers_once_it_is_installed(self):
        self.assertIn("skill.cpp", self.run_here(self.parley, "new", "skill", "tea_pot"))
        source = self.folder / "tea_pot"
        self.build(source, "-DCMAKE_BUILD_TYPE=Debug")
        self.run_here("cmake", "--install", source / "build", "--prefix", self.prefix)
        self.addCleanup(shutil.rmtree, self.prefix / "lib/parley/skills/tea_pot")
        self.assertEqual(self.say("say hello to tea pot from Anna"), "Hello Anna, this is tea pot.")
        self.assertEqual(self.say("--lang", "de-DE", "sag hallo zu tea pot"), "Hallo, hier ist tea pot.")

    def test_dev_tells_what_fails_until_it_is_mended(self):
        self.run_here(self.parley, "new", "skill", "tea")
        source = self.folder / "tea"
        self.assertIn("tests: 2, all as expected", self.run_here(self.parley, "dev", "tea", "--once"))
        dialog = source / "locale/en-US/hello.dialog"
        good = dialog.read_text()
        dialog.write_text("Good bye.\n")
        said = self.run_here(self.parley, "dev", "tea", "--once", code=1)
        self.assertIn("Good bye.", said)
        self.assertIn("does not do what its tests expect", said)
        dialog.write_text(good)
        code = (source / "skill.cpp").read_text()
        (source / "skill.cpp").write_text(code.replace("co_return", "co_returm"))
        said = self.run_here(self.parley, "dev", "tea", "--once", code=1)
        self.assertIn("co_returm", said)
        self.assertIn("can't be built", said)
        (source / "skill.cpp").write_text(code)
        self.run_here(self.parley, "dev", "tea", "--once")

    def test_dev_goes_again_when_a_file_changes(self):
        self.run_here(self.parley, "new", "skill", "tea")
        process = subprocess.Popen([self.parley, "dev", "tea"], cwd=self.folder, env=self.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, LIMIT)
        self.addCleanup(process.terminate)
        self.assertIn("all as expected", process.stdout.readline())
        dialog = self.folder / "tea/locale/en-US/hello.dialog"
        dialog.write_text("Good bye.\n")
        told = ""
        while "✗" not in told:
            told = process.stdout.readline()
            self.assertTrue(told)
        dialog.write_text("Hello, this is tea.\n")
        self.assertIn("all as expected", process.stdout.readline())


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, test, command, **more):
        self.here, there = pty.openpty()
        self.process = subprocess.Popen([str(word) for word in command], stdin=there, stdout=there, stderr=there,
                                        start_new_session=True, **more)
        os.close(there)
        self.said = ""
        test.addCleanup(os.close, self.here)
        test.addCleanup(self.end)

    def end(self):
        self.process.terminate()
        self.until(None)
        self.process.wait(LIMIT)

    def until(self, part):
        """What it says from here until it has said that; None: until it ends."""
        said = ""
        while part is None or part not in said:
            if not select.select([self.here], [], [], LIMIT)[0]:
                raise AssertionError(f"it never said '{part}': {said}")
            try:
                got = os.read(self.here, 4096)
            except OSError:  # it has ended
                got = b""
            if not got:
                if part is None:
                    return said
                raise AssertionError(f"it ended without '{part}': {said}")
            said += got.decode(errors="replace")
        return said

    def type(self, line):
        os.write(self.here, f"{line}\n".encode())


class Chat(Installed):
    def test_the_chat_of_dev_goes_on_with_what_is_new(self):
        self.run_here(self.parley, "new", "skill", "tea")
        shell = {**self.environment, "TERM": "xterm"}
        dev = Terminal(self, (self.parley, "dev", "tea"), cwd=self.folder, env=shell)
        dev.until("Ctrl-D ends.")
        dev.type("say hello to tea")
        dev.until("Hello, this is tea.")
        (self.folder / "tea/locale/en-US/hello.dialog").write_text("Good morning.\n")
        dev.until("the skill 'tea.example' was loaded anew")
        dev.type("say hello to tea")
        dev.until("Good morning.")
        dev.until("does not do what its tests expect")
        code = self.folder / "tea/skill.cpp"
        code.write_text(code.read_text().replace('turn.speak_dialog("hello");', 'turn.speak("This is new.");'))
        dev.until("the skill 'tea.example' was loaded anew")
        dev.type("say hello to tea")
        dev.until("This is new.")
        dev.type("/quit")
        dev.until(None)
        self.assertEqual(dev.process.wait(LIMIT), 1)  # its tests still want the old words


class Served(Installed):
    """A server that runs while somebody works on a skill of it."""

    def ask(self, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method="POST",
                                         data=json.dumps(body or {}).encode())
        try:
            with urllib.request.urlopen(request, timeout=LIMIT) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)

    def answer(self):
        return self.ask("/run", {"id": "me", "text": "say hello to tea"})[1]["speech_text"]

    def test_it_takes_over_what_is_built_anew(self):
        self.run_here(self.parley, "new", "skill", "tea")
        source = self.folder / "tea"
        self.run_here("cmake", "-S", source, "-B", source / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug")
        self.run_here("cmake", "--build", source / "build")
        server = subprocess.Popen([self.parley, "--config", source / "build/parley.yaml", "--set", "gateway.port=0", "serve"],
                                  env=self.environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait, LIMIT)
        self.addCleanup(server.terminate)
        self.port = re.search(r"listens on http://[^ ]*:(\d+)", self.told(server, "listens on"))[1]
        self.assertEqual(self.answer(), "Hello, this is tea.")

        (source / "locale/en-US/hello.dialog").write_text("Good morning.\n")
        self.run_here("cmake", "--build", source / "build")
        self.assertEqual(self.answer(), "Hello, this is tea.")
        server.send_signal(signal.SIGHUP)
        self.told(server, "the skill 'tea.example' was loaded anew")
        self.assertEqual(self.answer(), "Good morning.")

        code = (source / "skill.cpp").read_text()
        (source / "skill.cpp").write_text(code.replace('turn.speak_dialog("hello");', 'turn.speak("This is new.");'))
        self.run_here("cmake", "--build", source / "build")
        status, told = self.ask("/v1/skills/tea.example/reload")
        self.assertEqual((status, told["skill_id"], told["version"]), (200, "tea.example", "0.1.0"))
        self.assertEqual(self.answer(), "This is new.")

        (source / "skill.cpp").write_text(code.replace("void start() override {", "void start() override { throw 7;"))
        self.run_here("cmake", "--build", source / "build")
        status, told = self.ask("/v1/skills/tea.example/reload")
        self.assertEqual((status, told["error"]["code"]), (409, "refused"))
        self.assertIn("refused to start, the earlier one goes on", told["error"]["message"])
        self.assertEqual(self.answer(), "This is new.")
        self.assertEqual(self.ask("/v1/skills/nobody/reload")[0], 404)

        (source / "build/lib/parley/skills/tea/libparley_skill_tea.so").unlink()
        server.send_signal(signal.SIGHUP)
        self.told(server, "the skill 'tea.example' was taken out")
        self.assertNotIn("tea", self.answer())
        (source / "skill.cpp").write_text(code)
        self.run_here("cmake", "--build", source / "build")
        server.send_signal(signal.SIGHUP)
        self.told(server, "the skill 'tea.example' was loaded anew")
        self.assertEqual(self.answer(), "Good morning.")

    @staticmethod
    def told(server, part):
        for line in server.stdout:
            if part in line:
                return line
        raise AssertionError(f"the server ended without a word of '{part}'")


class Subdirectory(Installed):
    def test_a_project_that_holds_parley_gets_its_functions_and_not_its_warnings(self):
        self.run_here(self.parley, "new", "skill", "tea")
        lists = self.folder / "tea/CMakeLists.txt"
        lists.write_text(lists.read_text().replace("find_package(parley REQUIRED)", f"add_subdirectory({TREE} parley)"))
        self.run_here("cmake", "-S", "tea", "-B", "build", "-G", "Ninja")
        compiled = [line for line in self.run_here("ninja", "-C", "build", "-t", "commands").splitlines()
                    if "/tea/skill.cpp" in line]
        self.assertEqual(len(compiled), 1)
        self.assertNotIn("-Wconversion", compiled[0])
        self.assertIn("Total Tests: 2", self.run_here("ctest", "--test-dir", "build", "-N"))


class Stage(Installed):
    def test_a_new_stage_builds_passes_its_tests_and_takes_part_once_it_is_installed(self):
        self.run_here(self.parley, "new", "stage", "oracle")
        source = self.folder / "oracle"
        self.build(source)
        built = f"plugins.directories=[{source / 'build/lib/parley/stages'}]"
        config = self.folder / "home/.config/parley/parley.yaml"
        config.parent.mkdir(parents=True)
        config.write_text("stages: {oracle: {within: true}}\n")
        self.assertEqual(self.say("--set", built, "please what does oracle say"), "This is oracle.")
        self.run_here("cmake", "--install", source / "build", "--prefix", self.prefix)
        self.addCleanup((self.prefix / "lib/parley/stages/libparley_stage_oracle.so").unlink)
        self.addCleanup(shutil.rmtree, self.prefix / "lib/parley/stages/oracle")
        self.assertEqual(self.say("what does oracle say"), "This is oracle.")
        self.assertRegex(self.say("what is two plus two"), "4|[Ff]our")


class RemoteSkill(Installed):
    def test_a_new_remote_skill_passes_its_tests(self):
        self.run_here(self.parley, "new", "remote-skill", "kettle", "somewhere/else")
        self.run_here("./test_kettle.py", folder=self.folder / "somewhere/else")


class Shells(Installed):
    def complete(self, *words):
        return [line.split("\t")[0] for line in self.run_here(self.parley, "complete", "--", *words).splitlines()]

    def test_what_may_come_next_is_what_the_program_takes(self):
        self.assertEqual(self.complete("s"), ["say", "script", "serve", "skills", "sessions", "store"])
        self.assertIn("--explain", self.complete("say", "--"))
        self.assertIn("--config", self.complete("say", "--"))
        self.assertEqual(self.complete("say", "hello"), [])
        self.assertEqual(self.complete("store", "ch"), ["check"])

    def test_bash_offers_it(self):
        script = f"""
            source {TREE / 'tools/packaging/completion.bash'}
            COMP_WORDS=(parley say --ex) COMP_CWORD=2
            _parley
            echo "${{COMPREPLY[@]}}"
        """
        self.assertEqual(self.run_here("bash", "-c", script), "--explain\n")

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_offers_it_and_files_where_there_is_nothing(self):
        script = f"""
            _describe() {{ print -l -- "${{(@P)2}}" }}  # what zsh offers, and how it is described
            _files() {{ print files }}
            offers() {{ words=("$@") CURRENT=$#; source {TREE / 'tools/packaging/completion.zsh'} }}
            offers parley say --ex; offers parley say hello
        """
        self.assertRegex(self.run_here("zsh", "-f", "-c", script), r"^--explain:tells .*\nfiles\n$")

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_it_and_files_where_there_is_nothing(self):
        (self.folder / "hello.txt").touch()
        script = f"source {TREE / 'tools/packaging/completion.fish'}; complete -C 'parley say --ex'; complete -C 'parley say hel'"
        self.assertRegex(self.run_here("fish", "--no-config", "-c", script), r"^--explain\ttells .*\nhello.txt\n$")


class Packages(Installed):
    """The packages, unpacked into a root of their own."""

    @classmethod
    def setUpClass(cls):
        packed = Path(HELD.name) / "packages"
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", packed)
        cls.root = Path(HELD.name) / "root"
        cls.files = {file.name.split("_")[0]: file for file in packed.glob("*.deb")}
        for file in cls.files.values():
            run("dpkg-deb", "-x", file, cls.root)

    def test_there_are_two_that_say_what_they_need(self):
        self.assertEqual(sorted(self.files), ["libparley-dev", "parley"])
        about = run("dpkg-deb", "-f", self.files["parley"], "Depends", "Version")
        for needed in ("libicu72", "libsqlite3-0", "adduser"):
            self.assertIn(needed, about)
        self.assertIn("parley (=", run("dpkg-deb", "-f", self.files["libparley-dev"], "Depends"))
        self.assertIn("/etc/parley/parley.yaml", run("dpkg-deb", "-I", self.files["parley"], "conffiles"))

    def test_the_program_answers_from_where_it_was_unpacked(self):
        parley = self.root / "usr/bin/parley"
        config = self.root / "etc/parley/parley.yaml"
        self.assertRegex(self.run_here(parley, "--config", config, "say", "what is two plus two"), "4|[Ff]our")
        self.assertEqual(self.run_here(parley, "--config", config, "check").splitlines()[-1], "Everything is in order.")

    def test_what_a_system_wants_is_there(self):
        for file in ("usr/lib/systemd/system/parley.service", "usr/share/man/man1/parley.1",
                     "usr/share/bash-completion/completions/parley", "usr/share/zsh/vendor-completions/_parley",
                     "usr/share/fish/vendor_completions.d/parley.fish", "usr/share/doc/parley/copyright",
                     "usr/share/parley/templates/skill/skill.cpp", "usr/share/parley/clients/parley_skill.py",
                     "usr/share/parley/clients/parley_skill.mjs", "usr/include/parley/skill.hpp"):
            self.assertTrue((self.root / file).is_file(), file)

    def test_the_manual_names_every_command(self):
        manual = (self.root / "usr/share/man/man1/parley.1").read_text()
        listed = self.run_here(self.parley, "complete", "--", "").splitlines()
        self.assertGreater(len(listed), 10)
        for line in listed:
            name = re.escape(line.split("\t")[0])
            self.assertRegex(manual, re.compile(rf"(^\.B |\\fB){name}\b", re.MULTILINE))

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
    def test_systemd_understands_the_unit(self):
        unit = self.folder / "parley.service"
        text = (self.root / "usr/lib/systemd/system/parley.service").read_text()
        unit.write_text(text.replace("/usr/bin/parley", str(self.parley).replace(" ", "\\x20")))
        said = self.run_here("systemd-analyze", "verify", "--man=no", unit)
        self.assertNotIn("parley.service:", said)


class Pages(Installed):
    def test_what_the_page_for_authors_shows_is_so(self):
        commands, files = page.play(self, TREE / "docs/authors.md", self.folder / "home", self.environment)
        self.assertGreater(commands, 5)
        self.assertGreater(files, 2)


if __name__ == "__main__":
    BUILD = Path(sys.argv[1]).resolve()
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
