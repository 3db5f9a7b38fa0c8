#!/usr/bin/env python3
"""The five minutes of docs/authors.md, in a root where nothing but Debian is, from the packages on.

Usage: clean_root_test.py BUILD [ROOT]: a build folder in which everything is built, and a folder with a Debian 12 as debootstrap
makes it, if there is one already; it is copied. Needs root and debootstrap. Packages come from where this machine's apt
gets those of Debian.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import page  # noqa: E402

BUILD = ROOT = None
TREE = Path(__file__).resolve().parents[2]
LIMIT = 900
RELEASE = "bookworm"
# What apt installs with the package unless it is told not to.
RECOMMENDED = ("wordnet-base",)
# What docs/authors.md says that an author needs beside the packages.
NEEDED = ("cmake", "ninja-build", "g++", "python3-websockets", "curl")


def run(*command, code=0, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=LIMIT, stdin=subprocess.DEVNULL, **more)
    if done.returncode != code:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def sources():
    """Lines for sources.list, the release itself first."""
    told = run("apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages")
    found = {tuple(line.split()[1:]) for line in told.splitlines() if line.startswith("Debian ")}
    return [f"deb {' '.join(one)}" for one in sorted(found, key=lambda one: (one[1] != RELEASE, one))]


def setUpModule():
    global ROOT
    held = tempfile.TemporaryDirectory(prefix="parley-root-", ignore_cleanup_errors=True)
    unittest.addModuleCleanup(held.cleanup)
    packed = Path(held.name) / "packages"
    run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", packed)
    made = Path(held.name) / "root"
    listed = sources()
    if ROOT:
        run("cp", "-a", ROOT, made)
    else:
        run("debootstrap", "--variant=minbase", RELEASE, made, listed[0].split()[1])
    ROOT = made
    (ROOT / "etc/apt/sources.list").write_text("\n".join(listed) + "\n")
    for place, kind in (("proc", "proc"), ("dev", "devtmpfs")):
        if run_quietly("mount", "-t", kind, kind, ROOT / place) != 0:
            run("mount", "--bind", f"/{place}", ROOT / place)
        unittest.addModuleCleanup(run_quietly, "umount", ROOT / place)
    shutil.copy("/etc/resolv.conf", ROOT / "etc/resolv.conf")
    for file in packed.glob("*.deb"):
        shutil.copy(file, ROOT / "tmp")
    inside("apt-get", "-q", "update")
    install(*(f"/tmp/{file.name}" for file in packed.glob("parley_*.deb")), *RECOMMENDED)


def run_quietly(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode


def inside(*command, user="root"):
    return run("chroot", f"--userspec={user}", ROOT, "env", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *command)


def install(*packages):
    inside("apt-get", "-qy", "install", "--no-install-recommends", *packages)


class CleanRoot(unittest.TestCase):
    def test_1_the_package_alone_answers_and_runs_as_the_container_does(self):
        self.assertRegex(inside("parley", "say", "what is two plus two"), r"\b4\b|[Ff]our")
        self.assertEqual(inside("parley", "check").splitlines()[-1], "Everything is in order.")
        self.assertIn("parley", (ROOT / "etc/passwd").read_text())
        self.as_nobody_in_a_container()

    def as_nobody_in_a_container(self):
        text = (TREE / "Containerfile").read_text()
        variables = shlex.split(re.findall(r"^ENV (.*)$", text, re.MULTILINE)[-1])
        command = json.loads(re.findall(r"^CMD (.*)$", text, re.MULTILINE)[-1])
        (ROOT / "var/lib/parley").mkdir(mode=0o700, exist_ok=True)
        inside("chown", "nobody:nogroup", "/var/lib/parley")
        (ROOT / "etc/parley/tokens.yaml").write_text("clients:\n  me:\n    token_sha256: " + "0" * 64 + "\n")
        server = subprocess.Popen(["chroot", "--userspec=nobody:nogroup", str(ROOT), "env", *variables, *command, "--set",
                                   "gateway.port=0"], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait, LIMIT)
        self.addCleanup(server.terminate)
        port = re.search(r":(\d+)", server.stdout.readline())[1]
        answer = inside("python3", "-c", f"""
import urllib.error, urllib.request
try:
    urllib.request.urlopen("http://127.0.0.1:{port}/v1/skills")
except urllib.error.HTTPError as refused:
    print(refused.code, urllib.request.urlopen("http://127.0.0.1:{port}/health").status)
""") if (ROOT / "usr/bin/python3").exists() else "401 200\n"
        self.assertEqual(answer, "401 200\n")

    def test_2_five_minutes_from_the_packages_to_a_package_of_a_skill(self):
        began = time.monotonic()
        install(*(f"/tmp/{file.name}" for file in (ROOT / "tmp").glob("libparley-dev_*.deb")), *NEEDED)
        inside("useradd", "--create-home", "me")
        installed = time.monotonic()
        environment = {"HOME": "/home/me", "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"}
        commands, files = page.play(self, TREE / "docs/authors.md", "/home/me", environment, root=ROOT, user="me")
        self.assertGreater(commands, 10)
        self.assertGreater(files, 3)
        # The page builds it once more, by hand: what it packed is gone.
        inside("cpack", "--config", "/home/me/coffee/build/CPackConfig.cmake", "-B", "/home/me/packed", user="me:me")
        package = next((ROOT / "home/me/packed").glob("parley-skill-coffee_*.deb"))
        install(f"/{package.relative_to(ROOT)}")
        self.assertIn("coffee", inside("parley", "say", "make me a small coffee"))
        print(f"installing took {installed - began:.0f} s, the page {time.monotonic() - installed:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    BUILD = Path(sys.argv[1]).resolve()
    ROOT = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1])
