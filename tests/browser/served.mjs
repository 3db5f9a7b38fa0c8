// A `parley serve` of its own for a test, and the browser that looks at it.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { webSocketOfNode } from "../../tools/examples/client.mjs";

const [PARLEY, CONFIG] = [process.env.PARLEY_PROGRAM, process.env.PARLEY_CONFIG_FILE];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const LIMIT = 30_000; // milliseconds, for what takes few

export class Server {
  /** @param rights  by name of a token, which is its own text; none: nobody needs one */
  constructor(rights = {}) {
    this.folder = mkdtempSync(join(tmpdir(), "parley-console-"));
    this.port = 0;
    this.settings = { blacklisted_skills: "[unknown.parley]" }; // it has an answer to what nobody understands
    if (!Object.keys(rights).length) return;
    const lines = Object.entries(rights).map(([name, list]) =>
      `  ${name}: { token_sha256: ${createHash("sha256").update(name).digest("hex")}, rights: [${list.join(", ")}], sessions: own }\n`);
    this.settings["gateway.tokens"] = join(this.folder, "tokens.yaml");
    writeFileSync(this.settings["gateway.tokens"], `clients:\n${lines.join("")}`, { mode: 0o600 });
  }

  /** Starts it, on the port it had before. */
  async start() {
    const settings = { ...this.settings, "gateway.port": this.port, "logging.level": "error" };
    const environment = { ...process.env, XDG_DATA_HOME: this.folder, XDG_STATE_HOME: this.folder, XDG_CONFIG_HOME: this.folder };
    for (const name of Object.keys(environment)) if (name.startsWith("PARLEY_")) delete environment[name];
    const settled = Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
    this.process = spawn(PARLEY, ["--config", CONFIG, "serve", ...settled], { stdio: ["ignore", "pipe", "inherit"], env: environment });
    const line = await new Promise((done, failed) => {
      this.process.stdout.once("data", (data) => done(String(data)));
      this.process.once("exit", (code) => failed(new Error(`parley serve ended with ${code}`)));
    });
    this.port = Number(/:(\d+)/.exec(line)[1]);
    this.url = `http://127.0.0.1:${this.port}`;
    const until = Date.now() + LIMIT;
    while (!(await fetch(`${this.url}/health`)).ok) if (Date.now() > until) throw new Error("it never became ready");
    return this;
  }

  async stop(signal = "SIGTERM") {
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill(signal);
    await ended;
  }

  async end() {
    await this.stop("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  async say(text, session = "console") {
    const answer = await fetch(`${this.url}/run`, { method: "POST", body: JSON.stringify({ id: session, text }) });
    return answer.json();
  }

  /** Returns when that turn is in the log, which is written behind. */
  async logged(id) {
    const until = Date.now() + LIMIT;
    while ((await fetch(`${this.url}/v1/turns/${id}`)).status === 404) if (Date.now() > until) throw new Error(`the turn ${id} is not logged`);
  }

  /** Something on `/core` that sends messages. */
  async client() {
    const Socket = await webSocketOfNode();
    const socket = new Socket(`ws://127.0.0.1:${this.port}/core?topics=none.such`);
    await new Promise((open, failed) => Object.assign(socket, { onopen: open, onerror: failed }));
    return { send: (type, data, context = {}) => socket.send(JSON.stringify({ type, data, context })), close: () => socket.close() };
  }
}

export const launch = () => chromium.launch({ executablePath: process.env.PARLEY_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** A page of its own; `faults` holds what it complained of. */
export async function visit(browser, server, { size = "desktop", path = "/", ...options } = {}) {
  const context = await browser.newContext({ viewport: SIZES[size], locale: "en-US", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("console", (line) => line.type() === "error" && page.faults.push(`console: ${line.text()}`));
  page.on("request", (request) => /^(data|blob):/.test(request.url()) || new URL(request.url()).port === String(server.port) || page.faults.push(`asks ${request.url()}`));
  await page.goto(server.url + path);
  return page;
}

/** What axe-core finds wrong, in words. */
export async function accessibility(page) {
  // As a debugger would do it: the page's own policy lets no script in that is not the server's.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const { result } = await session.send("Runtime.evaluate", {
    expression: "axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`)))",
    awaitPromise: true });
  await session.detach();
  return JSON.parse(result.value);
}

export const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
