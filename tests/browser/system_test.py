#!/usr/bin/env python3
"""What a running server tells of itself and lets be changed: skills, connections, configuration, figures.

Usage: system_test.py PARLEY CONFIG
"""

import base64
import hashlib
import json
import os
import re
import socket
import stat
import subprocess
import threading
from pathlib import Path

from served import LIMIT, Served, main, program

ROOT = Path(__file__).resolve().parents[2]
GAME = "/v1/skills/number_game.parley"


def said_json(answer):
    return answer[0], json.loads(answer[2])


class Core:
    """A client on /core that says what it is told to, and reads nothing unless asked."""

    def __init__(self, port, query=""):
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET /core{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.socket.recv(1)
        assert b" 101 " in head, head

    def send(self, type, data, context=None):
        self.send_text(json.dumps({"type": type, "data": data, "context": context or {}}))

    def send_text(self, text):
        data = text.encode()
        mask = os.urandom(4)
        assert len(data) < 65536
        length = bytes([128 | len(data)]) if len(data) < 126 else bytes([128 | 126]) + len(data).to_bytes(2, "big")
        self.socket.sendall(b"\x81" + length + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def close(self):
        self.socket.close()


class System(Served):
    # What these tests need, which starts in a moment.
    settings = {"skills.shipped": "false", "skills.directories": "[" + ", ".join(
        f"skills/{name}" for name in ("date_time", "dictionary", "faq", "number_game", "reminder", "smalltalk")) + "]"}

    def say(self, text, session="me"):
        status, answer = said_json(self.ask("POST", "/run", {"id": session, "text": text}))
        self.assertEqual(status, 200, answer)
        return answer

    def skill(self, path=GAME):
        return self.json(path)

    def option(self, key="highest"):
        return next(one for one in self.skill()["options"] if one["key"] == key)

    def put(self, values, path=GAME):
        return said_json(self.ask("PUT", f"{path}/settings", values))

    def restart(self, more=None):
        self.end()
        type(self).start(more)
        if more:
            self.addCleanup(self.restart)

    def tearDown(self):
        """Everything as it was; what a restart would bring stays as well."""
        for path, keys in ((GAME, ["highest"]), ("/v1/skills/dictionary.parley", ["database"]), ("/v1/skills/faq.parley", ["threshold"])):
            self.ask("POST", f"{path}/enable")
            self.put({key: None for key in keys}, path)
        for name in ("smalltalk", "reminder"):
            self.ask("POST", f"/v1/skills/{name}.parley/enable")

    @property
    def kept(self):
        return self.folder / "parley" / "parley.db.skills.json"


class Settings(System):
    def test_a_skill_is_told_with_what_it_takes_and_is_told(self):
        skill = self.skill()
        self.assertEqual((skill["placement"], skill["state"]), ("here", "running"))
        self.assertIn("play", {intent["intent_name"] for intent in skill["intents"]})
        self.assertEqual({"key": "highest", "type": "integer", "default": 100, "value": 100, "source": "default", "low": 10}.items() & self.option().items(),
                         {"key": "highest", "type": "integer", "default": 100, "value": 100, "source": "default", "low": 10}.items())
        status, answer = said_json(self.get("/v1/skills/nobody.test"))
        self.assertEqual(status, 404)
        self.assertIn("nobody.test", answer["error"]["message"])

    def test_turns_and_faults_are_counted(self):
        before = self.skill("/v1/skills/date_time.parley")["turns"].get("complete", 0)
        self.say("what time is it")
        self.assertEqual(self.skill("/v1/skills/date_time.parley")["turns"]["complete"], before + 1)
        self.assertEqual(self.skill("/v1/skills/date_time.parley")["faults"], 0)

    def test_a_change_holds_at_once_and_after_a_restart_until_it_is_taken_back(self):
        status, skill = self.put({"highest": 20})
        self.assertEqual((status, skill["takes_effect"]), (200, "at_once"))
        self.assertNotIn("not_kept", skill)
        self.assertIn("20", self.say("let's play the number game", "change")["speech_text"])
        self.assertEqual((self.option()["value"], self.option()["source"], self.option()["place"]), (20, "changed", str(self.kept)))
        self.assertEqual(stat.S_IMODE(self.kept.stat().st_mode), 0o600)
        self.restart()
        self.assertEqual((self.option()["value"], self.option()["source"]), (20, "changed"))
        self.assertEqual(self.put({})[1]["options"][0]["value"], 20)
        self.assertEqual(self.put({"highest": None})[0], 200)
        self.assertEqual((self.option()["value"], self.option()["source"]), (100, "default"))
        self.assertEqual(json.loads(self.kept.read_text()), {"settings": {}, "enabled": {}})

    def test_everything_that_is_wrong_is_told_and_nothing_changes(self):
        status, answer = self.put({"highest": "many", "lowest": 1})
        self.assertEqual((status, answer["error"]["code"]), (422, "invalid_settings"))
        self.assertEqual([fault["field"] for fault in answer["error"]["faults"]], ["highest", "lowest"])
        for fault in answer["error"]["faults"]:
            self.assertIn(fault["field"], fault["message"])
        self.assertEqual(self.put({"highest": 9})[0], 422)
        self.assertEqual(self.put({"highest": 20, "lowest": None})[0], 422)
        self.assertEqual(self.put([])[0], 400)
        self.assertEqual(said_json(self.ask("PUT", f"{GAME}/settings", "{"))[0], 400)
        self.assertEqual(self.put({}, "/v1/skills/nobody.test")[0], 404)
        self.assertEqual(self.option()["source"], "default")
        self.assertNotIn("number_game.parley", self.kept.read_text() if self.kept.exists() else "")

    def test_a_skill_that_reads_its_settings_as_it_starts_needs_a_reload(self):
        path = "/v1/skills/dictionary.parley"
        self.assertEqual(self.put({"database": "/nowhere"}, path)[1]["takes_effect"], "with_reload")
        self.assertEqual(self.ask("POST", f"{path}/reload")[0], 200)
        self.assertEqual(self.skill(path)["options"][0]["value"], "/nowhere")
        self.assertEqual(self.put({"threshold": 0.7}, "/v1/skills/faq.parley")[1]["takes_effect"], "at_once")

    def test_what_the_command_line_says_wins_and_cannot_be_changed_here(self):
        self.put({"highest": 20})
        self.restart({"skills.settings.number_game.parley.highest": 30})
        option = self.option()
        self.assertEqual((option["value"], option["source"], option["place"]),
                         (30, "command_line", "--set skills.settings.number_game.parley.highest"))
        status, answer = self.put({"highest": 40})
        self.assertEqual(status, 422)
        self.assertIn("--set", answer["error"]["faults"][0]["message"])
        self.restart()
        self.assertEqual(self.option()["value"], 20)

    def test_check_lists_what_was_changed(self):
        self.put({"highest": 20})
        self.ask("POST", "/v1/skills/smalltalk.parley/disable")
        self.assertEqual(self.ask("POST", "/v1/skills/smalltalk.parley/disable")[0], 200)
        checked = subprocess.run([*program(), "check", "--set", "language.enabled=[en-US]"], env=self.environment, capture_output=True, text=True, timeout=LIMIT)
        self.assertIn(f'{self.kept}: skills.settings."number_game.parley".highest = 20\n', checked.stdout)
        self.assertIn(f"{self.kept}: the skill 'smalltalk.parley' is disabled\n", checked.stdout)
        self.put({"highest": 9999})
        text = self.kept.read_text().replace("9999", '"many"')
        self.kept.write_text(text)
        checked = subprocess.run([*program(), "check", "--set", "language.enabled=[en-US]"], env=self.environment, capture_output=True, text=True, timeout=LIMIT)
        self.assertIn("this change is left out", checked.stdout)
        self.restart()
        self.assertEqual(self.option()["source"], "default")

    def test_without_a_store_a_change_holds_as_long_as_the_server(self):
        self.restart({"store.enabled": "false"})
        self.assertEqual(self.put({"highest": 20})[0], 200)
        self.assertEqual((self.option()["value"], self.option()["source"], self.option()["place"]), (20, "changed", ""))
        self.assertNotIn("number_game.parley", self.kept.read_text() if self.kept.exists() else "")

    def test_many_changes_at_once_all_hold(self):
        threads = [threading.Thread(target=self.put, args=({"highest": 10 + i},)) for i in range(20)]
        threads.append(threading.Thread(target=self.put, args=({"threshold": 0.7}, "/v1/skills/faq.parley")))
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        value = self.option()["value"]
        self.assertIn(value, range(10, 30))
        self.restart()
        self.assertEqual(self.option()["value"], value)
        self.assertEqual(json.loads(self.kept.read_text())["settings"]["faq.parley"], {"threshold": 0.7})


class OutAndIn(System):
    def act(self, what, path=GAME):
        return said_json(self.ask("POST", f"{path}/{what}"))

    def test_a_disabled_skill_is_not_asked_stays_so_and_comes_back(self):
        self.assertEqual(self.say("let's play the number game", "a")["source"]["skill_id"], "number_game.parley")
        for _ in range(2):
            status, skill = self.act("disable")
            self.assertEqual((status, skill["state"], skill["placement"], skill["intents"]), (200, "disabled", "none", []))
        self.assertNotEqual(self.say("let's play the number game", "b").get("source", {}).get("skill_id"), "number_game.parley")
        listed = self.json("/v1/skills")
        self.assertNotIn("number_game.parley", [one["skill_id"] for one in listed["skills"]])
        self.assertIn("number_game.parley", [one["skill_id"] for one in listed["disabled"]])
        self.assertEqual(self.put({"highest": 20})[0], 409)
        self.restart()
        self.assertEqual(self.skill()["state"], "disabled")
        for _ in range(2):
            status, skill = self.act("enable")
            self.assertEqual((status, skill["state"], skill["placement"]), (200, "running", "here"))
        self.assertEqual(self.say("let's play the number game", "c")["source"]["skill_id"], "number_game.parley")
        self.restart()
        self.assertEqual(self.skill()["state"], "running")

    def test_again_and_again(self):
        for _ in range(6):
            self.assertEqual(self.act("disable")[0], 200)
            self.assertEqual(self.act("enable")[0], 200)
        self.assertEqual(self.say("let's play the number game", "c")["source"]["skill_id"], "number_game.parley")

    def test_who_is_asked_something_is_let_go(self):
        asked = self.say("remind me", "asked")
        self.assertTrue(asked["listen"], asked)
        self.assertEqual(self.act("disable", "/v1/skills/reminder.parley")[0], 200)
        self.assertNotEqual(self.say("to feed the cat", "asked").get("source", {}).get("skill_id"), "reminder.parley")
        self.assertEqual(self.act("enable", "/v1/skills/reminder.parley")[0], 200)
        self.assertEqual(self.say("what are my reminders", "other")["source"]["skill_id"], "reminder.parley")

    def test_the_configuration_may_disable_and_this_enables(self):
        config = self.folder / "parley.yaml"
        config.write_text("skills: {disabled: [number_game.parley]}\n", encoding="utf-8")
        type(self).config = config
        self.addCleanup(self.restart)
        self.addCleanup(setattr, type(self), "config", None)
        self.restart()
        self.assertEqual(self.skill()["state"], "disabled")
        self.assertEqual(self.act("enable")[0], 200)
        self.restart()
        self.assertEqual(self.skill()["state"], "running")
        self.assertEqual(self.act("disable")[0], 200)
        self.assertEqual(json.loads(self.kept.read_text())["enabled"], {})

    def test_what_cannot_be_done_says_why(self):
        self.assertEqual(self.act("disable", "/v1/skills/nobody.test")[0], 404)
        self.assertEqual(self.act("enable", "/v1/skills/nobody.test")[0], 404)
        core = Core(self.port)
        core.send("ovos.intent.register.template", {"skill_id": "far.test", "intent_name": "go", "lang": "en-US", "samples": ["go far away"]}, {"skill_id": "far.test"})
        self.until(lambda: self.get("/v1/skills/far.test")[0] == 200)
        skill = self.skill("/v1/skills/far.test")
        self.assertEqual((skill["placement"], skill["state"], skill["options"]), ("remote", "running", []))
        for what in ("disable", "enable", "reload"):
            self.assertEqual(self.act(what, "/v1/skills/far.test")[0], 409)
        self.assertEqual(self.put({}, "/v1/skills/far.test")[0], 409)
        core.close()
        self.restart({"skills.disabled": "[smalltalk.parley]"})
        status, answer = self.act("enable", "/v1/skills/smalltalk.parley")
        self.assertEqual(status, 409)
        self.assertIn("--set skills.disabled", answer["error"]["message"])
        self.assertEqual(self.act("disable")[0], 409)
        self.assertEqual(self.act("disable", "/v1/skills/smalltalk.parley")[0], 200)


class TwoOwners(Served):
    """K-4: what skills remember of a session of one owner is nothing to another whose session has the same id."""

    settings = {"skills.shipped": "false", "skills.directories": "[" + ", ".join(
        f"skills/{name}" for name in ("calculator", "countries", "dictionary", "number_game", "reminder", "smalltalk", "timer", "unknown")) + "]"}
    tokens = "clients:\n" + "".join(
        f"  {name}: {{token_sha256: {hashlib.sha256(name.encode()).hexdigest()}}}\n" for name in ("anna", "bert"))

    def test_a_timer_is_heard_of_and_ended_by_who_set_it(self):
        self.assertIn("12 minutes", self.run_as("anna", "set a timer for 12 minutes"))
        self.assertNotRegex(self.run_as("bert", "how long is left"), "1[12] minutes")
        self.run_as("bert", "cancel the timer")
        self.assertRegex(self.run_as("anna", "how long is left"), "1[12] minutes")
        self.assertRegex(self.run_as("anna", "cancel the timer"), "cancel")

    def test_what_rings_is_stopped_by_whose_it_is(self):
        self.run_as("anna", "set a timer for one second")
        self.until(lambda: re.search("right now|already", self.run_as("anna", "how long is left")))
        self.assertRegex(self.run_as("bert", "stop"), "(?i)nothing")
        self.assertRegex(self.run_as("anna", "how long is left"), "right now|already")
        self.run_as("anna", "stop")
        self.assertRegex(self.run_as("anna", "how long is left"), "(?i)no timer")

    def test_a_reminder_is_put_off_by_whom_it_was_told(self):
        self.run_as("anna", "remind me in two seconds to water the plants")
        self.until(lambda: "plants" not in self.run_as("anna", "what are my reminders"))
        self.assertIn("nothing to snooze", self.run_as("bert", "snooze"))
        self.assertIn("10 minutes", self.run_as("anna", "snooze"))

    def test_a_question_is_answered_by_whom_it_was_put_to(self):
        for owner in ("anna", "bert"):
            self.assertRegex(self.run_as(owner, "set a timer"), "[Ff]or how long|[Hh]ow long")
        self.assertIn("9 minutes", self.run_as("anna", "nine minutes"))
        self.assertIn("4 minutes", self.run_as("bert", "four minutes"))
        for owner in ("anna", "bert"):
            self.run_as(owner, "cancel the timer")

    def run_as(self, owner, text):
        status, answer = said_json(self.ask("POST", "/run", {"id": "kitchen", "text": text}, Authorization=f"Bearer {owner}"))
        self.assertEqual(status, 200, answer)
        return answer["speech_text"]

    def test_nothing_goes_on_with_what_another_owner_asked(self):
        for first, second, leaked in (
                ("what's 25 times 4", "add 50 to that", "150"),
                ("what's the capital of France", "and its population", "million"),
                ("define courage", "and wisdom?", "Wisdom means"),
                ("tell me a joke", "say that again", None)):
            before = self.run_as("anna", first)
            self.assertNotIn(leaked or before, self.run_as("bert", second), second)
            again = self.run_as("anna", second)
            self.assertIn(leaked or before, again, second)
        self.assertIn("100", self.run_as("anna", "let's play the number game"))
        self.assertNotRegex(self.run_as("bert", "fifty"), "(?i)lower|higher|low|high")
        self.assertRegex(self.run_as("anna", "fifty"), "(?i)lower|higher|low|high|right|it is")


class Connected(System):
    def test_who_is_connected_what_they_speak_for_and_what_went_nowhere(self):
        core = Core(self.port, "?topics=none.such")
        core.send("ovos.intent.register.template", {"skill_id": "near.test", "intent_name": "go", "lang": "en-US", "samples": ["go near"]}, {"skill_id": "near.test"})
        core.send_text("rubbish")
        found = []

        def told():
            found[:] = [one for one in self.json("/v1/connections")["connections"] if one["skills"] == ["near.test"] and one["dropped"] == 1]
            return bool(found)
        self.until(told)
        one = found[0]
        self.assertEqual((one["kind"], one["address"], one["token"], one["owner"], one["queued_bytes"]), ("core", "127.0.0.1", False, "local", 0))
        self.assertIn("127.0.0.1:", one["name"])
        core.close()
        self.until(lambda: not any(one["skills"] for one in self.json("/v1/connections")["connections"]))

    def test_what_a_slow_client_is_owed(self):
        slow = Core(self.port)
        fast = Core(self.port, "?topics=none.such")
        for _ in range(400):
            fast.send("test.large", {"text": "x" * 20_000})
        self.until(lambda: any(one["queued_bytes"] > 0 and one["queued_messages"] > 0 for one in self.json("/v1/connections")["connections"]))
        metrics = self.get("/metrics")[2].decode()
        self.assertGreaterEqual(float(re.search(r"^parley_gateway_clients (\S+)$", metrics, re.M)[1]), 1)
        slow.close()
        fast.close()

    def test_they_come_in_pages(self):
        held = [Core(self.port, "?topics=none.such") for _ in range(5)]
        seen, after = [], ""
        while True:
            page = self.json(f"/v1/connections?limit=2{after}")
            seen += [one["connection"] for one in page["connections"]]
            self.assertLessEqual(len(page["connections"]), 2)
            if "next" not in page:
                break
            after = f"&after={page['next']}"
        self.assertEqual(seen, sorted(set(seen)))
        self.assertGreaterEqual(len(seen), 5)
        for one in held:
            one.close()


class Configuration(System):
    settings = {**System.settings, "workers": 3, "skills.settings.far.test": "{api_key: hush}"}

    def test_every_value_has_its_source_and_secrets_are_hidden(self):
        values = {one["key"]: one for one in self.json("/v1/config")["values"]}
        self.assertEqual(values["workers"], {"key": "workers", "value": 3, "source": "command_line", "place": "--set workers", "differs": True})
        self.assertEqual((values["gateway.max_frame"]["source"], values["gateway.max_frame"]["differs"]), ("file", False))
        self.assertRegex(values["gateway.max_frame"]["place"], r"parley\.yaml:\d+:\d+$")
        hidden = values['skills.settings."far.test".api_key']
        self.assertEqual((hidden["value"], hidden["source"]), ("(hidden)", "command_line"))
        self.assertNotIn(b"hush", self.get("/v1/config")[2] + self.get("/v1/system")[2])
        self.assertEqual(values["gateway.port"]["source"], "command_line")
        self.ask("PUT", f"{GAME}/settings", {"highest": 20})
        values = {one["key"]: one for one in self.json("/v1/config")["values"]}
        changed = values['skills.settings."number_game.parley".highest']
        self.assertEqual((changed["value"], changed["source"]), (20, "changed"))


class Figures(System):
    """What the dashboard and the rules ask for is what /metrics has."""

    settings = {**System.settings, "skills.options.dictionary.parley": "{placement: process}",
                "evidence.embeddings": "{url: 'http://127.0.0.1:9/v1', model: none}"}

    def metrics(self):
        return self.get("/metrics")[2].decode()

    def names(self):
        return {re.sub(r"_(bucket|sum|count)$", "", name) if re.search(rf"^# TYPE {re.sub(r'_(bucket|sum|count)$', '', name)} histogram$", self.text, re.M) else name
                for name in re.findall(r"^(parley_\w+)", self.text, re.M)}

    def test_the_dashboard_and_the_rules_use_what_there_is(self):
        self.say("what time is it")
        core = Core(self.port)
        core.send_text("rubbish")
        self.until(lambda: "parley_gateway_dropped_total{" in self.metrics())
        core.close()
        self.until(lambda: "parley_stage_learned_total{" in self.metrics())
        self.text = self.metrics()
        there = self.names()
        for file in ("grafana.json", "alerts.yaml"):
            used = set(re.findall(r"\bparley_\w+", (ROOT / "config" / file).read_text(encoding="utf-8")))
            used = {re.sub(r"_(bucket|sum|count)$", "", name) for name in used}
            with self.subTest(file=file):
                self.assertGreater(len(used), 8)
                self.assertEqual(used - there, set())
        documented = set(re.findall(r"`(parley_\w+)", (ROOT / "docs" / "gateway.md").read_text(encoding="utf-8").split("\n## Figures\n")[1].split("\n## ")[0]))
        self.assertEqual({name for name in documented if not name.endswith("_")} - there, set())
        json.loads((ROOT / "config" / "grafana.json").read_text(encoding="utf-8"))

    def test_histograms_add_up(self):
        self.say("what time is it", "adds")
        text = self.metrics()
        for name, labels in (("parley_turn_seconds", ""), ("parley_stage_seconds", 'stage="intent"'), ("parley_handler_seconds", 'skill="date_time.parley"')):
            with self.subTest(name=name):
                comma = "," if labels else ""
                counts = [float(value) for value in re.findall(rf'^{name}_bucket{{{labels}{comma}le="[^"]+"}} (\S+)$', text, re.M)]
                braced = f"{{{labels}}}" if labels else ""
                total = float(re.search(rf"^{name}_count{re.escape(braced)} (\S+)$", text, re.M)[1])
                self.assertEqual(counts, sorted(counts))
                self.assertEqual(counts[-1], total)
                self.assertGreater(total, 0)
        self.assertRegex(text, r'(?m)^parley_turns_total\{outcome="complete",skill="date_time.parley"\} [1-9]')
        self.until(lambda: re.search(r"(?m)^parley_loop_lag_seconds_count [1-9]", self.metrics()))


del Served  # unittest would take it for a test


if __name__ == "__main__":
    main()
