#!/usr/bin/env python3
"""Several instances as one, with real servers and real processes, and what becomes of turns when some of them fail.

Usage: cluster_test.py [Cluster|Minute] PARLEY CONFIG CLOCK_OFFSET (the library of clock_offset.cpp)
PARLEY_CLUSTER_SEED in the environment: where the random faults begin; PARLEY_CLUSTER_SECONDS: how long they go on.
"""

import asyncio
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from instances import LIMIT, Client, Instance, Nats, Skill, Tap, Way, environment, faults_of  # noqa: E402

PROGRAM = CONFIG = CLOCK_OFFSET = ""


class WithInstances(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        self.folder = Path(folder)
        self.nats = Nats(self.folder)
        self.addCleanup(self.nats.kill)
        self.clients = []
        self.count = self.sessions = self.probes = 0

    def instances(self, number):
        """They come together; each is ready."""
        started = [self.instance() for _ in range(number)]
        for one in started:
            one.wait_ready()
        return started

    def instance(self, more=None, url=None, clock=0):
        """@param clock: seconds that it believes it is later than it is"""
        self.count += 1
        wrong = {"LD_PRELOAD": CLOCK_OFFSET, "PARLEY_TEST_CLOCK_OFFSET": str(clock)} if clock else None
        one = Instance(PROGRAM, CONFIG, self.folder, url or self.nats.url, f"i{self.count}", more, wrong)
        self.addCleanup(one.end)
        return one

    async def client(self, instance, query=""):
        client = await Client(instance, query).open()
        self.clients.append(client)
        return client

    async def skill(self, instance, everywhere):
        """Every instance has learnt what is said to it."""
        skill = await Skill(instance).open()
        client = await self.client(instance)
        for one in everywhere:
            session = f"probe-{one.name}" if len(everywhere) == 1 else await self.session_at(client, instance, one)
            await self.turn_until_answered(client, session, one)
        return skill

    async def turn_until_answered(self, client, session, instance):
        for _ in range(500):
            self.probes += 1
            turn = f"probe-{self.probes}"
            await client.turn("go on", session, turn)
            if client.of("ovos.utterance.speak", turn):
                return
        self.fail(instance.log())

    async def session_at(self, client, here, host):
        """A session that the instance owns, as a client of another one, or of the same, sees it."""
        for _ in range(1000):
            self.sessions += 1
            session = f"session-{self.sessions}"
            forwarded, hosted = here.count("forwarded"), host.count("hosted")
            await client.turn("nobody knows that", session, f"turn-{session}")
            if (here.count("forwarded") == forwarded) if here is host else (host.count("hosted") > hosted):
                return session
        return self.fail("every session is owned elsewhere")

    def check(self):
        self.assertEqual(faults_of(self.clients), [])


class Cluster(WithInstances):
    async def test_a_turn_runs_at_the_owner_and_both_clients_hear_it_once(self):
        one, two = self.instances(2)
        skill = await self.skill(one, [one, two])
        here, there = await self.client(one), await self.client(two)
        session = await self.session_at(here, one, two)
        await here.turn("go home", session, "a")
        await there.hears("ovos.utterance.handled", "a")
        for client in (here, there):
            self.assertEqual(len(client.of("ovos.utterance.handle", "a")), 1)
            self.assertEqual([one["data"]["utterance"] for one in client.of("ovos.utterance.speak", "a")], ["you said go home"])
            self.assertEqual(len(client.of("ovos.utterance.handled", "a")), 1)
        self.assertEqual(len(skill.of("echo.test:go", "a")), 1)
        status, text = await asyncio.to_thread(one.ask, "POST", "/run", {"id": session, "text": "go by HTTP"})
        self.assertEqual(status, 200, text)
        self.assertIn("you said go by HTTP", text)
        self.check()

    async def test_an_instance_killed_in_a_turn_ends_it_where_it_was_said(self):
        one, two = self.instances(2)
        skill = await self.skill(one, [one, two])
        client = await self.client(one)
        session = await self.session_at(client, one, two)
        await client.say("hold the line", session, "held")
        await client.hears("ovos.intent.handler.start", "held")
        two.kill()
        began = time.monotonic()
        error = await client.hears("ovos.intent.handler.error", "held")
        await client.hears("ovos.utterance.handled", "held")
        self.assertIn("is gone", error["data"]["exception"])
        self.assertLess(time.monotonic() - began, LIMIT)
        await client.turn("go on", session, "afterwards")
        self.assertEqual(len(client.of("ovos.utterance.speak", "afterwards")), 1)
        self.assertTrue(skill.is_open)
        self.check()

    async def test_what_lasts_outlives_its_instance(self):
        one, two = self.instances(2)
        client = await self.client(one)
        forwarded = one.count("forwarded")
        await client.say("nobody knows that", "default", "whose")
        await client.hears("ovos.utterance.handled", "whose")
        gone, stays = (two, one) if one.count("forwarded") > forwarded else (one, two)
        keeper, survivor = await Skill(gone, "notes.test").open(), await Skill(stays).open()
        session = await self.session_at(await self.client(stays), stays, gone)

        put = await keeper.ask("storage.put", {"key": "milk", "value": {"litres": 2}})
        refused = await keeper.ask("storage.put", {"key": "milk", "value": 3, "expect_version": put["version"] + 100})
        self.assertEqual(refused["error"]["code"], "conflict")
        self.assertEqual(refused["version"], put["version"])
        for at, name in ((time.time() + 0.2, "early"), (time.time() + 1.5, "late")):
            self.assertEqual(await survivor.ask("schedule.add", {"id": name, "name": name, "at": at}, session), {"id": name})
        await survivor.wait_for("what is due", lambda: survivor.due)
        until = time.monotonic() + LIMIT
        while len((await survivor.ask("schedule.list", {}, session))["scheduled"]) > 1:  # that it was told is being written down
            self.assertLess(time.monotonic(), until, stays.log())
        speaker, tap = await self.client(gone), await Tap(self.nats, "$KV.parley_home_state.>").open()
        await speaker.send("ovos.utterance.handle", {"utterances": ["nobody knows that"]},
                           {"session": {"session_id": "default", "persona_id": "known"}, "utterance_id": "persona"})
        await speaker.hears("ovos.utterance.handled", "persona")
        await tap.hears(b'"persona_id":"known"')
        tap.close()
        gone.kill()

        await survivor.wait_for("what was to come at the instance that is gone", lambda: len(survivor.due) > 1)
        self.assertEqual([one["name"] for one in survivor.due], ["early", "late"])
        self.assertGreater(survivor.due[1]["late_ms"], 500)
        again = await Skill(stays, "notes.test").open()
        found = await again.ask("storage.get", {"key": "milk"})
        self.assertEqual(found, {"value": {"litres": 2}, "version": put["version"]})
        changed = await again.ask("storage.put", {"key": "milk", "value": 1, "expect_version": put["version"]})
        self.assertGreater(changed["version"], put["version"])
        listener = await self.client(stays)
        await listener.say("nobody knows that", "default", "afterwards")
        handled = await listener.hears("ovos.utterance.handled", "afterwards")
        self.assertEqual(handled["context"]["session"]["persona_id"], "known")
        self.check()

    async def test_what_one_instance_is_told_the_others_know_and_forget(self):
        one, two = self.instances(2)
        client = await self.client(two)

        async def told(instance, event_id, text):
            event = {"event_id": event_id, "event_type": "told", "time": "2026-01-03T12:00:00Z", "agent_id": "local", "session_id": "home",
                     "memory_type": "semantic", "text": text}
            status, answer = await asyncio.to_thread(instance.ask, "POST", "/v1/ingest/events", {"events": [event]})
            self.assertEqual((status, json.loads(answer)["accepted"]), (202, 1), answer)

        async def knows(instance, words, expected):
            query = {"query_text": words, "agent_id": "local", "session_id": "home", "top_k": 5, "object_types": ["memory"],
                     "response_mode": "objects_only"}
            until = time.monotonic() + LIMIT
            found = None
            while found != expected:  # what others write comes a moment later
                self.assertLess(time.monotonic(), until, f"{found} {instance.log()}")
                status, answer = await asyncio.to_thread(instance.ask, "POST", "/v1/query", query)
                self.assertEqual(status, 200, answer)
                found = sorted((one["object_id"], bool(one.get("superseded_by"))) for one in json.loads(answer)["objects"])
        await told(one, "e1", "the spare key is under the pot")
        await knows(two, "spare key", [("mem_e1", False)])
        await told(two, "e2", "the spare key is in the drawer")
        three = self.instance()
        three.wait_ready()
        for instance in (one, two, three):
            await knows(instance, "spare key drawer", [("mem_e1", True), ("mem_e2", False)])
        await client.send("parley.evidence.forget", {"object_ids": ["mem_e2"]})
        await client.wait_for("the answer", lambda: client.of("parley.evidence.forget.response"))
        self.assertEqual(client.of("parley.evidence.forget.response")[0]["data"], {"objects": 2, "event_ids": ["e2", "e1"]})
        for instance in (one, two, three):
            await knows(instance, "spare key", [])
        self.check()

    def logging(self, more=None):
        """An instance that keeps its log in a file, and has the skills that come with parley."""
        file = self.folder / f"log{self.count}.db"
        return self.instance({"store.enabled": "true", "store.path": str(file), "skills.shipped": "true", **(more or {})})

    async def asks(self, instance, method, path, body=None):
        status, answer = await asyncio.to_thread(instance.ask, method, path, body)
        self.assertEqual(status, 200, answer)
        return json.loads(answer)

    async def knows(self, instance, session, words, expected):
        """By its evidence and by the transcript. What happens elsewhere is read a moment later."""
        query = {"query_text": words, "agent_id": "local", "session_id": session, "top_k": 5, "object_types": ["memory"],
                 "memory_types": ["episodic"], "response_mode": "objects_only"}
        until = time.monotonic() + LIMIT
        found = None
        while found != expected:
            self.assertLess(time.monotonic(), until, f"{found} {instance.log()}")
            objects = (await self.asks(instance, "POST", "/v1/query", query))["objects"]
            found = sorted(one["object_id"] for one in objects if words in one["summary"])
        if expected:  # both come together
            turns = (await self.asks(instance, "GET", f"/v1/sessions/{session}/transcript"))["turns"]
            self.assertTrue(any(turn["said"].endswith(words) for turn in turns), turns)

    async def test_what_was_said_while_nats_was_away_is_known_afterwards(self):
        one, two = self.logging(), self.logging()
        for instance in (one, two):
            instance.wait_ready()
        client = await self.client(one)
        session = await self.session_at(client, one, one)
        self.nats.kill()
        await client.turn("where are the truffles", session, "a")
        self.nats.start()
        await self.knows(two, session, "truffles", ["mem_a"])
        await client.turn("who ate the marzipan", session, "b")
        await self.knows(two, session, "marzipan", ["mem_b"])
        self.check()

    async def test_what_was_said_at_one_instance_the_others_know_and_forget(self):
        one, two = self.logging(), self.logging()
        for instance in (one, two):
            instance.wait_ready()
        client = await self.client(one)
        here, there = await self.session_at(client, one, one), await self.session_at(client, one, two)
        await client.turn("where are the truffles", here, "a")

        for instance in (one, two):
            await self.knows(instance, here, "truffles", ["mem_a"])
            answer = await self.asks(instance, "POST", "/run", {"id": f"asks-{instance.name}", "text": "what did I say to you today"})
            self.assertIn("truffles", str(answer))
        await client.turn("who ate the marzipan", there, "b")
        for instance in (one, two):
            await self.knows(instance, there, "marzipan", ["mem_b"])

        # An instance that leaves has told what happened there.
        session = await self.session_at(client, one, two)
        await client.turn("how old is the nougat", session, "c")
        two.terminate()
        await asyncio.to_thread(two.process.wait, LIMIT)
        await self.knows(one, session, "nougat", ["mem_c"])

        three = self.logging()
        three.wait_ready()
        await self.knows(three, here, "truffles", ["mem_a"])
        await self.knows(three, there, "marzipan", ["mem_b"])
        gone = await self.asks(three, "POST", "/v1/forget", {"session_id": there})
        self.assertGreater(gone["turns"], 0)
        await client.send("parley.evidence.forget", {"object_ids": ["mem_c"]})
        await client.wait_for("the answer", lambda: client.of("parley.evidence.forget.response"))
        self.assertEqual(client.of("parley.evidence.forget.response")[0]["data"], {"objects": 1, "event_ids": []})
        four = self.logging()
        four.wait_ready()
        for instance in (one, three, four):
            await self.knows(instance, here, "truffles", ["mem_a"])
            await self.knows(instance, there, "marzipan", [])
            await self.knows(instance, session, "nougat", [])
        self.nats.kill()  # what it keeps is on its disk
        kept = b"".join(file.read_bytes() for file in (self.folder / "store").rglob("*.blk"))
        self.assertEqual([word for word in (b"truffles", b"marzipan", b"nougat") if word in kept], [b"truffles"])
        self.check()

    async def test_a_write_whose_answer_is_lost_is_done_once(self):
        way = await Way(self.nats).open()
        one, two = await asyncio.to_thread(self.two, way.url)
        witness = await self.client(two)
        keeper = await Skill(one, "notes.test").open()
        first = await keeper.ask("storage.put", {"key": "milk", "value": 0})
        self.assertIn("version", first)
        way.loses = lambda text: b"parley_home_state" in text and text.startswith((b"MSG", b"HMSG"))
        await keeper.send("parley.storage.put", {"key": "milk", "value": 1}, {"skill_id": "notes.test"})
        await way.wait_for("the answer to the write", lambda: any(b'"seq"' in text for text in way.lost))
        await keeper.close()
        await witness.wait_for("the end of the skill", lambda: witness.of("ovos.skill.deregister"))
        again = await Skill(two, "notes.test").open()
        found = await again.ask("storage.get", {"key": "milk"})
        self.assertEqual(found["value"], 1)
        since = await again.ask("storage.put", {"key": "milk", "value": 2})
        self.assertGreater(since["version"], found["version"])
        way.loses = lambda text: False
        await way.wait_for("the next try", lambda: any(b'"duplicate": true' in text or b'"duplicate":true' in text
                                                       for text in way.passed))
        found = await again.ask("storage.get", {"key": "milk"})
        self.assertEqual(found, {"value": 2, "version": since["version"]})
        await way.close()
        self.check()

    async def test_an_instance_starts_though_jetstream_is_late(self):
        way = await Way(self.nats).open()
        way.loses = lambda text: b"stream_create_response" in text and len(way.lost) < 4
        one, _ = await asyncio.to_thread(self.two, way.url)
        self.assertEqual(len(way.lost), 4)
        self.assertEqual(one.log().count("JetStream has not answered for two seconds"), 1)
        client = await self.client(one)
        await client.turn("is anybody there", "hall", "late")
        await way.close()
        self.check()

    async def test_an_instance_starts_though_a_server_counts_wrong(self):
        """What is left to deliver, which stays above zero where a key changes at that moment."""
        way = await Way(self.nats).open()
        way.changes = lambda line: re.sub(rb"(\$JS\.ACK\.KV_\S+\.)\d+ ", rb"\g<1>7 ", line)
        first = self.instance()
        await asyncio.to_thread(first.wait_ready)
        second = await asyncio.to_thread(self.instance, url=way.url)
        await asyncio.to_thread(second.wait_ready)
        self.assertTrue(any(b"$JS.ACK.KV_" in text and b".7 " in text for text in way.passed))
        client = await self.client(second)
        await client.turn("is anybody there", await self.session_at(client, second, first), "counted")
        await way.close()
        self.check()

    def two(self, url):
        """One instance on its own way to NATS, and one like the others."""
        both = [self.instance(url=url), self.instance()]
        for one in both:
            one.wait_ready()
        return both

    async def test_a_skill_is_spoken_for_in_the_whole_cluster(self):
        one, two = self.instances(2)
        first, second = await self.skill(one, [one, two]), await Skill(two).open()
        client = await self.client(two)
        session = await self.session_at(client, two, one)
        await client.turn("go home", session, "asked")
        self.assertEqual(len(first.of("echo.test:go", "asked")), 1)
        self.assertEqual([said["data"]["utterance"] for said in client.of("ovos.utterance.speak", "asked")], ["you said go home"])
        self.assertIn("speaks for it", two.log())
        self.assertTrue(second.is_open)
        await first.close()
        await client.wait_for("the end of the first", lambda: client.of("ovos.skill.deregister"))
        self.assertTrue((await self.skill(two, [one, two])).is_open)
        self.check()

    async def test_tls_to_nats(self):
        self.nats.kill()
        self.make_certificates()
        place = {name: str(self.folder / f"{name}.pem") for name in ("ca", "server", "client", "stranger")}
        tls = Nats(self.folder / "tls", ["--tlsverify", "--tlscacert", place["ca"], "--tlscert", place["server"], "--tlskey", place["server"]])
        self.addCleanup(tls.kill)
        more = {"cluster.ca": place["ca"], "cluster.certificate": place["client"], "cluster.private_key": place["client"]}
        one, two = [self.instance(more, tls.url) for _ in range(2)]
        for each in (one, two):
            await asyncio.to_thread(each.wait_ready)
        await self.skill(one, [one, two])
        client = await self.client(one)
        session = await self.session_at(client, one, two)
        tls.kill()
        await client.say("go home", session, "meanwhile")
        tls.start()
        await client.hears("ovos.utterance.handled", "meanwhile")
        self.assertEqual(len(client.of("ovos.utterance.speak", "meanwhile")), 1)
        for wrong in ({}, more | {"cluster.ca": place["stranger"]}, more | {"cluster.certificate": place["stranger"], "cluster.private_key": place["stranger"]}):
            refused = self.instance(wrong, tls.url)
            self.assertNotEqual(await asyncio.to_thread(refused.process.wait, LIMIT), 0)
            self.assertIn("no connection to NATS", refused.log())
        self.check()

    def make_certificates(self):
        """One that signs, two that it has signed, and one that nobody has: each with its key, in one file."""
        def openssl(*words):
            subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=self.folder)
        for name in ("ca", "stranger"):
            openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")
        (self.folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost")
        for name in ("server", "client"):
            openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
            openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "1", "-extfile", "names", "-out", f"{name}.crt")
        for name in ("ca", "server", "client", "stranger"):
            key = "" if name == "ca" else (self.folder / f"{name}.key").read_text()
            (self.folder / f"{name}.pem").write_text((self.folder / f"{name}.crt").read_text() + key)

    async def test_an_owner_that_slept_past_its_lease_is_not_heard_any_more(self):
        one, two = self.instances(2)
        await self.skill(one, [one, two])
        client = await self.client(one)
        session = await self.session_at(client, one, two)
        await client.say("hold the line", session, "held")
        await client.hears("ovos.intent.handler.start", "held")
        two.stop()
        await client.hears("ovos.utterance.handled", "held")
        await client.turn("go on", session, "meanwhile")
        two.wake()
        there = await self.client(two)
        other = await self.session_at(there, two, one)
        await there.turn("go on", other, "awake")
        self.assertEqual(len(there.of("ovos.utterance.speak", "awake")), 1)
        self.check()

    async def test_a_second_without_nats_loses_no_turn(self):
        one, two = self.instances(2)
        skill = await self.skill(one, [one, two])
        client = await self.client(one)
        session = await self.session_at(client, one, two)
        await client.say("hold the line", session, "held")
        await client.hears("ovos.intent.handler.start", "held")
        self.nats.kill()
        await client.say("go on", session, "during")
        await asyncio.sleep(1)  # the fault is a second long
        self.nats.start()
        await skill.release("held")
        await client.hears("ovos.utterance.handled", "held")
        await client.hears("ovos.utterance.handled", "during")
        self.check()

    async def test_over_a_slow_link_all_is_late_and_nothing_is_lost(self):
        way = await Way(self.nats, delay=0.3).open()
        one, two = await asyncio.to_thread(self.two, way.url)
        skill = await self.skill(one, [one, two])
        near, far = await self.client(one), await self.client(two)
        for talker, here, host in ((near, one, two), (far, two, one)):
            session = await self.session_at(talker, here, host)
            turns = [f"{here.name}-{number}" for number in range(20)]
            for turn in turns:
                await talker.say("go on", session, turn)
            for turn in turns:
                await talker.hears("ovos.utterance.handled", turn)
                self.assertEqual(len(talker.of("ovos.utterance.speak", turn)), 1, turn)
        put = await skill.ask("storage.put", {"key": "milk", "value": 2})
        changed = await skill.ask("storage.put", {"key": "milk", "value": 3, "expect_version": put["version"]})
        self.assertGreater(changed["version"], put["version"])
        await way.close()
        self.check()

    async def test_an_instance_that_is_cut_off_from_the_others_is_replaced_and_comes_back(self):
        way = await Way(self.nats).open()
        far, near = await asyncio.to_thread(self.two, way.url)
        skill = await self.skill(near, [near, far])
        here, there = await self.client(near), await self.client(far)
        theirs, ours = await self.session_at(here, near, far), await self.session_at(there, far, near)
        await here.say("hold the line", theirs, "held")
        await here.hears("ovos.intent.handler.start", "held")
        way.cut()
        await here.hears("ovos.intent.handler.error", "held")  # past its lease
        await here.turn("go on", theirs, "at its successor")
        await there.say("go on", ours, "at the one that is cut off")
        way.mend()
        await there.hears("ovos.utterance.handled", "at the one that is cut off")
        await self.turn_until_answered(there, ours, far)
        other = await self.session_at(here, near, far)
        await here.turn("go on", other, "it has its share again")
        for client, turn in ((here, "at its successor"), (here, "it has its share again")):
            self.assertEqual(len(client.of("ovos.utterance.speak", turn)), 1, turn)
        self.assertTrue(skill.is_open)
        await way.close()
        self.check()

    async def test_clocks_a_minute_apart(self):
        one, two, three = self.instance(), self.instance(clock=60), self.instance(clock=-60)
        for each in (one, two, three):
            await asyncio.to_thread(each.wait_ready)
        skill = await self.skill(one, [one, two, three])
        client = await self.client(one)
        hosts = {host.name: await self.session_at(client, one, host) for host in (one, two, three)}
        for name, session in hosts.items():
            await client.turn("go on", session, f"at-{name}")
            self.assertEqual(len(client.of("ovos.utterance.speak", f"at-{name}")), 1)
            self.assertEqual(await skill.ask("schedule.add", {"id": name, "name": name, "at": time.time() + 2}, session), {"id": name})
        put = await skill.ask("storage.put", {"key": "milk", "value": 1})
        for value in (2, 3):
            put = await skill.ask("storage.put", {"key": "milk", "value": value, "expect_version": put["version"]})
        await skill.wait_for("what is due at two of them by now", lambda: len(skill.due) >= 2)
        three.kill()  # by its clock there was a minute left
        await skill.wait_for("what was due at the third", lambda: len(skill.due) >= 3)
        self.assertEqual(await skill.ask("storage.get", {"key": "milk"}), {"value": 3, "version": put["version"]})
        for session in hosts.values():
            await self.turn_until_answered(client, session, one)
        self.assertEqual(sorted(told["name"] for told in skill.due), sorted(hosts))
        self.check()

    async def test_what_is_said_while_an_instance_leaves_is_answered(self):
        timer = {"skills.directories": f"[{Path(PROGRAM).resolve().parents[1] / 'lib/parley/skills/timer'}]"}
        one, two = self.instance(timer), self.instance(timer)
        one.wait_ready()
        two.wait_ready()
        skill = await self.skill(one, [one, two])
        client = await self.client(one)
        session = await self.session_at(client, one, two)
        await client.say("hold the line", session, "held")
        await client.wait_for("the dispatch", lambda: "held" in skill.held or skill.of("echo.test:hold", "held"))
        questioned = await self.session_at(client, one, two)
        await client.say("set a timer", questioned, "asked")
        await client.hears("ovos.utterance.speak", "asked")
        two.terminate()
        for number in range(20):
            await client.say("go on", session, f"meanwhile-{number}")
        await client.hears("ovos.utterance.handled", "asked")  # while the other turn goes on
        self.assertEqual([said["data"]["utterance"] for said in client.of("ovos.utterance.speak", "asked")][1:],
                         ["Sorry, I have to stop here. Please ask me again in a moment."])
        await skill.wait_for("the dispatch", lambda: "held" in skill.held)
        await skill.release("held")
        for turn in ["held", *(f"meanwhile-{number}" for number in range(20))]:
            await client.hears("ovos.utterance.handled", turn)
            self.assertEqual(len(client.of("ovos.utterance.speak", turn)), 1, turn)
        self.assertEqual(two.process.wait(LIMIT), 0, two.log())
        self.check()

    async def test_without_jetstream_it_says_what_to_do(self):
        self.nats.kill()
        plain = subprocess.Popen(["nats-server", "--addr", "127.0.0.1", "--port", str(self.nats.port)],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(plain.wait, LIMIT)
        self.addCleanup(plain.kill)
        one = self.instance()
        self.assertNotEqual(one.process.wait(LIMIT), 0)
        self.assertIn("JetStream", one.log())

    def test_without_a_server_it_says_so(self):
        self.nats.kill()
        done = subprocess.run(
            [PROGRAM, "--config", CONFIG, "--set", "gateway.port=0", "--set", f"cluster.servers=[{self.nats.url}]", "serve"],
            capture_output=True, text=True, timeout=LIMIT, env=environment(self.folder))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(self.nats.url, done.stderr)

    async def test_random_faults(self):
        seed = int(os.environ.get("PARLEY_CLUSTER_SEED", "1"))
        seconds = float(os.environ.get("PARLEY_CLUSTER_SECONDS", "20"))
        chance = random.Random(seed)
        ways = {}

        async def comes():
            way = await Way(self.nats).open()
            self.addAsyncCleanup(way.close)
            one = await asyncio.to_thread(self.instance, url=way.url)
            ways[one.name] = way
            return one
        living = [await comes() for _ in range(3)]
        for one in living:
            await asyncio.to_thread(one.wait_ready)
        await self.skill(living[0], living)  # its instance stays
        asleep = []
        count = 0
        talkers = [await self.client(one) for one in living]
        until = time.monotonic() + seconds
        try:
            while time.monotonic() < until:
                what = chance.random()
                if what < 0.88 or asleep:
                    talker = chance.choice(talkers)
                    count += 1
                    if talker.is_open:
                        await talker.say("go on", f"session-{chance.randrange(60)}", f"turn-{count}")
                    await asyncio.sleep(chance.random() * 0.05)  # how people talk
                elif what < 0.9:
                    way = ways[chance.choice(living[1:]).name]
                    way.cut()
                    await asyncio.sleep(chance.choice([0.5, 4]))  # the fault is as long
                    way.mend()
                elif what < 0.92:
                    ways[chance.choice(living[1:]).name].delay = chance.choice([0, 0.05, 0.3])
                elif what < 0.94 and len(living) > 2:
                    gone = living.pop(chance.randrange(1, len(living)))
                    gone.kill()
                    talkers = [one for one in talkers if one.instance.is_alive]
                elif what < 0.96 and len(living) < 4:
                    fresh = await comes()
                    await asyncio.to_thread(fresh.wait_ready)
                    living.append(fresh)
                    talkers.append(await self.client(fresh))
                elif what < 0.98:
                    asleep.append(chance.choice(living[1:]))
                    asleep[0].stop()
                    await asyncio.sleep(chance.choice([0.5, 4]))  # likewise
                    asleep.pop().wake()
                else:
                    self.nats.kill()
                    await asyncio.sleep(chance.choice([0.3, 1]))  # likewise
                    self.nats.start()
            for talker in talkers:
                for turn in list(talker.said):
                    await talker.hears("ovos.utterance.handled", turn)
            self.check()
        except AssertionError:
            print(f"PARLEY_CLUSTER_SEED={seed} PARLEY_CLUSTER_SECONDS={seconds}", file=sys.stderr)
            for one in living:
                print(one.name, one.log()[-3000:], file=sys.stderr)
            raise


class Minute(WithInstances):
    async def test_a_minute_without_nats_ends_what_nobody_can_answer_and_loses_nothing(self):
        one, two = self.instances(2)
        skill = await self.skill(one, [one, two])
        client = await self.client(one)
        near, far = await self.session_at(client, one, one), await self.session_at(client, one, two)
        put = await skill.ask("storage.put", {"key": "milk", "value": 2})
        await client.say("hold the line", far, "held")
        await client.hears("ovos.intent.handler.start", "held")
        for session in (near, far):
            self.assertEqual(await skill.ask("schedule.add", {"id": session, "name": session, "at": time.time() + 5}, session), {"id": session})
        began = time.monotonic()
        self.nats.kill()
        await client.say("go on", far, "far away")
        turns = []
        while time.monotonic() < began + 60:  # each is handled after the ten seconds that it waits for an owner
            turns.append(f"near-{len(turns)}")
            await client.turn("go on", near, turns[-1])
        unanswered = [turn for turn in turns if not client.of("ovos.utterance.speak", turn)]
        self.assertGreaterEqual(len(unanswered), 5)
        self.assertEqual(skill.due, [])
        self.nats.start()
        await client.hears("ovos.utterance.handled", "held")
        self.assertEqual(len(client.of("ovos.intent.handler.error", "held")), 1)
        await client.hears("ovos.utterance.handled", "far away")
        await skill.wait_for("what was due meanwhile", lambda: len(skill.due) >= 2)
        for session in (near, far):
            await self.turn_until_answered(client, session, one)
        self.assertEqual(sorted(one["name"] for one in skill.due), sorted([near, far]))
        self.assertEqual(await skill.ask("storage.get", {"key": "milk"}), {"value": 2, "version": put["version"]})
        self.check()


if __name__ == "__main__":
    CLOCK_OFFSET = sys.argv.pop()
    CONFIG = sys.argv.pop()
    PROGRAM = sys.argv.pop()
    unittest.main(verbosity=2)
