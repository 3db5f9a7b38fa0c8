#!/usr/bin/env python3
"""Tests of `parley serve --supervise` with plugins that crash it.

Usage: supervise_test.py PROGRAM FOLDER_OF_TEST_PLUGINS FOLDER_OF_STAGES
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

PROGRAM = PLUGINS = STAGES = ""
LIMIT = 120  # seconds, for what takes milliseconds
CONFIG = """
gateway: {{ port: 0 }}
pipeline: [{first}intent_high]
stages: {{ {plugin}intent: {{ plugin: intent }} }}
plugins: {{ shipped: false, directories: ["{stages}", "{plugins}/stages"] }}
skills: {{ shipped: false, directories: ["{folder}"] }}
"""


class Supervised(unittest.TestCase):
    def configure(self, skills, stage=""):
        """Where the configuration is, and the environment to run with."""
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        folder = Path(held.name)
        for skill in skills:
            (folder / skill).symlink_to(Path(PLUGINS) / "skills" / skill)
        config = folder / "parley.yaml"
        first, plugin = (stage + ", ", f"{stage}: {{ plugin: {stage}, entries: {{ {stage}: {{}} }} }}, ") if stage else ("", "")
        config.write_text(CONFIG.format(first=first, plugin=plugin, stages=STAGES, plugins=PLUGINS, folder=folder))
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PARLEY_")}
        environment["XDG_DATA_HOME"] = str(folder / "data")
        return config, environment

    def begin(self, skills, stage="", supervise=True, settings=()):
        config, environment = self.configure(skills, stage)
        self.errors = tempfile.TemporaryFile("w+")
        self.addCleanup(self.errors.close)
        self.server = subprocess.Popen(
            [PROGRAM, "--config", str(config)] + [word for one in settings for word in ("--set", one)] + ["serve"] + ["--supervise"] * supervise,
            stdout=subprocess.PIPE, stderr=self.errors, text=True, env=environment)
        self.addCleanup(self.end)
        self.wait_until_ready()

    def end(self):
        if self.server.poll() is None:
            self.server.kill()
        self.server.wait(LIMIT)
        self.server.stdout.close()

    def wait_until_ready(self):
        line = self.server.stdout.readline()
        self.assertIn("parley listens on", line, self.said())
        self.http = next(word for word in line.split() if word.startswith("http://"))

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def say(self, text):
        body = json.dumps({"id": "test", "text": text}).encode()
        with urllib.request.urlopen(self.http + "/run", body, timeout=LIMIT) as answer:
            return json.load(answer)

    def crash(self, text):
        with self.assertRaises((OSError, http.client.HTTPException)):
            self.say(text)

    def test_a_skill_that_crashes_the_backend_is_named_and_held_out_and_the_rest_comes_back(self):
        self.begin(["handler_crashes", "echo"])
        self.crash("go handler crashes by null")
        self.wait_until_ready()
        self.assertEqual(self.say("go handler crashes by null")["status"], "unmatched")
        self.assertEqual(self.say("repeat after me hello")["source"]["skill_id"], "echo.test")
        said = self.said()
        self.assertIn("parley: crash: SIGSEGV", said)
        self.assertIn("in: skill handler_crashes.test (", said)
        self.assertRegex(said, r"it is started again without .*libparley_skill_handler_crashes.so")
        self.assertRegex(said, r"libparley_skill_handler_crashes.so: is held out")
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(LIMIT), 0)

    def test_a_skill_whose_placement_is_auto_comes_back_in_a_child_and_then_crashes_alone(self):
        self.begin(["handler_crashes", "echo"], settings=["skills.options.handler_crashes.test.placement=auto"])
        self.crash("go handler crashes by null")
        self.wait_until_ready()
        for _ in range(2):
            answer = self.say("go handler crashes by null")
            self.assertEqual(answer["status"], "error")
            self.assertEqual(self.say("repeat after me hello")["source"]["skill_id"], "echo.test")
        said = self.said()
        self.assertIn("runs in a process of its own, because the backend crashed in its code", said)
        self.assertIn("the process of the skill 'handler_crashes.test' died of SIGSEGV", said)
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(LIMIT), 0)

    def test_so_is_a_skill_that_ends_the_process(self):
        self.begin(["handler_crashes", "echo"])
        self.crash("go handler crashes by exit")
        self.wait_until_ready()
        self.assertEqual(self.say("go handler crashes by exit")["status"], "unmatched")
        self.assertEqual(self.say("repeat after me hello")["source"]["skill_id"], "echo.test")
        said = self.said()
        self.assertIn("parley: exit: a plugin ended the process", said)
        self.assertIn("in: skill handler_crashes.test (", said)
        self.assertRegex(said, r"ended by a call of exit, code 70; .*without .*libparley_skill_handler_crashes.so")
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(LIMIT), 0)

    def test_a_script_whose_skill_crashes_costs_no_other_script(self):
        config, environment = self.configure(["handler_crashes", "echo"])
        scripts = []
        for name, text in (("crashes", "> go handler crashes by null\n"), ("ends", "> go handler crashes by exit\n"),
                           ("good", "> repeat after me hello\n@ skill echo.test\n"), ("other", "> repeat after me hello\n@ unmatched\n")):
            scripts.append(config.with_name(name + ".parley"))
            scripts[-1].write_text(text)
        done = subprocess.run([PROGRAM, "--config", str(config), "script", *map(str, scripts)], capture_output=True, text=True,
                              timeout=LIMIT, env=environment)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("crashes.parley: the process that played it ended with ", done.stderr)
        self.assertIn("ends.parley: the process that played it ended with exit code ", done.stderr)
        self.assertIn("other.parley:1: > repeat after me hello", done.stdout)
        self.assertIn("4 files: 1 of 2 turns not as expected", done.stdout)

    def test_without_a_supervisor_the_process_says_so_and_fails(self):
        self.begin(["handler_crashes"], supervise=False)
        self.crash("go handler crashes by exit")
        code = self.server.wait(LIMIT)
        self.assertEqual(code, 70, self.said())
        self.assertIn("in: skill handler_crashes.test (", self.said())

    def test_so_is_a_stage(self):
        self.begin(["echo"], stage="match_crashes")
        self.crash("whatever")
        self.wait_until_ready()
        self.assertEqual(self.say("repeat after me hello")["source"]["skill_id"], "echo.test")
        self.assertRegex(self.said(), r"it is started again without .*libparley_stage_match_crashes.so")

    def test_a_backend_that_is_killed_comes_back_until_it_was_too_often(self):
        self.begin([])
        for _ in range(4):
            children = Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text().split()
            os.kill(int(children[0]), signal.SIGKILL)
            self.wait_until_ready()
        children = Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        self.assertEqual(self.server.wait(LIMIT), 2)
        self.assertIn("5 times within 10 minutes is too often, so it stays down", self.said())

    def test_what_does_not_start_is_not_started_again(self):
        done = subprocess.run([PROGRAM, "--set", "gateway.port=no", "serve", "--supervise"], capture_output=True,
                              text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("nothing was started"), 1)

    def test_a_hangup_reaches_the_backend(self):
        self.begin([])
        self.server.send_signal(signal.SIGHUP)
        while "were read again" not in self.said():
            self.assertIsNone(self.server.poll())
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(LIMIT), 0)


if __name__ == "__main__":
    PROGRAM, PLUGINS, STAGES = (str(Path(path).resolve()) for path in sys.argv[1:4])
    del sys.argv[1:]
    unittest.main()
