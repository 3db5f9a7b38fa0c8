#!/usr/bin/env python3
"""Tests of the `parley` program as a whole: arguments, streams, exit codes and the terminal.

Usage: command_test.py PROGRAM. Nothing here but the configuration that comes along
needs a stage or a skill.
"""

import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = ""
SHIPPED = Path(__file__).resolve().parents[2] / "config" / "parley.yaml"
EMPTY = "pipeline: []\nstages: {}\nskills: { shipped: false }\nplugins: { shipped: false }\n"
LIMIT = 120  # seconds; milliseconds but where all shipped skills start, under a sanitizer with others beside it
# Of a day in 2020.
EXPIRED = """
-----BEGIN CERTIFICATE-----
MIIBFDCBugIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtvbGQuZXhhbXBsZTAe
Fw0yMDAxMDEwMDAwMDBaFw0yMDAxMDIwMDAwMDBaMBYxFDASBgNVBAMMC29sZC5l
eGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEtz0U7SvCNaopQMHLffb
LvQGzU1McyymP73atd1QHcxldbIZDPW2MeNwBGJj2CwX4JwYUR5W7csQi647HN5U
BTAKBggqhkjOPQQDAgNJADBGAiEAmMKu5a8HJ6ns5obrXL/v0Ra89LNNybUjUbB2
CJLgxxECIQC5r9oR2BWcS5K1ljipK55It+grlMBfUDjH/xBoYlHMRQ==
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgI9j8CBDkh6ZSnbBR
CJ9VAvWHwB13/h14ZxeaE5wV7+ehRANCAAQS3PRTtK8I1qilAwct99su9AbNTUxz
LKY/vdq13VAdzGV1shkM9bYx43AEYmPYLBfgnBhRHlbtyxCLrjsc3lQF
-----END PRIVATE KEY-----
"""


class Folder(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        self.config = self.write("empty.yaml", EMPTY)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("PARLEY_")}
        self.environment |= {"XDG_STATE_HOME": str(self.folder / "state"), "XDG_DATA_HOME": str(self.folder / "data"), "XDG_CONFIG_HOME": str(self.folder), "TERM": "xterm"}

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_parley(self, *arguments, stdin=b""):
        command = [PROGRAM, "--config", str(self.config), *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=LIMIT, env=self.environment)
        self.assertGreaterEqual(done.returncode, 0, f"killed by a signal: {done}")
        return done.returncode, done.stdout.decode(), done.stderr.decode()


class Arguments(Folder):
    def test_help_names_every_command(self):
        code, out, _ = self.run_parley("--help")
        self.assertEqual(code, 0)
        for command in ("chat", "say", "script", "check", "skills", "intents", "pipeline", "sessions", "log", "transcript", "store", "forget"):
            self.assertIn(f"\n  {command} ", out)
            self.assertEqual(self.run_parley(command, "--help")[0], 0)

    def test_version(self):
        code, out, _ = self.run_parley("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^parley \d+\.\d+\.\d+\n$")

    def test_an_unknown_command_gets_a_suggestion(self):
        code, out, err = self.run_parley("scirpt", "x")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("unknown command 'scirpt'; did you mean 'script'?", err)

    def test_an_unknown_option_gets_a_suggestion(self):
        code, _, err = self.run_parley("say", "--explian", "x")
        self.assertEqual(code, 2)
        self.assertIn("did you mean '--explain'?", err)

    def test_text_that_is_no_command_is_told_how_to_be_said(self):
        self.assertIn("parley say hello", self.run_parley("hello", "there")[2])

    def test_global_options_stand_anywhere(self):
        code, _, err = self.run_parley("say", "x", "--set", "langauge.default=de-DE")
        self.assertEqual(code, 2)
        self.assertIn("langauge", err)
        self.assertIn("did you mean", err)

    def test_a_missing_configuration_is_named(self):
        code, _, err = self.run_parley("--config", str(self.folder / "none.yaml"), "say", "x")
        self.assertEqual(code, 2)
        self.assertIn("none.yaml", err)


class Kept(Folder):
    def chat(self, *lines):
        return self.run_parley("chat", "--session", "kitchen", stdin="".join(line + "\n" for line in lines).encode())

    def test_what_was_said_in_chat_is_there_in_the_next_process(self):
        self.chat("flurb", "grommet", "grommet")
        code, out, _ = self.run_parley("log", "--unmatched", "--json")
        self.assertEqual(code, 0)
        self.assertEqual([json.loads(line) for line in out.splitlines()],
                         [{"said": "grommet", "lang": "en-US", "count": 2}, {"said": "flurb", "lang": "en-US", "count": 1}])
        code, out, _ = self.run_parley("log", "--outcome", "unmatched")
        self.assertEqual((code, out.count("kitchen")), (0, 3))
        code, out, _ = self.run_parley("transcript", "kitchen", "--json")
        self.assertEqual([turn["said"] for turn in json.loads(out)["turns"]], ["flurb", "grommet", "grommet"])
        self.assertIn("> flurb\n", self.run_parley("transcript", "kitchen")[1])
        script = self.run_parley("transcript", "kitchen", "--script")[1]
        self.assertIn("\n> flurb\n> grommet\n", script)
        self.assertEqual(self.run_parley("script", str(self.write("again.parley", script)))[0], 0)

    def test_an_earlier_chat_is_shown_and_gone_on_with(self):
        self.chat("flurb", "grommet")
        code, out, err = self.run_parley("chat", stdin=b"/resume attic\n/resume kitchen\n/history\n/history 1\n/history x\nzounds\n")
        self.assertEqual(code, 0)
        self.assertIn("no session 'attic'", out + err)
        self.assertIn("Session kitchen, of 2 turns", out + err)
        self.assertEqual(out.count("> flurb"), 1)
        self.assertEqual(out.count("> grommet"), 2)
        self.assertIn("takes a number of turns", out + err)
        self.assertIn("> zounds", self.run_parley("transcript", "kitchen")[1])
        self.config = self.write("off.yaml", EMPTY + "\nstore: { enabled: false }\n")
        _, out, err = self.run_parley("chat", stdin=b"/resume\n")
        self.assertIn("keeps nothing", out + err)

    def test_nothing_is_kept_where_that_is_said_and_of_say_nothing_ever(self):
        self.run_parley("say", "flurb")
        self.assertFalse((self.folder / "data").exists())
        code, _, err = self.run_parley("log")
        self.assertEqual(code, 2)
        self.assertIn("there is no store", err)
        self.config = self.write("off.yaml", EMPTY + "\nstore: { enabled: false }\n")
        self.chat("flurb")
        self.assertFalse((self.folder / "data").exists())

    def test_a_session_that_was_never_heard_of_exits_1(self):
        self.chat("flurb")
        code, out, err = self.run_parley("transcript", "cellar")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("nothing was kept of the session 'cellar'", err)

    def test_the_file_is_checked_copied_compacted_exported_and_imported(self):
        self.chat("flurb")
        self.assertIn("all is well", self.run_parley("store", "check")[1])
        copy = self.folder / "copy.db"
        self.assertEqual(self.run_parley("store", "backup", str(copy))[0], 0)
        self.assertIn("is there already", self.run_parley("store", "backup", str(copy))[2])
        self.assertIn("a backup needs the name", self.run_parley("store", "backup")[2])
        self.assertEqual(self.run_parley("store", "compact")[0], 0)
        code, lines, _ = self.run_parley("store", "export")
        self.assertEqual(code, 0)
        self.assertIn('"said":"flurb"', lines)
        other = f"store.path={self.folder / 'other.db'}"
        self.assertEqual(self.run_parley("store", "import", "--set", other, stdin=lines.encode())[0], 0)
        self.assertIn('"said": "flurb"', self.run_parley("log", "--json", "--set", other)[1].replace('":"', '": "'))
        code, _, err = self.run_parley("store", "import", "--set", other, stdin=b"{}\n")
        self.assertEqual(code, 2)
        self.assertIn("line 1", err)

    def test_what_is_forgotten_is_in_no_file_any_more(self):
        self.chat("where is my zebrafinch")
        self.run_parley("chat", "--session", "hall", stdin=b"the armadillo\n")
        self.assertIn("say what", self.run_parley("forget")[2])
        code, out, _ = self.run_parley("forget", "--session", "kitchen")
        self.assertEqual(code, 0)
        self.assertIn("forgotten: 1 turns", out)
        held = b"".join(path.read_bytes() for path in (self.folder / "data").rglob("*") if path.is_file())
        self.assertNotIn(b"zebrafinch", held)
        self.assertIn(b"armadillo", held)

    def test_a_file_that_is_no_store_is_said_and_left_alone(self):
        held = self.write("letter.txt", "dear all" * 100)
        said = self.run_parley("chat", "--set", f"store.path={held}", stdin=b"flurb\n")
        self.assertIn("it is no database", said[1] + said[2])
        self.assertEqual(held.read_text(), "dear all" * 100)


class Say(Folder):
    def test_what_nobody_matches_exits_1_and_keeps_stdout_empty(self):
        code, out, err = self.run_parley("say", "flurb", "the", "grommet")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("flurb the grommet", err)

    def test_json_is_one_object_a_line(self):
        code, out, _ = self.run_parley("say", "--json", "--session", "mine", stdin=b"one\n\ntwo\n")
        self.assertEqual(code, 1)
        results = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([result["status"] for result in results], ["unmatched", "unmatched"])
        self.assertEqual({result["session"]["session_id"] for result in results}, {"mine"})
        self.assertNotEqual(results[0]["utterance_id"], results[1]["utterance_id"])
        self.assertEqual(set(results[0]["source"]), {"pipeline_id", "skill_id", "intent_name"})

    def test_explain_tells_the_story_on_stdout(self):
        code, out, _ = self.run_parley("say", "--explain", "hi", "there")
        self.assertEqual(code, 1)
        self.assertIn('"hi there"', out)
        self.assertIn("handled after", out)

    def test_nothing_to_say_is_an_error(self):
        for arguments, stdin in ((("say",), b""), (("say", "-"), b"\n  \n"), (("say", "  "), b"")):
            code, out, err = self.run_parley(*arguments, stdin=stdin)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn("nothing to say", err)

    def test_any_bytes_are_an_answer_or_a_clear_error(self):
        for stdin, word in ((b"a\0b\n", "NUL"), (b"\xff\xfe\n", "UTF-8"), (b"x" * (1 << 20), "64 KiB")):
            code, out, err = self.run_parley("say", stdin=stdin)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(word, err)
        self.assertEqual(self.run_parley("say", stdin=b"(((\x1b[2J {a|b} \xe2\x80\xae\n")[0], 1)
        self.assertEqual(self.run_parley("say", stdin=b"word " * 10000)[0], 1)

    def test_a_bad_line_does_not_stop_the_others(self):
        code, out, err = self.run_parley("say", "--json", stdin=b"\xff\nfine\n")
        self.assertEqual(code, 2)
        self.assertEqual(len(out.splitlines()), 1)
        self.assertIn("line 1", err)

    def test_a_session_goes_on_from_line_to_line(self):
        out = self.run_parley("say", "--json", "--session", "s", "--lang", "en-US", stdin=b"a\nb\n")[1]
        self.assertEqual(len({json.loads(line)["id"] for line in out.splitlines()}), 1)


class Script(Folder):
    def test_as_expected(self):
        script = self.write("a.parley", "> hello\n@ unmatched\n@ silent\n\n@ wait 10min\n@ silent\n")
        code, out, err = self.run_parley("script", str(script))
        self.assertEqual((code, err), (0, ""))
        self.assertIn("1 file: 2 turns as expected", out)

    def test_a_difference_shows_both_sides_and_exits_1(self):
        script = self.write("a.parley", "# x\n> hello\n< Hello*\n@ skill greeter\n")
        code, out, _ = self.run_parley("script", str(script))
        self.assertEqual(code, 1)
        self.assertIn(f"{script}:2: > hello", out)
        self.assertIn(f"{script}:3: says", out)
        self.assertRegex(out, r"expected  Hello\*\n +got +\(nothing\)")
        self.assertRegex(out, r"expected  greeter\n +got +nobody: unmatched")

    def test_a_script_tells_what_was_not_on_the_bus(self):
        script = self.write("a.parley", "> hello\n@ message ovos.utterance.handled\n@ message ovos.utterance.speak\n"
                                        "@ wait 1s\n@ message ovos.utterance.handled {\"x\": 1}\n")
        code, out, _ = self.run_parley("script", str(script))
        self.assertEqual(code, 1)
        self.assertNotIn(f"{script}:2: message", out)
        self.assertIn(f"{script}:3: message", out)
        self.assertIn(f"{script}:5: message", out)
        self.assertIn("no such message", out)

    def test_a_bad_script_names_file_line_and_what_was_expected(self):
        script = self.write("a.parley", "> hello\nhello\n< {\n")
        code, out, err = self.run_parley("script", str(script))
        self.assertEqual((code, out), (2, ""))
        self.assertIn(f"{script}:2: expected a line that starts with", err)
        self.assertIn(f"{script}:3: ", err)

    def test_update_writes_what_came_and_then_it_is_as_expected(self):
        script = self.write("a.parley", "# keep\n> hello\n< Hello\n@ skill greeter\n")
        self.assertEqual(self.run_parley("script", "--update", str(script))[0], 0)
        self.assertEqual(script.read_text(), "# keep\n> hello\n@ silent\n@ unmatched\n")
        self.assertEqual(self.run_parley("script", str(script))[0], 0)

    def test_stdin_and_missing_files(self):
        self.assertEqual(self.run_parley("script", stdin=b"> x\n@ unmatched\n")[0], 0)
        self.assertEqual(self.run_parley("script", "-", stdin=b"> x\n< y\n")[0], 1)
        self.assertEqual(self.run_parley("script", "--update", stdin=b"> x\n")[0], 2)
        code, _, err = self.run_parley("script", str(self.folder / "none.parley"))
        self.assertEqual(code, 2)
        self.assertIn("none.parley: No such file", err)

    def test_several_are_counted_together_and_a_fault_costs_its_own_file(self):
        good = self.write("good.parley", "> hello\n@ unmatched\n")
        differs = self.write("differs.parley", "> hello\n< Hello\n")
        late = self.write("late.parley", "@ clock 2026-12-24T18:00:00Z\n> hello\n@ unmatched\n")
        bad = self.write("bad.parley", '@ session {"lang": 5}\n> x\n')
        code, out, _ = self.run_parley("script", str(good), str(late), str(differs))
        self.assertEqual(code, 1)
        self.assertIn(f"{differs}:2: says", out)
        self.assertIn("3 files: 1 of 3 turns not as expected", out)
        code, out, err = self.run_parley("script", str(bad), str(good))
        self.assertEqual((code, out), (2, "2 files: 1 turn as expected\n"))
        self.assertIn(f"{bad}:1: '@ session': lang", err)
        self.assertEqual(self.run_parley("script", "--update", str(good), str(differs))[0], 0)
        self.assertEqual(differs.read_text(), "> hello\n@ silent\n")

    def test_a_bad_session_field_is_named(self):
        code, _, err = self.run_parley("script", stdin=b'@ session {"lang": 5}\n> x\n')
        self.assertEqual(code, 2)
        self.assertIn("stdin:1: '@ session': lang", err)


class Check(Folder):
    def test_everything_wrong_is_listed_at_once(self):
        self.config.write_text("langauge: {}\nworkers: many\nskills: { shipped: false }\n", encoding="utf-8")
        code, out, _ = self.run_parley("check")
        self.assertEqual(code, 2)
        self.assertIn(f"{self.config}:1:1: ", out)
        self.assertIn("did you mean 'language'?", out)
        self.assertIn(f"{self.config}:2:", out)
        self.assertRegex(out, r"\n\d+ problems\n$")

    def test_tokens_and_certificates_are_looked_at_as_well(self):
        self.write("tokens.yaml", "clients:\n  phone: {token_sha256: abc, colour: red}\n")
        gateway = "gateway: { tokens: tokens.yaml, certificate: none.pem }\n"
        self.config.write_text(EMPTY + gateway, encoding="utf-8")
        code, out, _ = self.run_parley("check")
        self.assertEqual(code, 2)
        self.assertIn("tokens.yaml:2:25: 'clients.phone.token_sha256' must be 64 hexadecimal digits", out)
        self.assertIn("unknown key 'clients.phone.colour'", out)
        self.assertIn("gateway.certificate: ", out)
        self.config.write_text(EMPTY + "gateway: { listen: 0.0.0.0 }\n", encoding="utf-8")
        self.assertIn("refused without gateway.tokens", self.run_parley("check")[1])
        self.config.write_text(EMPTY + "gateway: { tokens: none.yaml }\n", encoding="utf-8")
        self.assertIn("none.yaml: can't be read", self.run_parley("check")[1])

    def test_what_works_and_is_dangerous_is_warned_of(self):
        certificate = self.write("old.pem", EXPIRED)
        tokens = self.write("tokens.yaml", "clients:\n  phone: {token_sha256: " + "0" * 64 + "}\n")
        plugins = self.folder / "plugins"
        plugins.mkdir()
        (plugins / "libparley_stage_x.so").write_bytes(b"")
        text = EMPTY.replace("plugins: { shipped: false }", "plugins: { shipped: false, directories: [plugins] }")
        self.config.write_text(text + "gateway: { tokens: tokens.yaml, certificate: old.pem }\n", encoding="utf-8")
        tokens.chmod(0o600)
        certificate.chmod(0o600)
        out = self.run_parley("check")[1]
        self.assertRegex(out, r"warning: +.*empty.yaml:5:\d+: gateway.certificate: '.*old.pem' has expired")
        self.assertNotIn("chmod", out)
        tokens.chmod(0o644)
        plugins.chmod(0o777)
        (plugins / "libparley_stage_x.so").chmod(0o666)
        out = self.run_parley("check")[1]
        self.assertRegex(out, r"warning: +.*empty.yaml:5:\d+: gateway.tokens: everybody on this machine can read '.*tokens.yaml'")
        self.assertRegex(out, r"'.*/plugins' holds code that is loaded, and everybody can write to it")
        self.assertRegex(out, r"'.*/libparley_stage_x.so' holds code that is loaded, and everybody can write to it")

    def test_what_is_probably_not_meant_is_told_once_with_its_place(self):
        override = self.write("override", "x\n")
        (self.folder / "overrides" / "nobody.test").mkdir(parents=True)
        override.rename(self.folder / "overrides" / "nobody.test" / "x.dialog")
        code, out, _ = self.run_parley("check")
        self.assertEqual(code, 1)
        self.assertIn(f"{self.config}:1:11: 'pipeline' is empty: nobody is asked", out)
        self.assertIn("nobody.test: overrides nobody: 'nobody.test' is neither a skill that is installed nor a stage", out)
        self.assertRegex(out, r"\n2 problems\n$")

    def test_stages_folders_and_entries_that_are_not_there_are_told_once_with_their_place(self):
        self.config.write_text("pipeline: [nothing]\nplugins:\n  shipped: false\n  directories: [nowhere]\n"
                               "skills: { shipped: false }\nstages:\n  intnet: {}\n", encoding="utf-8")
        code, out, err = self.run_parley("check")
        self.assertEqual((code, err), (2, ""))
        for place, what in (("1:12", "'pipeline' names 'nothing', which no stage declares"),
                            ("4:16", "'plugins.directories' names 'nowhere', but there is no such folder"),
                            ("7:11", "stage intnet: 'libparley_stage_intnet.so' was not found")):
            self.assertIn(f"{self.config}:{place}: {what}", out)
        self.assertRegex(out, r"\n3 problems\n$")

    def test_the_configuration_that_is_in_order_is_named(self):
        self.config.write_text("language: { enabled: [en-US] }\n", encoding="utf-8")
        code, out, err = self.run_parley("check")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, f"configuration: {self.config}\nEverything is in order.\n")

    def test_a_certificate_without_its_key_and_tabs_are_said_in_words(self):
        certificate = EXPIRED.split("-----BEGIN PRIVATE KEY-----", maxsplit=1)[0]
        self.write("alone.pem", certificate)
        self.config.write_text(EMPTY + "gateway: { certificate: alone.pem }\n", encoding="utf-8")
        out = self.run_parley("check")[1]
        self.assertRegex(out, rf"{self.config}:5:\d+: gateway.certificate: '.*alone.pem' holds no private key: name the file")
        self.config.write_text("logging:\n\tlevel: info\n", encoding="utf-8")
        code, out, _ = self.run_parley("check", "--set", "skills.shipped=false")
        self.assertEqual(code, 2)
        self.assertIn(f"{self.config}:2:1: not valid YAML: the line is indented with a tab; indent with spaces", out)

    def test_levels_have_one_set_of_names_and_info_tells_each_turn(self):
        _, _, err = self.run_parley("say", "--log-level", "info", "flurb")
        self.assertIn('[turn] not understood, in en-US: "flurb"', err)
        self.config.write_text(EMPTY + "logging: { level: info, format: json }\n", encoding="utf-8")
        _, _, err = self.run_parley("say", "flurb")
        lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
        self.assertIn(("info", "turn", 'not understood, in en-US: "flurb"'),
                      [(line["level"], line["who"], line["text"]) for line in lines])
        self.config.write_text(EMPTY + "logging: { level: warn }\n", encoding="utf-8")
        self.assertIn("must be one of debug, info, warning, error, off", self.run_parley("check")[1])
        self.assertIn("debug,info,warning,error,off", "".join(self.run_parley("say", "--log-level", "warn", "x")[1:]).replace(" ", ""))

    def test_what_cannot_be_printed_fails(self):
        for arguments in (["check"], ["pipeline"], ["skills"], ["--version"], ["--help"], ["check", "--help-config"], ["say", "--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, "--config", str(self.config), *arguments], stdout=full,
                                      stderr=subprocess.PIPE, timeout=LIMIT, env=self.environment)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(b"writing to standard output failed: No space left on device", done.stderr)

    def test_files_without_an_end_and_pipes_are_refused_by_name(self):
        code, _, err = self.run_parley("intents", "--test", "/dev/zero")
        self.assertEqual(code, 2)
        self.assertIn("/dev/zero: more than 64 MiB", err)
        code, _, err = self.run_parley("script", "/dev/zero")
        self.assertEqual(code, 2)
        self.assertIn("/dev/zero: more than 16 MiB", err)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.config.write_text(EMPTY + f"gateway: {{ tokens: {pipe}, certificate: {pipe} }}\n", encoding="utf-8")
        out = self.run_parley("check")[1]
        self.assertIn(f"{pipe}: is a pipe, not a regular file (gateway.tokens names it)", out)
        self.assertIn(f"gateway.certificate: '{pipe}' is a pipe, not a regular file", out)
        self.config = pipe
        code, _, err = self.run_parley("pipeline")
        self.assertEqual(code, 2)
        self.assertIn(f"{pipe}: is a pipe, not a regular file", err)

    def test_a_faulty_configuration_starts_nothing_and_prints_all_faults(self):
        self.config.write_text("langauge: {}\nworkers: many\nskills: { shipped: false }\n", encoding="utf-8")
        code, out, err = self.run_parley("say", "x")
        self.assertEqual((code, out), (2, ""))
        self.assertIn(":1:1:", err)
        self.assertIn(":2:", err)

    def test_help_config_lists_the_keys(self):
        code, out, _ = self.run_parley("check", "--help-config")
        self.assertEqual(code, 0)
        self.assertIn("pipeline", out)

    def test_the_file_that_comes_along_is_what_the_tables_of_all_parts_say(self):
        self.config = SHIPPED
        code, out, _ = self.run_parley("check", "--default-config")
        self.assertEqual(code, 0)
        self.maxDiff = None
        # Written with: parley --config config/parley.yaml check --default-config
        self.assertEqual(out, SHIPPED.read_text(encoding="utf-8"))

    def test_check_isolation_tries_every_limit(self):
        code, out, err = self.run_parley("check", "--isolation")
        lines = [line.split(None, 1) for line in out.splitlines()]
        self.assertEqual([line[0] for line in lines], ["memory", "cpu", "open_files", "network", "programs", "writes"])
        held = [line[1].startswith("holds (") for line in lines]
        self.assertTrue(all(holds or line[1].startswith("does not hold: ") for holds, line in zip(held, lines)), out)
        self.assertTrue(held[2], out)  # any Linux can do that
        self.assertEqual((code, err), (0 if all(held) else 1, ""))

    def test_host_skill_is_not_for_people(self):
        done = subprocess.run([PROGRAM, "host-skill"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("host-skill is for parley itself", done.stderr)

    def test_lists_of_nothing_say_so(self):
        for command in ("skills", "intents", "pipeline"):
            code, out, _ = self.run_parley(command)
            self.assertEqual(code, 0)
            self.assertRegex(out, "^(No |The pipeline is empty)")
            self.assertEqual(json.loads(self.run_parley(command, "--json")[1]), [])


class Intents(Folder):
    def test_cases_are_played_and_counted(self):
        good = self.write("good.txt", "# nobody is there\n@ lang en-US\n- | flurb the grommet\n")
        code, out, err = self.run_parley("intents", "--test", str(good))
        self.assertEqual((code, out, err), (0, "1 case: 1 as expected\n", ""))
        bad = self.write("bad.txt", "- | hi\na.b:play {what=jazz} | play jazz\na.b:play | play it\n")
        code, out, _ = self.run_parley("intents", "--test", str(bad))
        self.assertEqual(code, 1)
        self.assertIn(f"{bad}:2: play jazz\n    expected  a.b:play {{what=jazz}}\n    got       -\n", out)
        self.assertIn("3 cases: 1 as expected, 2 with another intent, 0 with other slots", out)
        self.assertRegex(out, r"\na\.b:play +-> +- +2\n")

    def test_cases_that_can_not_be_read_are_all_named(self):
        cases = self.write("cases.txt", "play\n- |\n- | fine\n")
        code, out, err = self.run_parley("intents", "--test", str(cases))
        self.assertEqual((code, out), (2, ""))
        self.assertIn(f"{cases}:1: expected", err)
        self.assertIn(f"{cases}:2: nothing is said", err)
        for name in ("none.txt", "."):
            code, out, err = self.run_parley("intents", "--test", str(self.folder / name))
            self.assertEqual((code, out), (2, ""))
            self.assertIn(str(self.folder), err)
        self.assertIn("no case", self.run_parley("intents", "--test", str(self.write("empty.txt", "# x\n")))[2])

    def test_nothing_collides_with_nothing(self):
        code, out, _ = self.run_parley("intents", "--collisions")
        self.assertEqual((code, out), (0, "No two skills claim the same sentence.\n"))
        found = json.loads(self.run_parley("intents", "--collisions", "--json")[1])
        self.assertEqual(found, {"collisions": [], "complete": True})
        self.assertEqual(self.run_parley("intents", "--collisions", "--test", "x")[0], 2)


class ChatOnPipe(Folder):
    def test_lines_are_turns_and_commands_without_any_prompt(self):
        code, out, err = self.run_parley("chat", stdin=b"hello\n/explain\n/session new\n/session show\n/lang xx\n/hlep\n")
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith('"hello"'), out)
        self.assertIn('"session_id": "chat-1"', out)
        self.assertNotIn("> ", out)
        for part in ("Nobody knew", "Session chat-1", "'xx' is not enabled", "did you mean /help"):
            self.assertIn(part, err)

    def test_no_command_is_chat_and_quit_ends_it(self):
        code, out, _ = self.run_parley(stdin=b"/help\n/quit\n/pipeline\n")
        self.assertEqual(code, 0)
        self.assertIn("/explain", out)
        self.assertNotIn("The pipeline", out)


class ChatOnTerminal(Folder):
    def setUp(self):
        super().setUp()
        self.process, self.terminal = None, None
        self.seen = ""

    def begin(self):
        master, slave = pty.openpty()
        command = [PROGRAM, "--config", str(self.config)]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=self.environment, start_new_session=True,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0))
        os.close(slave)
        self.terminal = master
        self.addCleanup(self.end)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None

    def read_some(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # the other end is closed
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)

    def expect(self, text):
        """Reads until the text has been shown; what was shown up to its end is forgotten."""
        until = time.monotonic() + LIMIT
        while text not in self.seen:
            if not self.read_some(until - time.monotonic()):
                self.fail(f"{text!r} was not shown, but {self.seen!r}")
        self.seen = self.seen.split(text, 1)[1]

    def type(self, text):
        os.write(self.terminal, text.encode())

    def exit_code(self):
        until = time.monotonic() + LIMIT
        while self.process.poll() is None and time.monotonic() < until:
            self.read_some(0.01)
        return self.process.poll()

    def test_a_conversation_with_history_kept_between_runs(self):
        self.begin()
        self.expect("parley ")
        self.expect("> ")
        self.type("grüß gott\r")
        self.expect("Nobody knew")
        self.expect("> ")
        self.type("\x04")
        self.assertEqual(self.exit_code(), 0)
        self.end()
        history = self.folder / "state" / "parley" / "history"
        self.assertTrue(history.exists())
        self.assertEqual(history.stat().st_mode & 0o077, 0)
        self.seen = ""
        self.begin()
        self.expect("> ")
        self.type("\x1b[A")
        self.expect("grüß gott")
        self.type("\r")
        self.expect("Nobody knew")

    def test_a_command_is_completed(self):
        self.begin()
        self.expect("> ")
        self.type("/sk\t\r")
        self.expect("No skills.")

    def test_ctrl_c_gives_up_the_line_and_twice_the_program(self):
        self.begin()
        self.expect("> ")
        self.type("half a li\x03")
        self.expect("ends")
        self.expect("> ")
        self.type("/lang\r")
        self.expect("You speak en-US")
        self.expect("> ")
        self.type("\x03")
        self.expect("ends")
        self.type("\x03")
        self.assertEqual(self.exit_code(), 0)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
