#!/usr/bin/env python3
"""The console and the description of the API as `parley serve` hands them out. Needs no browser.

Usage: console_test.py PARLEY CONFIG
"""

import hashlib
import json
import re
from pathlib import Path

from openapi import Schemas
from served import Served, main

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tools" / "console"


class Files(Served):
    def test_every_file_is_handed_out_as_it_is_in_the_tree(self):
        kinds = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
        for file in (one for one in SOURCES.rglob("*") if one.is_file()):
            with self.subTest(file=file.name):
                status, headers, body = self.get(f"/console/{file.relative_to(SOURCES)}")
                self.assertEqual(status, 200)
                self.assertEqual(body, file.read_bytes())
                self.assertEqual(headers["Content-Type"].split(";")[0], kinds[file.suffix])
                self.assert_guarded(headers)
        self.assertEqual(self.get("/")[2], (SOURCES / "index.html").read_bytes())

    def assert_guarded(self, headers):
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
        self.assertEqual(policy["default-src"], "'none'")
        self.assertEqual(policy["frame-ancestors"], "'none'")
        for name, value in policy.items():
            with self.subTest(policy=name):
                self.assertIn(value, ("'none'", "'self'", "'script'"))

    def test_who_has_a_file_is_not_sent_it_again(self):
        _, headers, body = self.get("/console/app.js")
        self.assertEqual(headers["Cache-Control"], "no-cache")
        for tag in (headers["ETag"], f'W/{headers["ETag"]}', f'"other", {headers["ETag"]}', "*"):
            with self.subTest(tag=tag):
                status, again, nothing = self.get("/console/app.js", If_None_Match=tag)
                self.assertEqual((status, nothing), (304, b""))
                self.assertEqual(again["ETag"], headers["ETag"])
        status, _, whole = self.get("/console/app.js", If_None_Match='"other"')
        self.assertEqual((status, whole), (200, body))

    def test_head_has_the_headers_and_no_body(self):
        _, headers, body = self.get("/")
        status, head, nothing = self.ask("HEAD", "/")
        self.assertEqual((status, nothing), (200, b""))
        self.assertEqual(int(head["Content-Length"]), len(body))
        self.assertEqual(head["ETag"], headers["ETag"])

    def test_what_is_no_file_is_not_there(self):
        for path in ("/console", "/console/", "/console/no.js", "/console/../docs/openapi.json", "/console/%2e%2e/x", "/docs/openapi.json"):
            with self.subTest(path=path):
                self.assertEqual(self.get(path)[0], 404)
        status, headers, _ = self.ask("POST", "/", {})
        self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD"))

    def test_the_page_has_no_script_or_style_of_its_own(self):
        page = (SOURCES / "index.html").read_text(encoding="utf-8")
        self.assertNotRegex(page, r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:")
        for file in SOURCES.rglob("*.js"):
            self.assertNotRegex(file.read_text(encoding="utf-8"), r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", file.name)

    def test_both_languages_say_everything(self):
        words = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in (SOURCES / "lang").glob("*.json")}
        self.assertEqual(sorted(words), ["de", "en"])
        self.assertEqual(words["en"].keys(), words["de"].keys())
        for key, text in words["en"].items():
            self.assertEqual(set(re.findall(r"\{\w+\}", text)), set(re.findall(r"\{\w+\}", words["de"][key])), key)
        source = "".join(file.read_text(encoding="utf-8") for file in SOURCES.glob("*.js"))
        for key in re.findall(r'\bt\("([\w.]+)"', source):
            self.assertIn(key, words["en"])
        families = set(re.findall(r"`(\w+)\.\$\{", source))
        for key in words["en"]:
            self.assertTrue(f'"{key}"' in source or key.split(".")[0] in families, f"nothing says {key}")

    def test_there_is_something_to_do_for_whoever_needs_no_token(self):
        self.assertEqual(self.json("/v1/me"), {"owner": "local", "rights": ["talk", "read", "write", "admin"], "token": False})


class Off(Served):
    settings = {"gateway.console": "false"}

    def test_it_can_be_switched_off(self):
        for path in ("/", "/console/app.js"):
            self.assertEqual(self.get(path)[0], 404)
        self.assertEqual(self.get("/v1/openapi.json")[0], 200)


class WithTokens(Served):
    tokens = "clients:\n" + "".join(
        f"  {who}: {{ token_sha256: {hashlib.sha256(who.encode()).hexdigest()}, rights: [{rights}] }}\n"
        for who, rights in (("talker", "talk"), ("reader", "read"), ("owner", "admin")))

    def test_the_page_needs_no_token_and_what_it_asks_for_does(self):
        self.assertEqual(self.get("/")[0], 200)
        self.assertEqual(self.get("/console/app.js")[0], 200)
        for path in ("/v1/me", "/v1/openapi.json", "/v1/skills", "/v1/system", "/console/no.js"):
            with self.subTest(path=path):
                self.assertEqual(self.get(path)[0], 401)

    def test_it_is_told_what_its_token_may(self):
        rights = {who: self.json("/v1/me", Authorization=f"Bearer {who}")["rights"] for who in ("talker", "reader", "owner")}
        self.assertEqual(rights, {"talker": ["talk"], "reader": ["read"], "owner": ["talk", "read", "write", "admin"]})
        self.assertEqual(self.json("/v1/me", Authorization="Bearer talker")["owner"], "talker")
        for who, status in (("talker", 403), ("reader", 403), ("owner", 200)):
            for path in ("/v1/system", "/v1/collisions", "/v1/config", "/v1/connections", "/v1/skills/countries.parley"):
                self.assertEqual(self.get(path, Authorization=f"Bearer {who}")[0], status)
            for what in ("reload", "disable", "enable"):
                self.assertEqual(self.ask("POST", f"/v1/skills/countries.parley/{what}", Authorization=f"Bearer {who}")[0], status)
            self.assertEqual(self.ask("PUT", "/v1/skills/number_game.parley/settings", {"highest": 20}, Authorization=f"Bearer {who}")[0], status)


class Api(Served):
    def test_the_description_names_what_there_is_and_nothing_else(self):
        described = {(method.upper(), path) for path, methods in self.description()["paths"].items() for method in methods if method != "parameters"}
        source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "core" / "serve").glob("*.cpp"))
        written = set(re.findall(r'(?:Endpoint\{|emplace_back\()\s*"(GET|POST|PUT|DELETE)", "(/[^"]+)"', source))
        names = lambda routes: {(method, re.sub(r"\{\w+\}", "{}", path)) for method, path in routes}  # noqa: E731
        self.assertGreater(len(written), 20)
        self.assertEqual(names(described), names(written) | {("GET", "/core")})

    def description(self):
        return self.json("/v1/openapi.json")

    def test_what_is_answered_is_what_is_described(self):
        schemas = Schemas(self.description())
        said = self.ask("POST", "/run", {"id": "me", "text": "what is the capital of France"})
        schemas.check("POST", "/run", said[0], said[2])
        turn = json.loads(said[2])["utterance_id"]
        waited = 0
        while self.get(f"/v1/turns/{turn}")[0] == 404 and waited < 3000:
            waited += 1  # the log is written behind
        asked = {"query_text": "France", "agent_id": "local", "session_id": "me", "query_scope": "private", "top_k": 3, "response_mode": "structured_evidence"}
        found = self.ask("POST", "/v1/query", asked)
        schemas.check("POST", "/v1/query", found[0], found[2])
        event = {"event_id": "e1", "event_type": "note", "time": "2026-01-31T07:30:00Z", "agent_id": "local", "session_id": "me", "text": "the key is under the pot"}
        for method, path, body in (
                ("POST", "/v1/explain", {"id": "me", "text": "what time is it"}), ("POST", "/run", {"id": 7}), ("POST", "/v1/explain", "no"),
                ("GET", "/last_response", None), ("GET", "/health", None), ("GET", "/metrics", None), ("GET", "/v1/pipeline", None),
                ("GET", "/v1/skills", None), ("GET", "/v1/intents", None), ("GET", "/v1/me", None), ("GET", "/v1/openapi.json", None),
                ("GET", "/v1/system", None), ("GET", "/v1/config", None), ("GET", "/v1/connections?limit=1", None), ("GET", "/v1/connections?after=no", None),
                ("GET", "/v1/skills/number_game.parley", None), ("GET", "/v1/skills/no", None),
                ("PUT", "/v1/skills/number_game.parley/settings", {"highest": 50}), ("PUT", "/v1/skills/number_game.parley/settings", {"highest": 5, "no": 1}),
                ("PUT", "/v1/skills/no/settings", {}), ("PUT", "/v1/skills/number_game.parley/settings", "no"),
                ("POST", "/v1/skills/number_game.parley/disable", None), ("GET", "/v1/skills", None), ("GET", "/v1/skills/number_game.parley", None),
                ("PUT", "/v1/skills/number_game.parley/settings", {"highest": 50}), ("POST", "/v1/skills/number_game.parley/enable", None),
                ("POST", "/v1/skills/no/disable", None), ("POST", "/v1/skills/no/enable", None),
                ("POST", "/v1/skills/countries.parley/reload", None),
                ("POST", "/v1/skills/no/reload", None), ("GET", "/v1/collisions", None), ("GET", "/v1/sessions/default", None),
                ("GET", "/v1/sessions", None), ("GET", "/v1/sessions?state=no", None), ("GET", "/v1/sessions/me", None), ("GET", "/v1/sessions/no", None),
                ("GET", "/v1/sessions/me/transcript", None), ("GET", "/v1/turns?limit=1", None), ("GET", "/v1/turns?limit=0", None),
                ("GET", f"/v1/turns/{turn}", None), ("GET", "/v1/turns/no", None), ("GET", "/v1/unmatched", None), ("GET", "/v1/log", None),
                ("POST", "/v1/query", {"query_text": ""}), ("POST", "/v1/ingest/events", {"events": [event]}), ("POST", "/v1/ingest/events", {}),
                ("GET", "/v1/objects/mem_e1", None), ("GET", "/v1/objects/no", None), ("GET", "/v1/evidence/stats", None),
                ("POST", "/v1/forget", {"session_id": "me"}), ("POST", "/v1/forget", {}), ("DELETE", "/v1/sessions/me", None), ("GET", "/core", None)):
            with self.subTest(request=f"{method} {path}", body=body):
                status, headers, answer = self.ask(method, path, body)
                schemas.check(method, path, status, answer, headers.get("Content-Type", ""))
        self.assertEqual(schemas.unused(), [], "described, and never asked for")


if __name__ == "__main__":
    main()
