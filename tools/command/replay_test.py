#!/usr/bin/env python3
"""Tests of `parley replay`: what was said is played again, and what is answered is compared.

Usage: replay_test.py PROGRAM CONFIG, with the configuration that comes along.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = CONFIG = ""
LIMIT = 240  # seconds, for what takes two
# What nobody talks to here takes long to load in a build that checks everything; and a slow machine is no finding.
SETTINGS = ("language.enabled=[en-US]", "logging.level=error",
            "skills.disabled=[countries.parley, dictionary.parley, guide.parley, lists.parley, reminder.parley, memory.parley, faq.parley]")


class Replay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Whoever talks here has learnt what is registered: an utterance does not wait for that for ever."""
        held = tempfile.TemporaryDirectory()
        cls.addClassCleanup(held.cleanup)
        cls.cache = held.name
        command = [PROGRAM, "--config", CONFIG, *(word for one in SETTINGS for word in ("--set", one)), "script"]
        subprocess.run(command, input="> would you tell me the time please\n", timeout=LIMIT, text=True, check=True,
                       capture_output=True, env={**os.environ, "XDG_CACHE_HOME": cls.cache})

    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("PARLEY_")}
        self.environment["XDG_DATA_HOME"] = str(self.folder / "data")
        self.environment["XDG_CACHE_HOME"] = self.cache

    def run_parley(self, *arguments, stdin=""):
        command = [PROGRAM, "--config", CONFIG, *(word for one in SETTINGS for word in ("--set", one)), *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=LIMIT, env=self.environment, text=True)
        return done.returncode, done.stdout, done.stderr

    def chat(self, *lines):
        code, _, err = self.run_parley("chat", "--session", "kitchen", stdin="".join(line + "\n" for line in lines))
        self.assertEqual(code, 0, err)

    def turns(self):
        return [json.loads(line) for line in self.run_parley("log", "--session", "kitchen", "--json")[1].splitlines()]

    def file_of(self, turns):
        file = self.folder / "turns.jsonl"
        file.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
        return str(file)

    def test_a_session_is_answered_as_it_was_with_its_phrases_and_its_chance(self):
        self.chat("set a ten minute pasta timer", "cancel the pasta timer", "what is two plus two",
                  "let's play the number game", "fifty", "I give up", "thank you")
        before = {file: hashlib.sha256(file.read_bytes()).digest() for file in (self.folder / "data").rglob("*.db")}
        self.assertEqual(len(before), 1)
        code, out, err = self.run_parley("replay", "--session", "kitchen")
        self.assertEqual((code, err), (0, ""), out + err)
        self.assertIn("7 turns: the same as then", out)
        self.assertIn("> set a ten minute pasta timer\n  < ", out)
        after = {file: hashlib.sha256(file.read_bytes()).digest() for file in (self.folder / "data").rglob("*.db")}
        self.assertEqual(before, after)

    def test_the_clock_is_what_it_was_when_the_handler_began(self):
        turns = [{"time": "2026-03-01T12:00:00Z", "started": "2026-03-01T12:00:02.500Z", "session_id": "kitchen", "lang": "en-US",
                  "said": "set a ten minute pasta timer", "answers": [{"text": "10 minutes for pasta, starting now."}]},
                 {"time": "2026-03-01T12:04:02.600Z", "session_id": "kitchen", "lang": "en-US",
                  "said": "how long is left on the pasta timer", "answers": [{"text": "Your pasta timer has 6 minutes left."}]}]
        code, out, err = self.run_parley("replay", self.file_of(turns))
        self.assertEqual((code, err), (0, ""), out + err)
        del turns[0]["started"]  # of a turn that an older version kept
        code, out, _ = self.run_parley("replay", self.file_of(turns))
        self.assertEqual(code, 1)
        self.assertIn("now  Your pasta timer has 5 minutes and 58 seconds left.", out)

    def test_a_file_is_compared_and_what_differs_is_shown_beside_what_was_said_then(self):
        self.chat("set a ten minute pasta timer", "cancel the pasta timer")
        turns = self.turns()
        self.assertGreaterEqual(turns[0]["started"], turns[0]["time"])
        self.assertEqual(self.run_parley("replay", self.file_of(turns))[0], 0)
        turns[0]["answers"][0]["text"] = "Zebrafinch."
        code, out, _ = self.run_parley("replay", self.file_of(turns))
        self.assertEqual(code, 1)
        self.assertIn("  then Zebrafinch.\n  now  ", out)
        self.assertIn("1 of 2 turns answered differently than then", out)
        lines = [json.loads(line) for line in self.run_parley("replay", "--json", self.file_of(turns))[1].splitlines()]
        self.assertEqual([line["differs"] for line in lines], [True, False])
        self.assertEqual(lines[0]["then"], ["Zebrafinch."])
        transcript = self.folder / "transcript.json"
        transcript.write_text(self.run_parley("transcript", "kitchen", "--json")[1])
        self.assertIn("2 turns: the same", self.run_parley("replay", str(transcript))[1])

    def test_a_timer_that_rang_rings_again(self):
        said = {"time": "2026-03-01T12:00:00Z", "session_id": "kitchen", "lang": "en-US", "said": "set a one minute egg timer",
                "answers": [{"text": text} for text in ["egg timer set: 1 minute.", "egg: time is up!", "egg: time is up!"]]}
        stop = {"time": "2026-03-01T12:01:15Z", "session_id": "kitchen", "lang": "en-US", "said": "stop", "answers": []}
        code, out, _ = self.run_parley("replay", self.file_of([said, stop]))
        self.assertEqual(code, 0, out)
        self.assertEqual(self.run_parley("replay", self.file_of([said]))[0], 0)

    def test_one_turn_is_compared_after_what_was_said_before_it(self):
        self.chat("set a ten minute pasta timer", "cancel the pasta timer", "what is two plus two")
        turn = self.turns()[1]
        code, out, _ = self.run_parley("replay", "--turn", turn["utterance_id"])
        self.assertEqual(code, 0, out)
        self.assertIn("pasta", out)
        self.assertIn("1 turn: the same as then", out)
        self.assertNotIn("two plus two", out)

    def test_what_can_not_be_replayed_is_named(self):
        self.assertEqual(self.run_parley("replay")[0], 2)
        self.assertIn("one of: --session ID, --turn ID, or a FILE", self.run_parley("replay")[2])
        code, _, err = self.run_parley("replay", self.file_of([{"said": "hello"}, {"hello": 1}]))
        self.assertEqual(code, 2)
        self.assertIn("turns.jsonl:2: this is no turn", err)
        self.chat("hello")
        self.assertIn("there is no such turn", self.run_parley("replay", "--turn", "nobody")[2])


if __name__ == "__main__":
    CONFIG = sys.argv.pop(2)
    PROGRAM = sys.argv.pop(1)
    unittest.main()
