"""A cluster of real processes for tests: `nats-server`, `parley serve`, clients, and a skill of theirs."""

import asyncio
import http.client
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import websockets

LIMIT = 60  # seconds, for what takes at most a few


def environment(folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    return kept | {"XDG_DATA_HOME": str(folder), "XDG_STATE_HOME": str(folder)}


class Nats:
    """A server with JetStream on a port of its own, which it keeps when it is started again."""

    def __init__(self, folder, more=()):
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.port = -1
        self.more = list(more)
        self.start()

    def start(self):
        for old in self.folder.glob("*.ports"):
            old.unlink()
        self.process = subprocess.Popen(
            ["nats-server", "--addr", "127.0.0.1", "--port", str(self.port), "--jetstream", "--store_dir",
             str(self.folder / "store"), "--ports_file_dir", str(self.folder), *self.more],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + LIMIT
        while self.port == -1:
            assert time.monotonic() < until and self.process.poll() is None, "nats-server does not start"
            for file in self.folder.glob("*.ports"):
                text = file.read_text()
                found = re.search(r"(?:nats|tls)://127\.0\.0\.1:(\d+)", text)
                if found:
                    self.port = int(found[1])
            time.sleep(0.01)  # it has no event to wait for: only the file

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def kill(self):
        self.process.kill()
        self.process.wait(LIMIT)


async def frames(reader):
    """What a NATS server says: each line, with the payload that follows it."""
    while line := await reader.readline():
        size = int(line.split()[-1]) if line.startswith((b"MSG ", b"HMSG ")) else -2
        yield line, await reader.readexactly(size + 2)


class Tap:
    """Hears what is published under a subject."""

    def __init__(self, nats, subject):
        self.nats = nats
        self.subject = subject

    async def open(self):
        reader, self.writer = await asyncio.open_connection("127.0.0.1", self.nats.port)
        self.frames = frames(reader)
        self.writer.write(f"CONNECT {{\"verbose\": false, \"headers\": true}}\r\nSUB {self.subject} 1\r\nPING\r\n".encode())
        await self.hears(b"PONG")
        return self

    async def hears(self, what):
        """The first that has that in it."""
        async def there():
            async for line, payload in self.frames:
                if line.startswith(b"PING"):
                    self.writer.write(b"PONG\r\n")
                elif what in line + payload:
                    return payload
            raise AssertionError("the connection to NATS is lost")
        return await asyncio.wait_for(there(), LIMIT)

    def close(self):
        self.writer.close()


class Way:
    """A way to a NATS server that is worse than it should be: what `loses` says of a frame of the server is lost, of the others
    it tells what `changes` makes of their lines, everything takes `delay` seconds each way, and nothing passes while it is cut, though both ends stay connected."""

    def __init__(self, nats, delay=0.0):
        self.nats = nats
        self.delay = delay
        self.loses = lambda text: False
        self.changes = lambda line: line
        self.lost = []
        self.passed = []
        self.news = asyncio.Condition()
        self.is_whole = asyncio.Event()
        self.is_whole.set()

    async def open(self):
        self.server = await asyncio.start_server(self.take, "127.0.0.1", 0)
        self.url = f"nats://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    def cut(self):
        self.is_whole.clear()

    def mend(self):
        self.is_whole.set()

    async def take(self, reader, writer):
        try:
            from_nats, to_nats = await asyncio.open_connection("127.0.0.1", self.nats.port)
        except OSError:  # there is no server
            return writer.close()

        async def chunks():
            while data := await reader.read(65536):
                yield data

        async def told():
            async for line, payload in frames(from_nats):
                text = line + payload
                loses = self.loses(text)
                (self.lost if loses else self.passed).append(text)
                if not loses:
                    yield self.changes(line) + payload
                async with self.news:
                    self.news.notify_all()
        directions = [asyncio.create_task(self.carry(*what)) for what in ((chunks(), to_nats), (told(), writer))]
        await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        for one in directions:
            one.cancel()
        await asyncio.gather(*directions, return_exceptions=True)
        for end in (to_nats, writer):
            end.close()

    async def carry(self, pieces, to):
        """In order, each as late as the way is long."""
        on_the_way = asyncio.Queue()

        async def arrive():
            while (piece := await on_the_way.get()) is not None:
                await asyncio.sleep(piece[0] - time.monotonic())  # the fault is as long
                await self.is_whole.wait()
                to.write(piece[1])

        async def leave():
            async for piece in pieces:
                on_the_way.put_nowait((time.monotonic() + self.delay, piece))
            on_the_way.put_nowait(None)
        await asyncio.gather(leave(), arrive())

    async def wait_for(self, what, condition):
        async def there():
            async with self.news:
                await self.news.wait_for(condition)
        try:
            await asyncio.wait_for(there(), LIMIT)
        except asyncio.TimeoutError:
            raise AssertionError(f"waited in vain for {what}") from None

    async def close(self):
        self.server.close()


class Instance:
    """One `parley serve`."""

    def __init__(self, program, config, folder, servers, name, more=None, wrong_clock=None):
        settings = {
            "gateway.port": 0, "skills.directories": "[]", "cluster.servers": f"[{servers}]", "skills.shipped": "false", "store.enabled": "false",
            "language.enabled": "[en-US]", "logging.level": "info", **(more or {})}
        command = [program, "--config", config, "serve"]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        self.name = name
        self.log_file = Path(folder) / f"{name}.log"
        with self.log_file.open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                                            env=environment(folder) | (wrong_clock or {}))
        self.is_alive = True
        line = self.process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", line)
        assert found, f"{name} does not start:\n{self.log()}"
        self.port = int(found[1])

    def log(self):
        return self.log_file.read_text()

    def ask(self, method, path, body=None, limit=LIMIT):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=limit)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def is_ready(self):
        try:
            return self.ask("GET", "/health")[0] == 200
        except OSError:
            return False

    def wait_ready(self):
        until = time.monotonic() + LIMIT
        while not self.is_ready():
            assert time.monotonic() < until and self.process.poll() is None, f"{self.name} is not ready:\n{self.log()}"
            time.sleep(0.02)

    def count(self, way):
        """Turns that went that way: forwarded, hosted, given_up."""
        found = re.search(rf'parley_cluster_turns_total\{{way="{way}"\}} (\d+)', self.ask("GET", "/metrics")[1])
        return int(found[1]) if found else 0

    def kill(self):
        self.is_alive = False
        self.process.kill()
        self.process.wait(LIMIT)

    def terminate(self):
        self.is_alive = False
        self.process.send_signal(signal.SIGTERM)

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def wake(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait(LIMIT)
        self.process.stdout.close()


class Client:
    """A client on `/core` that writes down all it hears."""

    def __init__(self, instance, query=""):
        self.instance = instance
        self.query = query
        self.heard = []
        self.said = {}  # session by utterance
        self.news = asyncio.Condition()
        self.is_open = False

    async def open(self):
        self.socket = await websockets.connect(f"ws://127.0.0.1:{self.instance.port}/core{self.query}", max_size=None,
                                               ping_interval=None)
        self.is_open = True
        self.task = asyncio.create_task(self.listen())
        return self

    async def listen(self):
        try:
            async for text in self.socket:
                message = json.loads(text)
                self.heard.append(message)
                await self.take(message)
                async with self.news:
                    self.news.notify_all()
        except (websockets.ConnectionClosed, OSError):
            pass
        self.is_open = False
        async with self.news:
            self.news.notify_all()

    async def take(self, message):
        pass

    async def send(self, topic, data, context=None):
        await self.socket.send(json.dumps({"type": topic, "data": data, "context": context or {}}))

    async def say(self, text, session, turn):
        self.said[turn] = session
        await self.send("ovos.utterance.handle", {"utterances": [text]},
                        {"session": {"session_id": session}, "utterance_id": turn})

    def of(self, topic, turn=None):
        return [one for one in self.heard if one["type"] == topic
                and (turn is None or one["context"].get("utterance_id") == turn)]

    async def wait_for(self, what, condition):
        async def there():
            async with self.news:
                await self.news.wait_for(lambda: condition() or not self.is_open)
        try:
            await asyncio.wait_for(there(), LIMIT)
        except asyncio.TimeoutError:
            pass
        assert condition(), f"waited in vain for {what}; heard {[one['type'] for one in self.heard][-30:]}"

    async def hears(self, topic, turn):
        await self.wait_for(f"{topic} of {turn}", lambda: self.of(topic, turn))
        return self.of(topic, turn)[0]

    async def turn(self, text, session, turn):
        """Says something and waits until it is handled."""
        await self.say(text, session, turn)
        return await self.hears("ovos.utterance.handled", turn)

    async def close(self):
        await self.socket.close()
        await self.task


class Skill(Client):
    """Says "you said …" to whatever begins with `go`; to `hold …` only when it is told to."""

    def __init__(self, instance, skill_id="echo.test"):
        super().__init__(instance)
        self.skill_id = skill_id
        self.held = {}
        self.pings = []
        self.due = []

    async def open(self):
        await super().open()
        for intent, samples in (("go", ["go {what}"]), ("hold", ["hold {what}"])):
            await self.send("ovos.intent.register.template",
                            {"skill_id": self.skill_id, "intent_name": intent, "lang": "en-US", "samples": samples},
                            {"skill_id": self.skill_id})
        return self

    async def take(self, message):
        if message["type"] == f"{self.skill_id}:go":
            await self.answer(message)
        elif message["type"] == f"{self.skill_id}:hold":
            self.held[message["context"]["utterance_id"]] = message
        elif message["type"] == f"{self.skill_id}:due":
            self.due.append(message["data"])
            await self.reply(message, "ovos.intent.handler.complete", {"skill_id": self.skill_id, "intent_name": "due"})
        elif message["type"] == "ovos.stop.ping":
            self.pings.append(message)
            await self.reply(message, "ovos.stop.pong", {"skill_id": self.skill_id, "can_handle": False})

    async def reply(self, message, topic, data):
        await self.send(topic, data, {**message["context"], "skill_id": self.skill_id})

    async def ask(self, request, data, session=None):
        """What `parley.<request>` is answered with."""
        before = len(self.of(f"parley.{request}.response"))
        context = {"skill_id": self.skill_id}
        if session:
            context["session"] = {"session_id": session}
        await self.send(f"parley.{request}", data, context)
        await self.wait_for(f"the answer to {request}", lambda: len(self.of(f"parley.{request}.response")) > before)
        return self.of(f"parley.{request}.response")[-1]["data"]

    async def answer(self, message):
        intent = message["type"].split(":")[1]
        await self.reply(message, "ovos.utterance.speak",
                         {"utterance": "you said " + message["data"]["utterance"], "lang": "en-US"})
        await self.reply(message, "ovos.intent.handler.complete", {"skill_id": self.skill_id, "intent_name": intent})

    async def release(self, turn):
        await self.answer(self.held.pop(turn))


def faults_of(clients):
    """What clients saw that may not be: a turn of a client whose instance lives that was handled never, or twice; a message
    of one session in a turn of another."""
    faults = []
    for client in clients:
        for turn, session in client.said.items():
            handled = len(client.of("ovos.utterance.handled", turn))
            if handled > 1 or (handled == 0 and client.instance.is_alive):
                faults.append(f"{turn} in {session} at {client.instance.name}: handled {handled} times")
        for message in client.heard:
            turn = message["context"].get("utterance_id")
            session = message["context"].get("session", {}).get("session_id", "default")
            if turn in client.said and session != client.said[turn]:
                faults.append(f"{message['type']} of {session} in the turn {turn} of {client.said[turn]}")
        for started in client.of("ovos.intent.handler.start"):
            turn = started["context"]["utterance_id"]
            ends = client.of("ovos.intent.handler.complete", turn) + client.of("ovos.intent.handler.error", turn)
            if turn in client.said and client.instance.is_alive and len(ends) != 1:
                faults.append(f"the handler of {turn} ended {len(ends)} times")
    return faults
