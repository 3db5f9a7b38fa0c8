#!/usr/bin/env python3
"""Runs the examples against a real `parley serve`, as a stranger's client would.

Usage: examples_test.py PARLEY CONFIG
"""

import asyncio
import hashlib
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import websockets

PARLEY = CONFIG = ""
HERE = Path(__file__).parent
LIMIT = 60  # seconds, for what takes milliseconds


def first_line(process):
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{process.args[0]} ended with {process.wait(LIMIT)} before it was ready")
    return line


class Served(unittest.TestCase):
    settings = {}
    stderr = None
    config = None

    def setUp(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        environment["PARLEY_STORE__ENABLED"] = "false"
        command = [PARLEY, "--config", str(self.config or CONFIG), "--set", "gateway.port=0", "serve"]
        # Every further language is learnt at each start.
        for key, value in {"language.enabled": "[en-US]", **self.settings}.items():
            command += ["--set", f"{key}={value}"]
        self.server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.stderr, text=True, env=environment)
        self.addCleanup(self.end, self.server)
        self.http, self.core = (word for word in first_line(self.server).split() if "://" in word)

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.wait(LIMIT)
        for stream in filter(None, (process.stdout, process.stderr)):
            stream.close()

    def example(self, *command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        first_line(process)
        return process

    def get(self, path):
        with urllib.request.urlopen(self.http + path, timeout=LIMIT) as answer:
            return json.load(answer)

    def say(self, text, **more):
        body = json.dumps({"id": "test", "text": text, **more}).encode()
        with urllib.request.urlopen(self.http + "/run", body, timeout=LIMIT) as answer:
            return json.load(answer)

    async def utter(self, socket, text, session):
        data = {"utterances": [text]}
        await socket.send(json.dumps({"type": "ovos.utterance.handle", "data": data, "context": {"session": session}}))

    async def expect_stopped(self, socket, words):
        """Two turns end, in no particular order: the one that was stopped, and the one that did it."""
        heard = {}
        for _ in range(2):
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), LIMIT))
                heard[message["type"]] = message["data"]
                if message["type"] == "ovos.utterance.handled":
                    break
        self.assertIn("stopped", heard["ovos.intent.handler.error"]["exception"])
        self.assertEqual(heard["ovos.utterance.speak"]["utterance"], words)

    async def receive(self, socket, topic):
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), LIMIT))
            if message["type"] == topic:
                return message


class Shared(Served):
    """One server for all tests of a class: its start is most of what they take."""

    @classmethod
    def setUpClass(cls):
        cls.begin()

    @classmethod
    def begin(cls):
        one = Served()
        one.settings = cls.settings
        one.setUp()
        cls.addClassCleanup(one.doCleanups)
        cls.server, cls.http, cls.core = one.server, one.http, one.core

    def setUp(self):
        """Nobody of the test before is there any more."""
        latest = time.monotonic() + LIMIT
        while self.get("/v1/skills")["remote"]:
            self.assertLess(time.monotonic(), latest, "a skill of the test before is still connected")


class Server(Served):
    def test_it_is_ready_and_ends_with_0_when_told_to(self):
        self.assertEqual(self.get("/health"), {"status": "ready"})
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(LIMIT), 0)

    def test_a_client_is_told_goodbye(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                self.server.send_signal(signal.SIGINT)
                with self.assertRaises(websockets.ConnectionClosed) as closed:
                    while True:
                        await asyncio.wait_for(socket.recv(), LIMIT)
                self.assertEqual(closed.exception.rcvd.code, 1001)

        asyncio.run(run())
        self.assertEqual(self.server.wait(LIMIT), 0)

    def test_a_third_party_client_holds_a_conversation(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                session = {"session_id": "client"}
                for text in ("what time is it in tokyo", "what day is it"):
                    await self.utter(socket, text, session)
                    spoken = await self.receive(socket, "ovos.utterance.speak")
                    self.assertTrue(spoken["data"]["utterance"])
                    handled = await self.receive(socket, "ovos.utterance.handled")
                    session = handled["context"]["session"]
                    self.assertEqual(session["active_handlers"][0]["skill_id"], "date_time.parley")

        asyncio.run(run())

    def test_what_is_wrong_is_400(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.say("")
        with refused.exception as answer:
            self.assertEqual(answer.code, 400)
            self.assertEqual(json.load(answer)["error"]["code"], "bad_request")

    def test_an_address_for_everybody_is_refused(self):
        command = [PARLEY, "--config", CONFIG, "--set", "gateway.port=0", "--set", "gateway.listen=0.0.0.0", "serve"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 2)
        self.assertIn("gateway.listen", done.stderr)


class Evidence(Served):
    def test_the_contract_holds(self):
        done = subprocess.run([str(HERE / "evidence.sh"), self.http], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual((done.stdout, done.stderr), ("the contract holds\n", ""))
        self.assertEqual(done.returncode, 0)


class PythonSkill(Shared):
    def setUp(self):
        super().setUp()
        self.skill = self.example(sys.executable, str(HERE / "remote_skill.py"), "--url", self.core)

    def test_it_answers_what_it_registered(self):
        turn = self.say("roll two dice")
        self.assertEqual(turn["status"], "answered")
        self.assertEqual(turn["source"]["skill_id"], "dice.example")
        self.assertRegex(turn["speech_text"], r"^You rolled [1-6] and [1-6]\.$")

    def test_it_asks(self):
        turn = self.say("roll some dice")
        self.assertEqual((turn["speech_text"], turn["listen"]), ("How many dice?", True))
        self.assertRegex(self.say("two", session=turn["session"])["speech_text"], r"^You rolled [1-6] and [1-6]\.$")

    def test_it_takes_a_fallback(self):
        turn = self.say("do I have any luck")
        self.assertEqual(turn["source"], {"pipeline_id": "fallback", "skill_id": "dice.example", "intent_name": "fallback"})
        self.assertEqual(turn["speech_text"], "Luck is when preparation meets the dice.")

    def test_it_answers_a_question_of_fact(self):
        turn = self.say("how many sides does a die have?")
        source = {"pipeline_id": "common_query", "skill_id": "common_query", "intent_name": "common_query"}
        self.assertEqual(turn["source"], source)
        self.assertEqual(turn["speech_text"], "A die has six sides.")

    def test_it_is_stopped_in_the_middle_of_what_it_does(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "play dice", {"session_id": "player"})
                spoken = await self.receive(socket, "ovos.utterance.speak")
                self.assertEqual(spoken["data"]["utterance"], "I roll until you stop me.")
                await self.utter(socket, "stop", spoken["context"]["session"])
                await self.expect_stopped(socket, "The dice rest.")

        asyncio.run(run())
        self.assertEqual(self.say("roll two dice")["status"], "answered")

    def test_what_goes_wrong_in_it_is_an_error_of_the_turn(self):
        turn = self.say("roll 7 dice")
        self.assertEqual(turn["status"], "error")
        self.assertEqual(turn["error"], "7 dice are more than this skill has")
        self.assertEqual(self.say("roll two dice")["status"], "answered")

    def test_when_it_goes_its_intents_go(self):
        async def run():
            async with websockets.connect(self.core + "?topics=ovos.skill.deregister") as socket:
                self.skill.terminate()
                gone = await self.receive(socket, "ovos.skill.deregister")
                self.assertEqual(gone["data"], {"skill_id": "dice.example"})

        asyncio.run(run())
        self.assertNotEqual(self.say("roll two dice")["source"]["skill_id"], "dice.example")
        self.assertEqual(self.get("/v1/skills")["remote"], [])


@unittest.skipUnless(shutil.which("node"), "Node is not installed")
class JavaScriptClient(Shared):
    def node(self, *arguments):
        return subprocess.run(["node", *arguments], capture_output=True, text=True, timeout=LIMIT)

    def test_it_says_what_it_is_told_to(self):
        done = self.node(str(HERE / "client.mjs"), "what time is it in tokyo", self.core)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("In Tokyo", done.stdout)

    def test_it_says_what_is_wrong(self):
        done = self.node(str(HERE / "client.mjs"), "hello", "ws://127.0.0.1:1/core")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no connection", done.stderr)

    def test_it_holds_a_conversation(self):
        script = f"""
            import {{ Client }} from {json.dumps((HERE / "client.mjs").as_uri())};
            const client = await Client.connect({json.dumps(self.core)}, "browser");
            const turns = [await client.say("what time is it in tokyo"), await client.say("flurb", "en-US")];
            console.log(JSON.stringify({{ turns, session: client.session }}));
            client.close();
        """
        done = self.node("--input-type=module", "-e", script)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        self.assertEqual([turn["status"] for turn in told["turns"]], ["answered", "answered"])
        self.assertEqual(told["session"]["session_id"], "browser")
        skills = {handler["skill_id"] for handler in told["session"]["active_handlers"]}
        self.assertEqual(skills, {"date_time.parley", "unknown.parley"})


@unittest.skipUnless(shutil.which("node"), "Node is not installed")
class JavaScriptSkill(Shared):
    def setUp(self):
        super().setUp()
        self.skill = self.example("node", str(HERE / "remote_skill.mjs"), self.core)

    def test_it_answers_what_it_registered(self):
        self.assertIn(self.say("toss a coin")["speech_text"], ("Heads.", "Tails."))

    def test_it_asks(self):
        turn = self.say("bet on a coin")
        self.assertEqual((turn["speech_text"], turn["listen"]), ("Heads or tails?", True))
        self.assertIn(self.say("tails", session=turn["session"])["speech_text"], ("You won.", "You lost."))

    def test_it_answers_a_question_of_fact(self):
        turn = self.say("how many sides does a coin have?")
        self.assertEqual(turn["source"]["pipeline_id"], "common_query")
        self.assertEqual(turn["speech_text"], "A coin has two sides, and an edge.")

    def test_it_takes_a_fallback(self):
        source = self.say("what a chance that was")["source"]
        self.assertEqual((source["skill_id"], source["intent_name"]), ("coin.example", "fallback"))

    def test_it_is_stopped_in_the_middle_of_what_it_does(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "spin a coin", {"session_id": "player"})
                spoken = await self.receive(socket, "ovos.utterance.speak")
                await self.utter(socket, "stop", spoken["context"]["session"])
                await self.expect_stopped(socket, "It fell over.")

        asyncio.run(run())


class Older(Served):
    """A client of before the OVOS specifications."""

    settings = {"gateway.compat": "ovos"}

    def test_it_holds_a_conversation_under_the_names_it_knows(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                session = {"session_id": "older"}
                for text in ("what time is it in tokyo", "what day is it"):
                    data = {"utterances": [text], "lang": "en-us"}
                    message = {"type": "recognizer_loop:utterance", "data": data, "context": {"session": session}}
                    await socket.send(json.dumps(message))
                    spoken = await self.receive(socket, "speak")
                    self.assertTrue(spoken["data"]["utterance"])
                    ended = await self.receive(socket, "mycroft.skill.handler.complete")
                    session = ended["context"]["session"]

        asyncio.run(run())


class Reloaded(Served):
    """SIGHUP: the configuration is read again, and nobody is dropped."""

    stderr = subprocess.PIPE

    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.config = Path(held.name) / "parley.yaml"
        self.config.write_text("workers: 2\n")
        super().setUp()

    def reload(self, text):
        """Writes another configuration and gives what the program says to it."""
        self.config.write_text(text)
        self.server.send_signal(signal.SIGHUP)
        said = [self.server.stderr.readline()]
        while "was taken over" not in said[-1] and "were read again" not in said[-1]:
            self.assertTrue(said[-1], said)
            said.append(self.server.stderr.readline())
        return "".join(said)

    def test_what_can_change_does_and_what_can_not_is_named(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "what day is it", {"session_id": "s"})
                dispatch = await self.receive(socket, "ovos.intent.matched")
                self.assertEqual(dispatch["data"]["skill_id"], "date_time.parley")
                said = self.reload("workers: 3\nblacklisted_skills: [date_time.parley]\n")
                self.assertIn("with the next start only: workers\n", said)
                await self.utter(socket, "what day is it", {"session_id": "s"})
                dispatch = await self.receive(socket, "ovos.intent.matched")
                self.assertNotEqual(dispatch["data"]["skill_id"], "date_time.parley")

        asyncio.run(run())

    def test_what_is_wrong_is_told_and_changes_nothing(self):
        said = self.reload("blacklisted_skills: [date_time.parley]\npipelin: []\n")
        self.assertIn(":2:1: unknown key 'pipelin'; did you mean 'pipeline'?", said)
        self.assertEqual(self.say("what day is it")["source"]["skill_id"], "date_time.parley")


class Secured(Served):
    """An address for everybody needs tokens; TLS keeps them from others."""

    TOKEN = "correct horse"

    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        digest = hashlib.sha256(self.TOKEN.encode()).hexdigest()
        (self.folder / "tokens.yaml").write_text(f"clients: {{phone: {{token_sha256: {digest}}}}}\n")
        names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
        files = ["-keyout", self.folder / "key.pem", "-out", self.folder / "certificate.pem"]
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *files]
        subprocess.run(make, check=True, capture_output=True)
        self.settings = {
            "gateway.listen": "0.0.0.0",
            "gateway.tokens": self.folder / "tokens.yaml",
            "gateway.certificate": self.folder / "certificate.pem",
            "gateway.private_key": self.folder / "key.pem",
        }
        super().setUp()
        self.trust = ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))
        self.http, self.core = (url.replace("0.0.0.0", "127.0.0.1") for url in (self.http, self.core))

    def test_a_client_with_a_token_talks_over_tls(self):
        async def run():
            headers = {"Authorization": f"Bearer {self.TOKEN}"}
            async with websockets.connect(self.core, ssl=self.trust, extra_headers=headers) as socket:
                message = {"type": "ovos.utterance.handle", "data": {"utterances": ["what day is it"]}, "context": {}}
                await socket.send(json.dumps(message))
                spoken = await self.receive(socket, "ovos.utterance.speak")
                self.assertTrue(spoken["data"]["utterance"])
                large = {"type": "test.large", "data": {"text": "x" * 500_000}, "context": {}}
                await socket.send(json.dumps(large))
                back = await self.receive(socket, "test.large")
                self.assertEqual(back["data"], large["data"])

        self.assertTrue(self.core.startswith("wss://"))
        asyncio.run(run())

    def test_who_has_none_is_refused_and_who_does_not_trust_gets_nowhere(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(self.http + "/v1/skills", timeout=LIMIT, context=self.trust)
        with refused.exception as answer:
            self.assertEqual(answer.code, 401)
        with self.assertRaises(urllib.error.URLError):
            urllib.request.urlopen(self.http + "/health", timeout=LIMIT)


if __name__ == "__main__":
    PARLEY, CONFIG = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
