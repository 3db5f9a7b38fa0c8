#!/usr/bin/env python3
"""Talks to the skill through a real `parley serve`; PARLEY in the environment says which parley."""

import json
import os
import subprocess
import sys
import unittest
import urllib.request
from pathlib import Path

PARLEY = os.environ.get("PARLEY", "parley")
HERE = Path(__file__).parent
LIMIT = 30  # seconds, for what takes milliseconds


def start(test, *command, **environment):
    """Runs a program until the test ends, and gives the line it says when it is ready."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    test.addCleanup(process.stdout.close)
    test.addCleanup(process.wait, LIMIT)
    test.addCleanup(process.terminate)
    line = process.stdout.readline()
    test.assertTrue(line, f"{command[0]} did not start")
    return line


class MySkillTest(unittest.TestCase):
    def begin(self, **environment):
        ready = start(self, PARLEY, "--set", "gateway.port=0", "--set", "store.enabled=false", "serve")
        self.http, core = (word for word in ready.split() if "://" in word)
        start(self, sys.executable, str(HERE / "my_skill.py"), "--url", core, **environment)

    def say(self, text, lang="en-US"):
        body = json.dumps({"id": "test", "text": text, "lang": lang}).encode()
        with urllib.request.urlopen(self.http + "/run", body, timeout=LIMIT) as answer:
            turn = json.load(answer)
        self.assertEqual(turn["source"]["skill_id"], "my_skill.example", turn)
        return turn["speech_text"]

    def test_it_says_hello(self):
        self.begin()
        self.assertEqual(self.say("say hello to my skill"), "Hello, this is my skill.")
        self.assertEqual(self.say("say hello to my skill from anna"), "Hello anna, this is my skill.")

    def test_it_speaks_german(self):
        self.begin()
        self.assertEqual(self.say("sag hallo zu my skill", "de-DE"), "Hallo, hier ist my skill.")

    def test_it_says_what_it_is_told_to(self):
        self.begin(GREETING="Ahoy")
        self.assertEqual(self.say("greet my skill"), "Ahoy, this is my skill.")


if __name__ == "__main__":
    unittest.main()
