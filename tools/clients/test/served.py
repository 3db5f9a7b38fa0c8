"""A `parley serve` for tests of the client libraries, and skills beside it."""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
TREE = HERE.parents[2]
sys.path[:0] = [str(TREE / "tools/examples"), str(TREE / "tools/packaging")]
import examples_test  # noqa: E402
import recorder  # noqa: E402
import table  # noqa: E402

LIMIT = examples_test.LIMIT
PAGE = TREE / "docs/remote_skills.md"
SKILL = "features.test"


class Program:
    """A program whose words are waited for."""

    def __init__(self, test, command, environment=None):
        self.lines = queue.Queue()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})})
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        test.addCleanup(self.end)

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def told(self, part):
        """Waits for a line with `part` in it; everything up to there."""
        said = []
        while True:
            said.append(self.lines.get(timeout=LIMIT))
            if said[-1] is None:
                raise AssertionError(f"it ended without '{part}': {said[:-1]}")
            if part in said[-1]:
                return "".join(said)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        self.process.stdout.close()


class Stored(examples_test.Shared):
    """A server that keeps sessions, and what skills have it keep."""

    headers = {}

    @classmethod
    def setUpClass(cls):
        held = tempfile.TemporaryDirectory()
        cls.addClassCleanup(held.cleanup)
        cls.folder = Path(held.name)
        # One of the skills that come along, to go to in between: the start of each is a good part of these tests.
        clock = Path(examples_test.PARLEY).resolve().parents[1] / "lib/parley/skills/date_time"
        cls.settings = {
            "language.enabled": "[en-US, de-DE]", "skills.shipped": "false", "skills.directories": f"[{clock}]",
            "store.enabled": "true", "store.path": cls.folder / "parley.db", **cls.settings,
        }
        cls.begin()

    def setUp(self):
        self.sessions = {}

    def say(self, text, **more):
        """As a client that keeps its session."""
        name = more.pop("id", self.id())
        if name in self.sessions:
            more.setdefault("session", self.sessions[name])
        body = json.dumps({"id": name, "text": text, **more}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.http + "/run", body, self.headers), timeout=LIMIT) as answer:
            turn = json.load(answer)
        self.sessions[name] = turn["session"]
        return turn

    def spoken(self, text, **more):
        return self.say(text, **more)["speech_text"]

    def expect(self, text, answer, **more):
        """Says something; the skill must be what answers."""
        turn = self.say(text, **more)
        self.assertEqual((turn["speech_text"], turn["source"]["skill_id"]), (answer, SKILL), turn)
        return turn


class Served(Stored):
    """Before it a recorder, and the skill of `command` connected to that; a new one of each for every test."""

    def setUp(self):
        super().setUp()
        self.between = recorder.Recorder(self.core)
        self.addCleanup(self.between.close)
        self.skill = self.start()
        self.skill.told("is at")

    def start(self, **environment):
        return Program(self, self.command, {"PARLEY_URL": self.between.url, **environment})

    def tearDown(self):
        """Whatever a test made them say is as the table says."""
        topics = table.read(PAGE)
        intents = {message["data"]["intent_name"] for sent, message in list(self.between.messages)
                   if sent and message["type"].startswith("ovos.intent.register.")}
        found = {fault for sent, message in list(self.between.messages)
                 for fault in table.faults(topics, sent, message, SKILL, intents)}
        self.assertEqual(found, set())

    def of_skill(self, topic):
        return [message for sent, message in list(self.between.messages) if sent and message["type"] == topic]


def main():
    """Runs the tests of the program, with the server that its first arguments name."""
    examples_test.PARLEY, examples_test.CONFIG = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
