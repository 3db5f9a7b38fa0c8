"""Runs what a page of the documentation shows, as it stands.

In a block in fences, a line that begins with `$ ` is a command for one shell that lives as long as the page; the lines
after it are what it says, where `…` is any text, and a line of nothing else any number of lines. Commands without such
lines may say anything. A block whose first line is a comment with a file's name is that file, written before what comes
after it; whoever reads the page is `/home/me`. A command that ends in `&` goes on beside the others; they wait until it has
said its lines, and so does `parley serve`. Anything else in fences is for reading: such a block names its language `text`.
A page that is played loosely shows times, dates and figures as they were once: any others, and other units of times, stand
for them, and white space is as it comes.
"""

import contextlib
import itertools
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^(?://|#) (\S+\.\w+)\n", re.MULTILINE)
NEXT_FILE = re.compile(r"\n\n(?=(?://|#) \S+\.\w+\n)")
NAMES = "Mon Tues Wednes Thurs Fri Satur Sun".split()
MONTHS = "January February March April May June July August September October November December".split()
FIGURE = r"\d+(?:[.,:]\d+)*(?: [µm]?s\b)?"
VARIES = re.compile(FIGURE + r"|\b[AP]M\b|\b(?:" + "|".join(MONTHS) + r")\b|\b(?:" + "|".join(NAMES) + r")day\b|[\s…]+")
END = "--- what the command says ends here"
LIMIT = 300  # seconds


def without_watchdog(said):
    """What a program says, without its words about a slow machine."""
    return "".join(line for line in said.splitlines(keepends=True) if " warning [watchdog] " not in line)


class Shell:
    """One bash; `run` gives what a command says, and how it ended."""

    def __init__(self, folder, environment, root=None, user=None):
        bash = ["bash", "--norc", "--noprofile"]
        if root:
            bash = [shutil.which("chroot"), f"--userspec={user}:{user}", str(root), *bash]
        self.bash = subprocess.Popen(bash, cwd=None if root else folder, env=environment, text=True, start_new_session=True,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if root:
            self.run(f"cd {folder}")

    def run(self, command):
        self.bash.stdin.write(f"{{ {command}\n}} </dev/null\necho; echo \"{END} $?\"\n")
        self.bash.stdin.flush()
        said = []
        for line in self.bash.stdout:
            if line.startswith(END):
                return without_watchdog("".join(said)[:-1]), int(line.split()[-1])
            said.append(line)
        raise AssertionError(f"the shell ended in the middle of: {command}")

    def begin(self, command, lines):
        """Runs a command beside those that follow; its first lines, which it says when it likes."""
        self.bash.stdin.write(f"{command}\n")
        self.bash.stdin.flush()
        # Without what bash says of those that were killed before.
        its_own = (line for line in self.bash.stdout if not line.startswith("bash: line ") and without_watchdog(line))
        return "".join(itertools.islice(its_own, lines)), 0

    def close(self):
        self.bash.stdin.close()
        self.bash.wait(LIMIT)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.bash.pid, signal.SIGKILL)  # what still runs beside it
        self.bash.stdout.close()


def pattern(expected):
    """A regular expression for the lines that a command is to say."""
    parts = [r"(?:.*\n)*" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
             for line in expected]
    return re.compile("".join(parts))


def loose_pattern(expected):
    """The same where times, dates and figures are any, and white space is as it comes."""
    text = "\n".join(expected)
    parts, at = [], 0
    for found in VARIES.finditer(text):
        parts.append(re.escape(text[at:found.start()]))
        word = found[0]
        parts.append(FIGURE if word[0].isdigit() else r"[\s\S]*?" if "…" in word else r"\s*" if word.isspace() else r"\w+")
        at = found.end()
    parts.append(re.escape(text[at:]))
    return re.compile(r"\s*" + "".join(parts) + r"\s*")


def steps(block):
    """The commands of a block, each with the lines that it is to say."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0] + "\n" + line, [])
        elif found:
            found[-1][1].append(line)
        else:
            raise AssertionError(f"neither a command, nor a file with its name: {block}")
    return found


def write(name, text, folder, home):
    place = home / name[2:] if name.startswith("~/") else folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    there = folder.stat()
    if os.geteuid() == 0:  # whose shell it is may be somebody else
        for made in (place, *place.parents):
            if made == folder or made == home:
                break
            os.chown(made, there.st_uid, there.st_gid)


def in_root(place, root):
    """Where it is, seen from outside."""
    return root / place.relative_to("/") if root else place


def without_comment(command):
    return re.sub(r"\s+# .*$", "", command)


def goes_on(command):
    return command.endswith(" &") or command == "parley serve"


def play(test, page, folder, environment, loosely=False, checked_elsewhere=(), root=None, user=None):
    """Runs the page in `folder`; how many commands and files there were.

    root: where that and everything else is to be found, as `user`.
    checked_elsewhere: languages of blocks that are no commands, for which there are other tests.
    """
    described = loose_pattern if loosely else pattern
    home = Path(environment["HOME"])
    shell = Shell(folder, environment, root, user)
    test.addCleanup(shell.close)
    commands = files = 0
    for language, block in FENCE.findall(Path(page).read_text(encoding="utf-8")):
        if language == "text":
            continue
        named = FILE.match(block)
        if named:
            where = Path(shell.run("pwd")[0].strip())
            for part in NEXT_FILE.split(block):
                text = part.rstrip("\n").replace("/home/me/", f"{home}/") + "\n"
                write(FILE.match(part)[1], text, in_root(where, root), in_root(home, root))
                files += 1
            continue
        if language in checked_elsewhere:
            continue
        for command, expected in steps(block):
            command = without_comment(command)
            alone = command if command.endswith("&") else f"{command} &"
            said, code = shell.begin(alone, len(expected)) if goes_on(command) else shell.run(command)
            test.assertEqual(code, 0, f"$ {command}\n{said}")
            if expected and not described(expected).fullmatch(said if said.endswith("\n") else said + "\n"):
                test.fail(f"$ {command}\nsays\n{said}\ninstead of\n" + "\n".join(expected))
            commands += 1
    return commands, files
