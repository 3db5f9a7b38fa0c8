"""A `parley serve` of its own for a test."""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LIMIT = 60  # seconds, for what takes milliseconds
_program = []


def main():
    """Runs the tests of the script: SCRIPT PARLEY CONFIG."""
    config = sys.argv.pop()
    _program[:] = [sys.argv.pop(), "--config", config]
    unittest.main(module="__main__", verbosity=2)


def program(config=None):
    """The command, up to its own options."""
    return [_program[0], "--config", str(config or _program[2])]


class Served(unittest.TestCase):
    settings = {}
    tokens = ""
    config = None  # a file; None: that of the command line

    @classmethod
    def setUpClass(cls):
        held = tempfile.TemporaryDirectory()
        cls.addClassCleanup(held.cleanup)
        cls.folder = Path(held.name)
        cls.start()
        cls.addClassCleanup(cls.end)

    @classmethod
    def start(cls, more=None):
        """Starts it, with more settings."""
        cls.environment = environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        environment["XDG_DATA_HOME"] = environment["XDG_STATE_HOME"] = str(cls.folder)
        settings = {"gateway.port": 0, "language.enabled": "[en-US]", **cls.settings, **(more or {})}
        if cls.tokens:
            file = cls.folder / "tokens.yaml"
            file.write_text(cls.tokens, encoding="utf-8")
            file.chmod(0o600)
            settings["gateway.tokens"] = file
        command = [*program(cls.config), "serve"]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        line = cls.server.stdout.readline()
        cls.port = int(re.search(r":(\d+)", line)[1])

    @classmethod
    def end(cls):
        cls.server.terminate()
        cls.server.wait(LIMIT)
        cls.server.stdout.close()

    def until(self, holds):
        """The server gets there by itself; the bound is for one that does not."""
        for _ in range(5000):
            if holds():
                return
        self.fail("it never came to that")

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        try:
            text = json.dumps(body) if isinstance(body, (dict, list)) else body
            connection.request(method, path, text, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def json(self, path, **headers):
        status, _, body = self.get(path, **headers)
        self.assertEqual(status, 200, body)
        return json.loads(body)
