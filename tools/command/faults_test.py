#!/usr/bin/env python3
"""Tests of `parley` on a machine where something gives out: room on the disk, descriptors, the configuration.

Usage: faults_test.py PROGRAM CONFIGURATION SANITIZERS
"""

import http.client
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = CONFIG = ""
SANITIZED = "undefined" in sys.argv[-1]
LIMIT = 120  # seconds, for what takes milliseconds


def environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    return kept | {"PARLEY_STORE__ENABLED": "false", "PARLEY_LANGUAGE__ENABLED": "[en-US]"}


class Faults(unittest.TestCase):
    def serve(self, config, descriptors=None):
        def limit():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.server = subprocess.Popen(
            [PROGRAM, "--config", str(config), "--set", "gateway.port=0", "serve"], preexec_fn=limit,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        self.addCleanup(self.end)
        line = self.server.stdout.readline()
        self.assertIn("parley listens on", line)
        self.port = int(line.split("http://127.0.0.1:")[1].split()[0])

    def end(self):
        if self.server.poll() is None:
            self.server.kill()
        self.server.wait(LIMIT)
        self.server.stdout.close()
        self.server.stderr.close()

    def connect(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        self.addCleanup(connection.close)
        connection.connect()
        return connection

    def say(self, text, connection):
        connection.request("POST", "/run", json.dumps({"id": "test", "text": text}))
        return json.load(connection.getresponse())

    def hear(self, words):
        """Reads what the server says on stderr until those words have come."""
        said = ""
        while words not in said:
            line = self.server.stderr.readline()
            self.assertTrue(line, said)
            said += line
        return said

    def test_a_full_disk_at_the_log_costs_lines_of_the_log(self):
        settings = ("logging.file=/dev/full", "plugins.directories=[stages, /nowhere]")
        command = [PROGRAM, "--config", CONFIG, *(word for one in settings for word in ("--set", one))]
        done = subprocess.run([*command, "say", "what is two plus two"], capture_output=True, text=True, timeout=LIMIT,
                              env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "4|[Ff]our")
        self.assertIn("parley: a line of the log is lost: ", done.stderr)
        self.assertIn("No space left on device", done.stderr)
        self.assertEqual(done.stderr.count("is lost"), 1)

    def test_faults_of_tasks_somebody_wrote_are_told_with_their_place(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "en").mkdir()
        head = "category: pasta\nsummary: Good.\nserves: 2\ntime: 5 min\n"
        (folder / "en" / "pie.yaml").write_text(
            "title: Pie\ndomain: cookin\n" + head + "requirements: []\nsteps:\n  - say: Bake it.\n    foo: 3\n")
        (folder / "en" / "tea.yaml").write_text(
            "title: Tea\ndomain: cooking\n" + head + "requirements:\n  - name: cup\nsteps:\n  - say: Boil it.\n    time: 9 min\n")
        (folder / "en" / "soup.yaml").write_text("title: [\n")
        def check():
            settings = f"skills.settings={{guide.parley: {{shipped_tasks: false, tasks_directories: ['{folder}']}}}}"
            done = subprocess.run([PROGRAM, "--config", CONFIG, "--set", settings, "check"], capture_output=True, text=True,
                                  timeout=LIMIT, env=environment())
            return done.returncode, [line for line in done.stdout.splitlines() if str(folder) in line]

        code, told = check()
        self.assertEqual(code, 1)
        self.assertEqual(len(told), 5, told)
        for place, what in (("pie.yaml:2:9", "'domain' is 'cookin'; expected cooking or diy"),
                            ("pie.yaml:10:5", "a step has no 'foo'"), ("tea.yaml:8:5", "no step needs 'cup'"),
                            ("tea.yaml:6:7", "its steps take 9 min, but it says 5 min"), ("soup.yaml:2:1", "")):
            self.assertTrue(any(f"/en/{place}: " in line and what in line for line in told), (place, told))
        shutil.rmtree(folder / "en")
        (folder / "en").mkdir()
        self.assertEqual(check()[1], [])

    def test_a_configuration_that_is_gone_changes_nothing(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        config = Path(folder.name) / "parley.yaml"
        shutil.copy(CONFIG, config)
        self.serve(config)
        connection = self.connect()
        config.unlink()
        self.server.send_signal(signal.SIGHUP)
        said = self.hear("everything stays as it was")
        self.assertIn(str(config), said)
        self.assertEqual(self.say("what is two plus two", connection)["status"], "answered")

    @unittest.skipIf(SANITIZED, "the sanitizer looks at types through a pipe, and there is no descriptor for one")
    def test_without_descriptors_who_is_connected_goes_on_and_others_get_in_when_some_are_free(self):
        self.serve(CONFIG, descriptors=64)
        first = self.connect()
        self.assertEqual(self.say("what is two plus two", first)["status"], "answered")
        crowd = [self.connect() for _ in range(100)]  # the system takes them; the server can't
        self.hear("a connection could not be accepted: Too many open files")
        self.assertEqual(self.say("what is two plus two", first)["status"], "answered")
        self.assertIn(self.say("what time is it in tokyo", first)["status"], ("answered", "error"))
        for connection in crowd:
            connection.close()
        late = self.connect()
        self.assertEqual(self.say("what time is it", late)["status"], "answered")


if __name__ == "__main__":
    PROGRAM, CONFIG = (str(Path(path).resolve()) for path in sys.argv[1:3])
    del sys.argv[1:]
    unittest.main()
