#!/usr/bin/env python3
"""Tests of the commands that ask what was kept, of the file and of a running server.

Usage: history_test.py PROGRAM.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

PROGRAM = ""
EMPTY = "pipeline: []\nstages: {}\nskills: { shipped: false }\nplugins: { shipped: false }\ngateway: { port: 0 }\n"
LIMIT = 120  # seconds; milliseconds but where all shipped skills start, under a sanitizer with others beside it


class History(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        self.config = self.folder / "parley.yaml"
        self.config.write_text(EMPTY)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("PARLEY_")}
        self.environment["XDG_DATA_HOME"] = str(self.folder / "data")

    def run_parley(self, *arguments, stdin=b""):
        command = [PROGRAM, "--config", str(self.config), *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=LIMIT, env=self.environment)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def serve(self):
        server = subprocess.Popen([PROGRAM, "--config", str(self.config), "serve"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, env=self.environment)

        def end():
            server.send_signal(signal.SIGTERM)
            server.wait(LIMIT)
            server.stdout.close()

        self.addCleanup(end)
        line = server.stdout.readline()
        self.assertIn("parley listens on", line)
        self.http = next(word for word in line.split() if word.startswith("http://"))

    def say(self, session, text):
        body = json.dumps({"id": session, "text": text}).encode()
        with urllib.request.urlopen(self.http + "/run", body, timeout=LIMIT) as answer:
            return json.load(answer)

    def until(self, part, *arguments):
        """What is written behind comes a little later."""
        until = time.monotonic() + LIMIT
        while True:
            code, out, err = self.run_parley(*arguments)
            if part in out:
                return out
            self.assertLess(time.monotonic(), until, f"{part!r} never came: {code} {out} {err}")

    def test_sessions_are_listed_from_the_file(self):
        self.run_parley("chat", "--session", "kitchen", stdin=b"flurb\ngrommet\n")
        code, out, _ = self.run_parley("sessions", "--json")
        self.assertEqual(code, 0)
        session = json.loads(out)
        self.assertEqual((session["id"], session["state"], session["owner"], session["turns"]), ("kitchen", "open", "local", 2))
        self.assertIn("kitchen", self.run_parley("sessions", "--state", "open")[1])
        self.assertEqual(self.run_parley("sessions", "--state", "closed")[1], "there was no session\n")
        self.assertEqual(self.run_parley("sessions", "--owner", "anna")[1], "there was no session\n")

    def test_a_running_server_tells_the_same_and_forgets(self):
        self.serve()
        asked = ("--server", self.http)
        self.say("hall", "flurb")
        self.say("attic", "zebrafinch")
        self.until("zebrafinch", "log", *asked)
        self.assertEqual([json.loads(line)["said"] for line in self.run_parley("log", "--json", *asked)[1].splitlines()],
                         ["flurb", "zebrafinch"])
        self.assertEqual(self.run_parley("log", "--json", *asked)[1], self.run_parley("log", "--json")[1])
        self.assertIn("zebrafinch", self.run_parley("log", "--unmatched", *asked)[1])
        self.assertIn("> flurb\n", self.run_parley("transcript", "hall", *asked)[1])
        self.assertIn("\n> flurb\n", self.run_parley("transcript", "hall", "--script", *asked)[1])
        self.assertEqual(self.run_parley("transcript", "cellar", *asked)[0], 1)
        self.assertEqual({json.loads(line)["id"] for line in self.run_parley("sessions", "--json", *asked)[1].splitlines()},
                         {"hall", "attic"})
        self.assertIn("in use", self.run_parley("forget", "--session", "attic")[2])
        code, out, _ = self.run_parley("forget", "--session", "attic", *asked)
        self.assertEqual(code, 0)
        self.assertIn("forgotten: 1 turns", out)
        held = b"".join(path.read_bytes() for path in (self.folder / "data").rglob("*") if path.is_file())
        self.assertNotIn(b"zebrafinch", held)
        self.assertIn(b"flurb", held)

    def test_a_server_that_is_not_there_or_refuses_is_named(self):
        code, _, err = self.run_parley("log", "--server", "http://127.0.0.1:9")
        self.assertEqual(code, 2)
        self.assertIn("is `parley serve` running there?", err)
        self.serve()
        code, _, err = self.run_parley("log", "--limit", "5", "--outcome", "asked", "--server", self.http + "/nothing")
        self.assertEqual(code, 2)
        self.assertIn("404", err)
        self.assertIn("there is nothing at", err)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
