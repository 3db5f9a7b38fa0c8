"""Holds answers against a description in OpenAPI 3.1: as much of JSON Schema as ours uses."""

import json
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"type", "properties", "required", "items", "enum", "$ref", "additionalProperties", "anyOf", "description", "format", "minimum", "maximum", "pattern", "default", "minItems", "examples"}


def has_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Schemas:
    def __init__(self, description):
        self.all = description
        self.paths = {path: (re.compile(re.sub(r"\\\{\w+\\\}", "[^?]+", re.escape(path)) + r"(\?.*)?"), one) for path, one in description["paths"].items()}
        self.seen = set()

    def operation(self, method, target):
        for path in sorted(self.paths, key=lambda one: ("{" in one, -len(one))):
            pattern, one = self.paths[path]
            if pattern.fullmatch(target) and method.lower() in one:
                self.seen.add((method, path))
                return one[method.lower()]
        raise AssertionError(f"{method} {target} is not described")

    def resolve(self, schema):
        while "$ref" in schema:
            at = self.all
            for key in schema["$ref"].removeprefix("#/").split("/"):
                at = at[key]
            schema = at
        return schema

    def check(self, method, target, status, body, kind="application/json"):
        answers = self.operation(method, target)["responses"]
        if str(status) not in answers:
            raise AssertionError(f"{method} {target} answers {status}, which is not described: {body[:300]}")
        content = self.resolve(answers[str(status)]).get("content")
        if content is None:
            assert not body, f"{method} {target}: {status} has a body: {body[:200]}"
            return
        kind = kind.split(";")[0]
        assert kind in content, f"{method} {target} answers {kind}, described are {list(content)}"
        if kind == "application/json":
            self.fits(json.loads(body), content[kind]["schema"], f"{method} {target} {status}")

    def fits(self, value, schema, place):
        unknown = schema.keys() - KNOWN
        assert not unknown, f"{place}: this checker does not know {unknown}"
        schema = self.resolve(schema)
        if "anyOf" in schema:
            faults = []
            for one in schema["anyOf"]:
                try:
                    return self.fits(value, one, place)
                except AssertionError as fault:
                    faults.append(str(fault))
            raise AssertionError(f"{place} fits none: {faults}")
        names = schema.get("type", [])
        names = [names] if isinstance(names, str) else names
        assert not names or any(has_type(value, name) for name in names), f"{place} is {str(value)[:80]!r} and should be {names}"
        if "enum" in schema:
            assert value in schema["enum"], f"{place} is {value!r} and should be one of {schema['enum']}"
        if isinstance(value, dict):
            known = schema.get("properties", {})
            for key in schema.get("required", []):
                assert key in value, f"{place} has no {key!r}: {str(value)[:200]}"
            rest = schema.get("additionalProperties", not known)
            for key, one in value.items():
                inner = known.get(key, rest)
                assert inner is not False, f"{place}.{key} is not described"
                if isinstance(inner, dict):
                    self.fits(one, inner, f"{place}.{key}")
        if isinstance(value, list) and "items" in schema:
            for at, one in enumerate(value):
                self.fits(one, schema["items"], f"{place}[{at}]")

    def unused(self):
        return sorted((method.upper(), path) for path, (_, methods) in self.paths.items() for method in methods
                      if method != "parameters" and (method.upper(), path) not in self.seen)
