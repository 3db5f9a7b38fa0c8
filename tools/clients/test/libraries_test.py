#!/usr/bin/env python3
"""What the client libraries have in common with each other, with parley, and with the page about them.

Usage: libraries_test.py PARLEY CONFIG
"""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import served
import table
from served import LIMIT, PAGE, TREE, Program, Stored

sys.path.insert(0, str(TREE / "tools/clients/python"))
import page  # noqa: E402
import parley_skill  # noqa: E402


@unittest.skipUnless(shutil.which("node"), "Node is not installed")
class Browser(Stored):
    """The module finds in a browser what it needs, and nothing of Node."""

    def test_a_page_can_be_a_skill_and_leave_again(self):
        script = f"""
            import {{ webSocketOfNode }} from {json.dumps(Libraries.LIBRARIES[1].as_uri())};
            globalThis.WebSocket = await webSocketOfNode();
            globalThis.process = {{ nextTick: process.nextTick }}; // for node-ws
            const {{ Skill }} = await import({json.dumps(Libraries.LIBRARIES[1].as_uri() + "?again")});
            const skill = new Skill("features.test");
            skill.intent("leave", {{ "en-US": ["leave the page"] }}, async (turn) => {{
              turn.speak("Good bye.");
              setTimeout(() => skill.close());
            }});
            await skill.serve({json.dumps(self.core)}, {{ ready: () => console.log("is at") }});
            console.log("has left");
        """
        page_of_browser = Program(self, ["node", "--input-type=module", "-e", script])
        page_of_browser.told("is at")
        self.expect("leave the page", "Good bye.")
        page_of_browser.told("has left")
        self.assertEqual(page_of_browser.process.wait(LIMIT), 0)


class Libraries(unittest.TestCase):
    """What both have in common, and the pages about them."""

    LIBRARIES = TREE / "tools/clients/python/parley_skill.py", TREE / "tools/clients/javascript/parley_skill.mjs"

    def topics_in(self, library):
        text = library.read_text(encoding="utf-8")
        found = set(re.findall(r"[\"'`]((?:ovos|parley)\.[a-z_.]+[a-z])[\"'`]", text))
        found |= {f"<skill_id>{rest}" for rest in re.findall(r"\{this\.id\}([.:][a-z_.]+)|\{self\.id\}([.:][a-z_.]+)", text)
                  for rest in rest if rest}
        for request in re.findall(r"parley\.storage\.\$?\{what\}", text)[:1]:
            found |= {f"parley.storage.{what}" for what in re.findall(r"[_#]ask\(\"(\w+)\"", text)}
        for request in re.findall(r"ovos\.intent\.register\.\$?\{method\}", text)[:1]:
            found |= {f"ovos.intent.register.{method}" for method in re.findall(r"register\(\"(\w+)\"", text)}
        own = re.search(r"own = \[.*?, (\"fallback\".*?)\]", text)[1]
        found |= {f"<skill_id>:{name}" for name in re.findall(r"\"(\w+)\"", own)} | {"<skill_id>:<intent_name>"}
        return found | {f"{topic}.response" for topic in found if topic.startswith("parley.")}

    def test_every_topic_of_theirs_is_in_the_table_and_the_other_way_round(self):
        listed = set(table.read(PAGE))
        for library in self.LIBRARIES:
            self.assertEqual(self.topics_in(library), listed, library)

    def test_what_means_yes_no_and_cancel_is_what_it_means_to_parley(self):
        locale = TREE / "core/resources/locale"
        checked = []
        for folder in sorted(locale.iterdir()):
            said = parley_skill.Said(parley_skill.Skill("words.test"), parley_skill.Message("x", {"lang": folder.name}, {}))
            for what in ("yes", "no", "cancel"):
                for line in (folder / f"{what}.voc").read_text(encoding="utf-8").splitlines():
                    for phrase in [] if line.startswith("#") or not line.strip() else phrases_of(line):
                        self.assertTrue(said.says(what, phrase, whole=True), (folder.name, what, phrase))
                        checked.append([folder.name, what, phrase])
            self.assertFalse(said.says("yes", "flurb"))
            self.assertFalse(said.says("cancel", "flurb"))
        self.assertGreater(len(checked), 250)
        if shutil.which("node"):
            script = f"""
                import {{ Said, Skill }} from {json.dumps(self.LIBRARIES[1].as_uri())};
                const skill = new Skill("words.test");
                const said = new Said(skill, {{ data: {{}}, context: {{}} }});
                const says = ([lang, what, text]) => said.says(what, text, lang, true);
                console.log(JSON.stringify({json.dumps(checked)}.filter((one) => !says(one))));
                console.log(says(["en-US", "yes", "flurb"]), says(["en-US", "cancel", "x cancel x"]));
            """
            done = subprocess.run(["node", "--input-type=module", "-"], input=script, capture_output=True, text=True,
                                  timeout=LIMIT)
            self.assertEqual((done.stdout, done.stderr), ("[]\nfalse false\n", ""))

    def test_a_yes_or_a_no_comes_first_or_is_half_of_what_is_said_or_ends_a_few_words(self):
        cases = [
            ("en-US", "yes please", True), ("en-US", "um, yes", True), ("en-US", "yes I want you to delete all of them", True),
            ("en-US", "that's right", True), ("en-US", "I'd say no", False), ("en-US", "please don't", False),
            ("en-US", "what's the right time", None), ("en-US", "is it fine in Vienna today", None), ("en-US", "yes and no", None),
            ("en-US", "", None), ("de-DE", "na ja, ja", True), ("de-DE", "bitte", True), ("de-AT", "ich glaube ja", True),
            ("de-DE", "stimmt nicht", False), ("de-DE", "wie spät ist es bitte", None), ("de-DE", "wie spät bitte", None),
            ("de-DE", "bitte sag mir wie spät es ist", None), ("fr-FR", "je crois que oui", True), ("es-ES", "pues claro", True),
            ("pt-PT", "acho que não", False), ("xx", "yes", None)]
        skill = parley_skill.Skill("words.test")
        for lang, text, expected in cases:
            said = parley_skill.Said(skill, parley_skill.Message("x", {"lang": lang}, {}))
            self.assertIs(said.yes_or_no(text), expected, (lang, text))
        if shutil.which("node"):
            script = f"""
                import {{ Said, Skill }} from {json.dumps(self.LIBRARIES[1].as_uri())};
                const said = new Said(new Skill("words.test"), {{ data: {{}}, context: {{}} }});
                const isWrong = ([lang, text, expected]) => said.yesOrNo(text, lang) !== expected;
                console.log(JSON.stringify({json.dumps(cases)}.filter(isWrong)));
            """
            done = subprocess.run(["node", "--input-type=module", "-"], input=script, capture_output=True, text=True,
                                  timeout=LIMIT)
            self.assertEqual((done.stdout, done.stderr), ("[]\n", ""))

    def test_phrases_of_a_dialog_have_the_same_slots(self):
        with self.assertRaisesRegex(ValueError, "'hello' in en-US must have the same slots"):
            parley_skill.Skill("dialog.test").dialogs({"en-US": {"hello": ["Hello {name}.", "Hello."]}})


def phrases_of(template):
    """Every phrase of a template without slots."""
    template = template.replace("[", "(|").replace("]", ")")
    group = re.search(r"\(([^()]*)\)", template)
    if not group:
        return [" ".join(template.split())]
    return [phrase for branch in group[1].split("|")
            for phrase in phrases_of(template[:group.start()] + branch + template[group.end():])]


class Page(Stored):
    """docs/remote_skills.md, as it stands; but for the port, which is this server's."""

    def test_what_the_page_shows_is_so(self):
        folder = self.folder / "home"
        folder.mkdir()
        shown = self.folder / PAGE.name
        port = re.search(r":(\d+)", self.http)[1]
        shown.write_text(PAGE.read_text(encoding="utf-8").replace("8181", port), encoding="utf-8")
        programs = Path(served.examples_test.PARLEY).parent
        environment = {"HOME": str(folder), "PARLEY_URL": self.core, "LANG": "C.UTF-8",
                       "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin"}
        commands, files = page.play(self, shown, folder, environment)
        self.assertGreater(commands, 5)
        self.assertGreater(files, 1)


if __name__ == "__main__":
    served.main()
