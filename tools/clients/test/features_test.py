#!/usr/bin/env python3
"""Runs a skill that uses all of a client library against a real `parley serve`: once in each language.

Usage: features_test.py PARLEY CONFIG
"""

import asyncio
import hashlib
import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import websockets

from served import HERE, LIMIT, PAGE, SKILL, Program, Served, main


class Features:
    def test_an_intent_gets_its_slots_and_answers_with_any_phrase_of_a_dialog(self):
        heard = {self.spoken("please greet anna") for _ in range(100)}
        self.assertEqual(heard, {"Hello anna.", "Hi anna."})
        self.expect("add one to 41", "That is 42.")
        self.expect("add one to itself", "That is 1.")

    def test_it_speaks_the_language_it_is_spoken_to_or_the_session_wants(self):
        self.expect("bitte grüße anna", "Hallo anna.", lang="de-DE")
        turn = self.say("please greet anna", id="other", session={"session_id": "other", "output_lang": "de-AT"})
        self.assertEqual(turn["speech"], [{"utterance": "Hallo anna.", "lang": "de-DE"}])

    def test_keywords(self):
        self.expect("glow lamp on", "everywhere: on.")
        self.expect("kitchen glow light off", "kitchen: off.")
        self.assertNotEqual(self.say("broken glow lamp on")["source"]["skill_id"], SKILL)

    def test_a_handler_that_throws_ends_its_turn_alone(self):
        turn = self.say("please fail")
        self.assertEqual((turn["status"], turn["error"]), ("error", "out of tea"))
        self.assertIn("out of tea", self.skill.told("out of tea"))  # its author sees it, too
        self.assertEqual(self.say("forget a slot")["error"], "the dialog 'hello' needs a value for name")
        self.expect("add one to 1", "That is 2.")

    def test_a_handler_that_never_ends_is_cancelled_and_others_go_on_meanwhile(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "wait for ever", {"session_id": "waiting"})
                waiting = await self.receive(socket, "ovos.utterance.speak")
                await asyncio.to_thread(self.expect, "add one to 1", "That is 2.")
                await self.utter(socket, "stop", waiting["context"]["session"])
                error = await self.receive(socket, "ovos.intent.handler.error")
                self.assertIn("stopped", error["data"]["exception"])

        asyncio.run(run())
        self.expect("how many were cancelled", "1.")

    def test_a_question_is_answered(self):
        for session in (self.id(), "default"):
            turn = self.say("ask a size", id=session)
            self.assertEqual((turn["speech_text"], turn["listen"]), ("Which size?", True))
            turn = self.expect("large", "Size large.", id=session)
            self.assertFalse(turn["listen"])
            self.assertNotEqual(self.say("large", id=session)["source"]["skill_id"], SKILL)  # nothing is open any more

    def test_a_question_is_on_the_wire_what_the_page_shows(self):
        shown = re.findall(r"^(skill|parley)  +(\S+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
        shown = [(who, topic.replace("kettle.example", SKILL)) for who, topic in shown]
        self.assertEqual(len(shown), 6)
        before = len(self.between.messages)
        self.say("ask a number")
        self.expect("5", "Number 5.")
        heard = [("skill" if sent else "parley", message["type"]) for sent, message in self.between.messages[before:]]
        self.assertEqual([one for one in heard if one in shown], shown)

    def test_a_question_is_taken_back(self):
        self.say("ask a size")
        self.expect("never mind", "Ended: cancelled.")

    def test_what_is_no_answer_is_asked_again(self):
        self.assertEqual(self.spoken("ask a number"), "How many?")
        self.assertEqual(self.spoken("five million squirrels"), "How many?")
        self.expect("5", "Number 5.")
        self.say("ask a number")
        self.say("five million squirrels")
        self.expect("six million squirrels", "Ended: not_understood.")

    def test_asked_in_the_middle_of_something_else_the_answer_is_a_new_command(self):
        for question, answer, end in (("ask a number", "5", "Number 5."), ("ask a size", "large", "Size large.")):
            turn = self.say(question)
            turn = self.say("what time is it in Tokyo")
            self.assertEqual(turn["source"]["skill_id"], "date_time.parley")
            self.expect(answer, end)

    def test_a_question_that_nobody_answers_ends_in_silence(self):
        async def run():
            async with websockets.connect(self.core + "?topics=ovos.utterance.speak,ovos.utterance.handled") as socket:
                await self.utter(socket, "ask in a hurry", {"session_id": "hurry"})
                for words in ("Which size?", "Say a size.", "Ended: silence."):
                    self.assertEqual((await self.receive(socket, "ovos.utterance.speak"))["data"]["utterance"], words)
                session = (await self.receive(socket, "ovos.utterance.handled"))["context"]["session"]
                self.assertEqual(session.get("response_mode", {"expires_at": 0})["expires_at"], 0)

        asyncio.run(run())

    def test_another_question_in_the_session_takes_the_place_of_the_first(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "ask a number", {"session_id": "twice"})
                session = (await self.receive(socket, "ovos.utterance.speak"))["context"]["session"]
                await self.utter(socket, "ask a size", session)
                heard = [(await self.receive(socket, "ovos.utterance.speak"))["data"]["utterance"] for _ in range(2)]
                self.assertEqual(set(heard), {"Which size?", "Ended: replaced."})

        asyncio.run(run())

    def test_a_question_whose_turn_is_stopped_is_withdrawn(self):
        turn = self.say("ask a size")
        turn = self.say("stop")
        self.assertNotIn("response_mode", turn["session"])
        self.assertNotEqual(self.say("large")["source"]["skill_id"], SKILL)

    def test_yes_no_and_neither(self):
        for answer, end, lang in (
                ("yes please", "Fine.", "en-US"), ("no thanks", "False: answered.", "en-US"),
                ("never mind", "None: cancelled.", "en-US"),
                ("na klar", "Gut.", "de-DE"), ("Nein.", "False: answered.", "de-DE")):
            self.say("frag ob ich sicher bin" if lang == "de-DE" else "ask for certainty", lang=lang)
            self.expect(answer, end, lang=lang)

    def test_it_goes_on_with_a_conversation_until_that_is_done(self):
        self.expect("now talk with me", "I listen.")
        turn = self.expect("well then", "You said well then.")
        self.assertEqual(turn["source"]["intent_name"], "converse")
        self.assertNotEqual(self.say("what time is it")["source"]["skill_id"], SKILL)
        self.assertNotEqual(self.say("farewell")["source"]["skill_id"], SKILL)
        done = [pong["data"].get("error_code") for pong in self.of_skill(f"{SKILL}.converse.pong")]
        self.assertEqual(done.count("done"), 1)

    def test_fallbacks_are_asked_by_priority(self):
        turn = self.expect("early grommet", "What is a grommet?")
        self.assertEqual((turn["status"], turn["source"]["intent_name"]), ("unmatched", "fallback"))
        self.assertEqual(self.expect("the grommet thing", "The late one.")["status"], "answered")

    def test_questions_of_fact(self):
        turn = self.say("what is a flurb?")
        self.assertEqual((turn["speech_text"], turn["source"]["pipeline_id"]), ("A flurb is blue.", "common_query"))
        for text in ("who is a flurb?", "what is a broken flurb?"):
            self.assertNotIn("A flurb is blue.", self.spoken(text))

    def test_what_goes_on_outside_of_handlers_is_stopped(self):
        self.say("start ringing")
        self.expect("stop", "Quiet now.")

        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "start ringing", {"session_id": "bell"})
                await self.receive(socket, "ovos.utterance.handled")
                stop = {"type": "ovos.stop", "data": {}, "context": {"session": {"session_id": "bell"}}}
                await socket.send(json.dumps(stop))
                self.assertTrue(await self.stopped(socket))
                await socket.send(json.dumps(stop))
                self.assertFalse(await self.stopped(socket))

        asyncio.run(run())

    async def stopped(self, socket):
        """What the skill says to a stop."""
        while True:
            data = (await self.receive(socket, "ovos.stop.response"))["data"]
            if data.get("skill_id") == SKILL:
                return data["stopped"]

    def test_it_keeps_things(self):
        told = json.loads(self.spoken("keep things"))
        self.assertEqual(told, [{"cups": 2}, 7, ["cup/blue", "cup/red"], True, False, ["cup/blue"], 10, None, None, 1, None,
                                "bad_request"])
        conflicts = [message for sent, message in list(self.between.messages)
                     if not sent and message["data"].get("error", {}).get("code") == "conflict"]
        self.assertTrue(conflicts)  # they did come between each other

    def test_what_is_put_off_comes(self):
        async def run():
            async with websockets.connect(self.core + "?topics=ovos.utterance.speak") as socket:
                await self.utter(socket, "do it later", {"session_id": "tea", "lang": "en-US"})
                heard = {}
                while len(heard) < 2:
                    spoken = await self.receive(socket, "ovos.utterance.speak")
                    heard[spoken["data"]["utterance"]] = spoken["context"]["session"]["session_id"]
                self.assertEqual(heard, {"1 gone.": "tea", "tea: true.": "tea"})

        asyncio.run(run())

    def test_it_comes_back_when_the_connection_is_lost(self):
        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "wait for ever", {"session_id": "lost"})
                await self.receive(socket, "ovos.utterance.speak")
                self.between.drop()
                error = await self.receive(socket, "ovos.intent.handler.error")
                self.assertIn("was lost", error["data"]["exception"])

        asyncio.run(run())
        self.skill.told("is at")
        self.expect("how many were cancelled", "1.")

    def test_it_waits_for_a_server_that_is_not_there_yet(self):
        self.between.upstream = None
        self.between.drop()
        self.skill.told("trying again")
        self.skill.told("trying again")
        self.between.upstream = self.core
        self.skill.told("is at")
        self.expect("add one to 1", "That is 2.")

    def test_it_leaves_a_server_that_has_fallen_silent(self):
        self.skill.end()
        skill = self.start(FEATURES_ALIVE="0.3")
        skill.told("is at")
        with self.between.silent():
            skill.told("trying again")
        skill.told("is at")
        self.expect("add one to 1", "That is 2.")

    def test_a_slow_answer_holds_up_its_own_turn_alone(self):
        self.between.holds = (".storage.put.response",)

        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "remember the blue flurb", {"session_id": "slow"})
                await self.receive(socket, "ovos.intent.handler.start")
                await asyncio.to_thread(self.expect, "add one to 1", "That is 2.")
                await asyncio.to_thread(self.between.let_go)
                heard = [(await self.receive(socket, "ovos.utterance.speak"))["data"]["utterance"] for _ in range(2)]
                self.assertEqual(heard, ["That is 2.", "Kept."])

        asyncio.run(run())

    def test_more_handlers_than_it_runs_at_a_time_are_errors(self):
        before = len(self.between.messages)
        wait = {"type": f"{SKILL}:wait", "data": {"lang": "en-US", "utterance": "x", "slots": {}}}
        for turn in range(1001):
            self.between.say(json.dumps({**wait, "context": {"utterance_id": str(turn), "skill_id": SKILL}}))
        self.between.wait_for(1, "ovos.intent.handler.error", exception="1000 handlers run already")
        ended = {"type": "ovos.intent.handler.error", "data": {"exception": "stopped"}}
        for turn in range(1001):
            self.between.say(json.dumps({**ended, "context": {"utterance_id": str(turn), "skill_id": SKILL}}))
        self.expect("how many were cancelled", "1000.")
        del self.between.messages[before:]

    def test_more_requests_than_may_wait_are_refused(self):
        self.between.holds = (".storage.get.response",)

        async def run():
            async with websockets.connect(self.core) as socket:
                await self.utter(socket, "ask too much", {"session_id": "much"})
                await asyncio.to_thread(self.between.wait_for, 256, "parley.storage.get", key="much")
                await asyncio.to_thread(self.between.let_go)
                self.assertEqual((await self.receive(socket, "ovos.utterance.speak"))["data"]["utterance"], "44 refused.")

        asyncio.run(run())

    def test_what_waits_to_be_sent_has_a_bound(self):
        before = len(self.between.messages)
        turn = self.say("say a lot")
        if self.command[0] == "node":  # it can't wait where it sends: the connection is given up
            self.assertIn("was lost", turn["error"])
            self.skill.told("parley takes nothing any more")
            self.skill.told("is at")
        else:
            self.assertEqual(turn["status"], "answered")
        del self.between.messages[before:]  # what no skill says
        self.expect("add one to 1", "That is 2.")

    def test_what_it_changes_of_the_session_reaches_the_client(self):
        self.say("prefer the blue persona")
        session = self.expect("yes", "Noted.", session={**self.sessions[self.id()], "site_id": "hall"})["session"]
        self.assertEqual((session["persona_id"], session["site_id"]), ("blue", "hall"))

    def test_a_turn_that_is_kept_speaks_after_its_end(self):
        self.expect("keep this turn", "Kept.")

        async def run():
            async with websockets.connect(self.core + "?topics=ovos.utterance.speak") as socket:
                await self.utter(socket, "use the kept turn", {"session_id": "later"})
                heard = [await self.receive(socket, "ovos.utterance.speak") for _ in range(2)]
                said = {spoken["data"]["utterance"]: spoken["context"]["session"]["session_id"] for spoken in heard}
                self.assertEqual(said, {"By the way.": self.id(), "Used.": "later"})

        asyncio.run(run())

    def test_a_screen_and_options_come_along(self):
        turn = self.say("show me things")
        self.assertEqual((turn["screen"], turn["options"]), ({"title": "Things"}, [{"text": "One", "say": "the first"}]))

    def test_a_skill_that_somebody_speaks_for_already_says_so(self):
        second = self.start()
        second.told("another connection speaks for this skill")
        self.skill.process.kill()
        second.told("is at")
        self.expect("add one to 1", "That is 2.")

    def test_a_hostile_server_is_harmless(self):
        dispatch = f"{SKILL}:greet"
        hostile = [
            "", "{", "null", "[]", "7", '"x"', "{}", '{"type": 7}', '{"type": "x", "data": 7}',
            '{"type": "x", "context": []}',
            '{"type": "x", "context": {"session": 7}}', b"\x00\xff", "[" * 100_000, "1" * 100_000, "NaN",
            *(json.dumps({"type": topic, "data": data, "context": context})
              for topic in (dispatch, f"{SKILL}:response", f"{SKILL}:due", f"{SKILL}:converse", f"{SKILL}:fallback",
                            f"{SKILL}:", f"{SKILL}:nothing", f"{SKILL}:__proto__", f"{SKILL}:stop", f"{SKILL}:common_query",
                            "ovos.intent.handler.error", "ovos.stop.ping", "ovos.common_query.ping", "ovos.stop",
                            f"{SKILL}.converse.ping", f"{SKILL}.fallback.ping", "parley.storage.get.response")
              for data in ({}, {"lang": 7, "slots": 7, "utterance": [], "utterances": 7, "name": {}},
                           {"lang": "", "slots": {"name": {"__proto__": 1}}, "utterances": [7]})
              for context in ({}, {"request_id": [], "utterance_id": {}, "source": 7, "destination": [7], "skill_id": SKILL,
                                   "session": {"session_id": 7, "output_lang": 7,
                                               "converse_handlers": [7, {"skill_id": SKILL}]}})),
        ]
        told = len(self.between.messages)
        self.between.say(*hostile)
        self.expect("add one to 1", "That is 2.")
        self.assertIsNone(self.skill.process.poll())
        del self.between.messages[told:]  # answers to what parley would never say


class Bounded:
    settings = {"orchestrator.handler_timeout": "500ms"}

    def test_a_handler_is_cancelled_when_its_time_is_over(self):
        self.assertIn("timeout", self.say("wait for ever")["error"])
        self.expect("how many were cancelled", "1.")


class Restarted:
    def test_it_registers_again_and_what_it_kept_is_there(self):
        self.expect("remember the blue flurb", "Kept.")
        self.between.upstream = None
        self.server.terminate()
        self.assertEqual(self.server.wait(LIMIT), 0)
        self.skill.told("trying again")
        self.begin()
        self.between.upstream = self.core
        self.skill.told("is at")
        self.expect("which flurb was it", "It was blue.")


class Secured:
    TOKEN = "correct horse"
    headers = {"Authorization": f"Bearer {TOKEN}"}

    @classmethod
    def setUpClass(cls):
        held = tempfile.TemporaryDirectory()
        cls.addClassCleanup(held.cleanup)
        digest = hashlib.sha256(cls.TOKEN.encode()).hexdigest()
        tokens = Path(held.name) / "tokens.yaml"
        tokens.write_text(f"clients: {{kettle: {{token_sha256: {digest}}}}}\n")
        tokens.chmod(0o600)
        cls.settings = {"gateway.tokens": tokens}
        super().setUpClass()

    def start(self, **environment):
        return Program(self, self.command, {"PARLEY_URL": self.core, "PARLEY_TOKEN": self.TOKEN, **environment})

    def test_it_comes_in_with_a_token(self):
        self.expect("add one to 1", "That is 2.")

    def test_a_wrong_token_is_told_and_ends_it(self):
        for wrong in ("wrong battery", ""):
            skill = self.start(PARLEY_TOKEN=wrong)
            self.assertIn("wants a token, or another one (PARLEY_TOKEN): 401", skill.told("401"))
            self.assertNotEqual(skill.process.wait(LIMIT), 0)


class Python:
    command = [sys.executable, str(HERE / "features.py")]


@unittest.skipUnless(shutil.which("node"), "Node is not installed")
class JavaScript:
    command = ["node", str(HERE / "features.mjs")]


for language in (Python, JavaScript):
    for part in (Features, Bounded, Restarted, Secured):
        name = language.__name__ + part.__name__
        globals()[name] = type(name, (language, part, Served), {"__module__": __name__})

if __name__ == "__main__":
    main()
