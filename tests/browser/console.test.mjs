// The console as people use it, in a real browser: tools/test --browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { accessibility, fits, launch, Server, SIZES, visit } from "./served.mjs";

const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202E"'&{x}`;
const VIEWS = ["talk", "turn", "bus", "understanding", "memory", "system"];
const PICTURES = process.env.PARLEY_PICTURES; // a folder: pictures for the documentation go there

const SEEN = process.env.PARLEY_SCREENSHOTS; // a folder: every test leaves there what it saw last
let pictures = 0;

let browser, server;
before(async () => {
  browser = await launch();
  server = await new Server().start();
});
after(async () => {
  await browser?.close();
  await server?.end();
});

/** Runs `look` with a page, which must not complain of anything that `but` does not fit; what it showed at last is kept. */
async function on({ but = /^$/, ...options }, look) {
  const page = await visit(browser, server, options);
  try {
    await look(page);
    assert.deepEqual(page.faults.filter((fault) => !but.test(fault)), []);
  } finally {
    if (SEEN) await page.screenshot({ path: `${SEEN}/${++pictures}.png` });
    await page.context().close();
  }
}

async function say(page, text) {
  await page.getByRole("textbox", { name: "Say something" }).fill(text);
  await page.keyboard.press("Enter");
}

async function enter(page, session) {
  const input = page.getByRole("combobox", { name: "Session" });
  await input.fill(session);
  await input.press("Tab");
}

async function openSkill(page, id) {
  const name = page.getByRole("button", { name: id, exact: true });
  await name.focus();
  await name.press("Enter");
  await page.getByRole("heading", { name: id, exact: true }).waitFor();
}

async function picture(page, name) {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

for (const size of Object.keys(SIZES)) {
  describe(size, () => {
    test("Talk: says something, hears the answer, and asks why", () => on({ size }, async (page) => {
      await enter(page, `talk-${size}`);
      await say(page, "what time is it in Tokyo");
      await page.locator(".talk .assistant", { hasText: /Tokyo.*\d/ }).first().waitFor();
      assert.ok(await fits(page));
      await page.getByRole("link", { name: "why?" }).last().click();
      await page.getByRole("heading", { name: /what time is it in Tokyo/ }).waitFor();
      assert.equal(await page.locator("h3 mark").first().evaluate((mark) => mark.firstChild.data), "Tokyo");
      await page.locator(".timeline .name", { hasText: "date_time.parley" }).waitFor();
      await page.locator(".steps .candidate meter").first().waitFor();
      assert.ok(await fits(page));
      if (size === "desktop") await picture(page, "console-turn");
    }));

    test("Talk: what was said before is there again, and the choices of an answer can be pressed", () => on({ size }, async (page) => {
      await enter(page, `cook-${size}`);
      await say(page, "I want to cook");
      const option = page.locator(".options button").first();
      await option.waitFor();
      const said = await option.textContent();
      await option.click();
      await page.locator(".talk .user", { hasText: said }).waitFor();
      await page.waitForFunction(() => document.querySelectorAll(".talk .by").length >= 2);
      await page.reload();
      await enter(page, `cook-${size}`);
      await page.locator(".talk .user", { hasText: "I want to cook" }).waitFor();
    }));

    test("Turn: explains a sentence without doing it, and why another intent did not win", () => on({ size, path: "/#/turn" }, async (page) => {
      const published = async () => (await (await fetch(`${server.url}/metrics`)).text()).match(/parley_messages_published_total (\d+)/)[1];
      await fetch(`${server.url}/v1/intents`);  // languages that sleep register when somebody asks what there is
      const before = await published();
      await page.getByRole("textbox", { name: /a sentence/ }).fill("what time is it in Paris");
      await page.getByRole("button", { name: "Explain" }).click();
      await page.locator(".stage", { hasText: "intent_high" }).getByText("date_time.parley:what_time").first().waitFor();
      await page.getByLabel("Why not …").selectOption("timer.parley:set");
      await page.getByText(/No stage considered it|considered it/).first().waitFor();
      await page.getByLabel("Why not …").selectOption("date_time.parley:what_time");
      await page.getByText("It is the one that would win.").waitFor();
      assert.equal(await published(), before);
      assert.ok(await fits(page));
    }));

    test("Turn: two beside each other", () => on({ size }, async (page) => {
      const ids = [];
      for (const text of ["what day is it", "hello"]) ids.push((await server.say(text, "two")).utterance_id);
      await server.logged(ids[1]);
      await page.goto(`${server.url}/#/turn`);
      await page.locator(".row", { hasText: "what day is it" }).first().click();
      await page.getByRole("heading", { name: /what day is it/ }).waitFor();
      await page.getByLabel("Beside").selectOption(ids[1]);
      await page.getByRole("heading", { name: /hello/ }).waitFor();
      assert.equal(await page.locator(".two > article").count(), 2);
      assert.ok(await fits(page));
    }));

    test("Bus: shows what goes by, filters, pauses, opens one, draws the sequence, saves and sends", () => on({ size, path: "/#/bus" }, async (page) => {
      await page.getByText("Nothing was said on the bus").waitFor();
      await page.locator("parley-bus[data-state=open]").waitFor();
      await server.say("hello", "bus-test");
      await page.locator(".row", { hasText: "ovos.utterance.handled" }).first().waitFor();
      await page.getByRole("textbox", { name: "Topic" }).fill("speak");
      await page.locator(".row", { hasText: "ovos.utterance.handled" }).first().waitFor({ state: "detached" });
      await page.locator(".row", { hasText: "ovos.utterance.speak" }).first().click();
      await page.locator("pre", { hasText: '"session_id": "bus-test"' }).waitFor();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as JSON Lines" }).click()]);
      const lines = readFileSync(await download.path(), "utf8").trim().split("\n").map((line) => JSON.parse(line));
      assert.ok(lines.length > 0 && lines.every((message) => message.type.includes("speak")));
      await page.getByRole("textbox", { name: "Topic" }).fill("");
      await page.getByRole("button", { name: "Sequence" }).click();
      await page.locator(".diagram .who", { hasText: "smalltalk.parley" }).waitFor();
      await page.getByRole("button", { name: /→ smalltalk.parley/ }).first().press("Enter");
      assert.ok(await fits(page));
      if (size === "desktop") await picture(page, "console-bus");
      await page.getByRole("button", { name: "Sequence" }).click();
      await page.getByRole("button", { name: "Pause" }).click();
      await server.say("hello", "while-paused");
      await page.getByText(/not shown/).waitFor();
      assert.equal(await page.locator(".row", { hasText: "while-paused" }).count(), 0);
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByRole("button", { name: "Send a message" }).click();
      await page.getByRole("textbox", { name: "Message" }).fill("{");
      await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
      await page.getByRole("alert").filter({ hasText: "JSON" }).waitFor();
      await page.getByRole("textbox", { name: "Message" }).fill('{"type": "console.was.here", "data": {}, "context": {}}');
      await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
      await page.locator(".row", { hasText: "console.was.here" }).waitFor();
    }));

    test("Understanding: finds an intent, tries a sentence, and shows what nobody understood", () => on({ size }, async (page) => {
      const { utterance_id: id } = await server.say(`flurb the grommet ${size}`);
      await server.logged(id);
      await page.goto(`${server.url}/#/understanding`);
      await page.getByRole("searchbox").fill("what_time");
      await page.getByRole("combobox", { name: "Language", exact: true }).selectOption("de-DE");
      await page.locator(".row").first().click();
      await page.getByRole("heading", { name: "date_time.parley:what_time" }).waitFor();
      await page.getByText(/spät|uhr/).first().waitFor();
      await page.getByRole("textbox", { name: /a sentence/ }).fill("wie spät ist es in Berlin");
      await page.keyboard.press("Enter");
      await page.locator("article mark", { hasText: "Berlin" }).waitFor();
      await page.getByRole("row", { name: new RegExp(`flurb the grommet ${size}`) }).getByRole("button").click();
      await page.getByRole("heading", { name: /flurb the grommet/ }).waitFor();
      await page.getByRole("button", { name: /two skills claim/ }).click();
      await page.getByText(/No two skills claim|Gets it/).waitFor();
      assert.ok(await fits(page));
    }));

    test("Memory: reads a session, finds evidence and where it is from, and forgets", () => on({ size }, async (page) => {
      const id = `remember-${size}`;
      await server.logged((await server.say("what is the capital of Portugal", id)).utterance_id);
      await page.goto(`${server.url}/#/memory`);
      await page.locator(".row", { hasText: id }).click();
      await page.locator(".talk .user", { hasText: "what is the capital of Portugal" }).waitFor();
      await page.getByRole("textbox", { name: /What is known/ }).fill("Portugal");
      await page.keyboard.press("Enter");
      await page.locator(".graph .node").first().waitFor();
      await page.locator(".steps .row", { hasText: "Portugal" }).first().click();
      await page.getByRole("heading", { name: "From", exact: true }).waitFor();
      await page.locator(".detail ul button").first().click();
      await page.getByRole("heading", { name: "Versions" }).waitFor();
      await page.locator(".list .row", { hasText: id }).click();
      await page.getByRole("button", { name: "Forget" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Yes" }).click();
      await page.getByText("Done.").waitFor();
      await page.locator(".list .row", { hasText: id }).waitFor({ state: "detached" });
      assert.ok(await fits(page));
    }));

    test("System: skills, the pipeline, figures and the configuration", () => on({ size, path: "/#/system" }, async (page) => {
      await page.getByRole("cell", { name: "date_time.parley", exact: true }).waitFor();
      await page.getByRole("cell", { name: "intent_high", exact: true }).first().waitFor();
      await page.locator(".tile polyline").first().waitFor({ state: "attached" });
      await page.getByRole("searchbox").fill("max_frame");
      await page.getByRole("cell", { name: "gateway.max_frame", exact: true }).waitFor();
      assert.ok(await fits(page));
    }));

    test("System: a skill is told something else in a form, which says what is wrong, and goes back", () => on({ size, path: "/#/system", but: /status of 422/ }, async (page) => {
      await openSkill(page, "number_game.parley");
      const form = page.getByRole("form", { name: "Settings of number_game.parley" });
      const highest = form.getByRole("spinbutton", { name: "highest" });
      assert.equal(await highest.inputValue(), "100");
      await highest.fill("5");
      await highest.press("Enter");
      await form.getByRole("alert").filter({ hasText: "between 10 and" }).waitFor();
      assert.equal(await highest.getAttribute("aria-invalid"), "true");
      assert.ok(await highest.evaluate((input) => input === document.activeElement));
      assert.deepEqual(await accessibility(page), []);
      await highest.fill("20");
      await form.getByRole("button", { name: "Save" }).press("Enter");
      await page.getByRole("status").filter({ hasText: "it holds from now on" }).waitFor();
      await form.getByText(/^set here: .*skills\.json$/).waitFor();
      assert.match((await server.say("let's play the number game", `game-${size}`)).speech_text, /20/);
      assert.deepEqual(await accessibility(page), []);
      assert.ok(await fits(page));
      if (size === "desktop") await picture(page, "console-system");
      await form.getByRole("button", { name: "Back to the configuration: highest" }).click();
      await form.getByText("default", { exact: true }).waitFor();
      assert.equal(await highest.inputValue(), "100");
      await form.getByRole("button", { name: "Save" }).click();
      await page.getByText("Nothing was changed.").waitFor();
    }));

    test("System: every kind of setting has its field", () => on({ size, path: "/#/system" }, async (page) => {
      await openSkill(page, "date_time.parley");
      await page.getByRole("combobox", { name: "hour_cycle" }).selectOption({ index: 1 });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
      await page.getByRole("button", { name: "Back to the configuration: hour_cycle" }).click();
      await openSkill(page, "guide.parley");
      const shipped = page.getByRole("checkbox", { name: "shipped_tasks" });
      await shipped.uncheck();
      await page.getByRole("textbox", { name: "tasks_directories" }).fill("one\n\n two ");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("status").filter({ hasText: "with a reload" }).waitFor();
      assert.equal(await page.getByRole("textbox", { name: "tasks_directories" }).inputValue(), "one\ntwo");
      const { options } = await (await fetch(`${server.url}/v1/skills/guide.parley`)).json();
      assert.deepEqual(options.filter((one) => one.source === "changed").map((one) => [one.key, one.value]), [["shipped_tasks", false], ["tasks_directories", ["one", "two"]]]);
      await fetch(`${server.url}/v1/skills/guide.parley/settings`, { method: "PUT", body: JSON.stringify({ shipped_tasks: null, tasks_directories: null }) });
    }));

    test("System: a skill is loaded again, disabled and enabled", () => on({ size, path: "/#/system" }, async (page) => {
      await openSkill(page, "smalltalk.parley");
      await page.getByRole("button", { name: "Reload", exact: true }).click();
      await page.getByText("It was loaded again.").waitFor();
      await page.getByRole("button", { name: "Disable", exact: true }).click();
      await page.getByText(/It is disabled/).waitFor();
      await page.getByRole("row", { name: /smalltalk\.parley disabled/ }).waitFor();
      assert.notEqual((await server.say("hello", `off-${size}`)).source?.skill_id, "smalltalk.parley");
      assert.deepEqual(await accessibility(page), []);
      await page.getByRole("button", { name: "Enable", exact: true }).click();
      await page.getByText("It is enabled.").waitFor();
      await page.getByRole("row", { name: /smalltalk\.parley running/ }).waitFor();
      assert.equal((await server.say("hello", `on-${size}`)).source?.skill_id, "smalltalk.parley");
    }));

    test("System: who is connected, where values come from, how long things take, and the log", () => on({ size, path: "/#/system" }, async (page) => {
      const client = await server.client();
      client.send("ovos.intent.register.template", { skill_id: `linked.${size}`, intent_name: "go", lang: "en-US", samples: ["go there please"] }, { skill_id: `linked.${size}` });
      await page.getByRole("row", { name: new RegExp(`client 127.*linked.${size} 0 B in 0`) }).waitFor();
      client.close();
      await page.getByRole("row", { name: new RegExp(`client 127.*linked.${size}`) }).waitFor({ state: "detached" });
      await page.getByRole("searchbox").fill("gateway.port");
      await page.getByRole("row", { name: /^gateway\.port \d+ command line: --set gateway\.port$/ }).waitFor();
      await page.getByRole("searchbox").fill("gateway.max_frame");
      await page.getByRole("row", { name: /^gateway\.max_frame 1MiB file: .*parley\.yaml:\d+:\d+$/ }).waitFor();
      await page.getByText("How long things take").click();
      await page.getByRole("row", { name: /^turn/ }).waitFor();
      const { utterance_id: id } = await server.say("what time is it in Tokyo", `log-${size}`);
      await server.logged(id);
      await page.getByRole("textbox", { name: "Session", exact: true }).fill(`log-${size}`);
      await page.getByRole("button", { name: "Look" }).click();
      await page.getByRole("row", { name: /utterance.*what time is it in Tokyo/ }).first().waitFor();
      assert.deepEqual(await accessibility(page), []);
      assert.ok(await fits(page));
    }));

    for (const colorScheme of ["light", "dark"]) {
      test(`nothing keeps anybody out, in ${colorScheme}`, () => on({ size, colorScheme }, async (page) => {
        const turn = await server.say("what time is it in Tokyo", `axe-${size}-${colorScheme}`);
      await server.logged(turn.utterance_id);
        for (const view of [...VIEWS, `turn/${turn.utterance_id}`]) {
          await page.goto(`${server.url}/#/${view}`);
          await page.locator(`parley-${view.split("/")[0]}`).waitFor();
          if (view.startsWith("turn/")) await page.locator(".steps").waitFor();
          await page.waitForLoadState("networkidle");
          assert.deepEqual(await accessibility(page), [], view);
          assert.ok(await fits(page), view);
        }
      }));
    }
  });
}

test("Talk: entries of the pipeline that are not chosen are not asked, until they are again", () => on({}, async (page) => {
  await enter(page, "pipeline-test");
  await page.getByText("Pipeline", { exact: true }).click();
  const entries = ["intent_high", "intent_medium", "intent_low", "fallback_high", "compound", "compound_low"];
  for (const entry of entries) await page.getByRole("checkbox", { name: entry, exact: true }).uncheck();
  await say(page, "what time is it in Tokyo");
  await page.locator(".talk .by").first().waitFor();
  assert.equal(await page.locator(".talk .by", { hasText: "date_time.parley" }).count(), 0);
  for (const entry of entries) await page.getByRole("checkbox", { name: entry, exact: true }).check();
  await say(page, "what time is it in Tokyo");
  await page.locator(".talk .by", { hasText: "date_time.parley" }).first().waitFor();
}));

test("all of it goes without a mouse", () => on({}, async (page) => {
  await server.logged((await server.say("hello")).utterance_id);
  await page.locator("#say:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  for (const [at, view] of VIEWS.entries()) {
    await page.keyboard.press(String(at + 1));
    await page.locator(`parley-${view}`).waitFor();
    if (view === "talk") await page.keyboard.press("Escape");
  }
  await page.keyboard.press("2");
  await page.locator("parley-turn .row").first().waitFor();
  await page.waitForLoadState("networkidle"); // what comes of the log later would be rows of its own
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  assert.ok(await page.locator("parley-turn .row").first().evaluate((row) => row === document.activeElement));
  await page.keyboard.press("Enter");
  await page.locator(".steps").waitFor();
  await page.keyboard.press("/");
  assert.ok(await page.getByRole("textbox", { name: /a sentence/ }).evaluate((input) => input === document.activeElement));
}));

test("German, from its file", () => on({ locale: "de-AT" }, async (page) => {
  await page.getByRole("link", { name: "Gedächtnis" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  await page.getByRole("combobox", { name: "Sprache dieser Seite" }).selectOption("en");
  await page.getByRole("link", { name: "Memory" }).waitFor();
}));

test("what a message holds stays text, whatever it is", async () => {
  const client = await server.client();
  const lone = { skill_id: "hostile.test", intent_name: "x<b>y", lang: "en-US" };
  client.send("ovos.intent.register.template", { ...lone, samples: ["please <b>hack</b> {what}", "hack {what}"] }, { skill_id: "hostile.test" });
  client.send("ovos.intent.register.template", { skill_id: "hostile.test", intent_name: "hack", lang: "en-US", samples: ["hack it &lt;b&gt; {what}"] }, { skill_id: "hostile.test" });
  const { utterance_id: id } = await server.say(HOSTILE, HOSTILE.slice(0, 40));
  await on({ path: "/#/bus" }, async (page) => {
    await page.locator("parley-bus[data-state=open]").waitFor();
    client.send("hostile.<img src=x onerror=hacked=1>", { text: HOSTILE, utterance: HOSTILE }, { source: HOSTILE, destination: HOSTILE, session: { session_id: HOSTILE } });
    client.send("hostile.topic", { utterance: HOSTILE }, { source: HOSTILE, destination: HOSTILE, session: { session_id: HOSTILE } });
    await page.locator(".row", { hasText: "hostile.topic" }).first().click();
    await page.getByRole("button", { name: "Sequence" }).click();
    await page.locator(".diagram .who").first().waitFor();
    for (const view of [...VIEWS, `turn/${id}`]) {
      await page.goto(`${server.url}/#/${view}`);
      await page.locator(`parley-${view.split("/")[0]}`).waitFor();
      if (view === "talk") {
        await enter(page, HOSTILE.slice(0, 40));
        await say(page, HOSTILE);
        await page.locator(".talk .user", { hasText: "onerror" }).first().waitFor();
        await page.locator(".talk .by").first().waitFor();
      }
      if (view.startsWith("turn/")) await page.getByRole("heading", { name: /onerror/ }).waitFor();
      if (view === "system") {
        await openSkill(page, "hostile.test");
        await page.getByText("hack it &lt;b&gt; {what}").first().waitFor({ state: "attached" });
        await fetch(`${server.url}/v1/skills/dictionary.parley/settings`, { method: "PUT", body: JSON.stringify({ database: HOSTILE.replace("\u202E", "") }) });
        await openSkill(page, "dictionary.parley");
        assert.match(await page.getByRole("textbox", { name: "database" }).inputValue(), /onerror/);
        await fetch(`${server.url}/v1/skills/dictionary.parley/settings`, { method: "PUT", body: JSON.stringify({ database: null }) });
      }
      await page.waitForLoadState("networkidle");
      assert.equal(await page.evaluate(() => window.hacked), undefined, view);
      assert.equal(await page.locator("img, main script, main b, main style, main iframe").count(), 0, view);
    }
  });
  client.close();
});

test("a card and its picture are text and a link", () => on({}, async (page) => {
  await page.route("**/run", (route) => route.fulfill({ json: {
    id: "console", utterance_id: "made-up", status: "answered", speech: [{ utterance: HOSTILE, lang: "en-US" }], listen: false, session: {}, source: { skill_id: HOSTILE },
    screen: { title: HOSTILE, subtitle: HOSTILE, body: HOSTILE, picture: "javascript:hacked=1", list: [{ text: HOSTILE, done: true }], step: { k: HOSTILE, n: 2 } },
    options: [{ text: HOSTILE, say: HOSTILE }] } }));
  await say(page, "anything");
  await page.locator(".talk .card").waitFor();
  assert.equal(await page.locator(".card a, .talk img, .talk script").count(), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
}));

test("the server goes and comes back: the page says so, and goes on", async () => {
  const own = await new Server().start();
  const page = await visit(browser, own);
  await say(page, "hello");
  await page.locator(".talk .by").first().waitFor();
  await own.stop("SIGKILL");
  await say(page, "hello again");
  await page.getByText("The server does not answer.").waitFor();
  await own.start();
  await page.getByText("The server does not answer.").waitFor({ state: "hidden" });
  await say(page, "what day is it");
  await page.locator(".talk .user:has-text('what day is it') + .assistant .by").waitFor();
  await page.context().close();
  await own.end();
});

describe("with tokens", () => {
  let guarded;
  before(async () => { guarded = await new Server({ kitchen: ["talk"], clerk: ["read"], boss: ["admin"] }).start(); });
  after(() => guarded?.end());

  async function signedIn(token, look) {
    const page = await visit(browser, guarded);
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await look(page);
    await page.context().close();
  }

  test("a wrong token is told so, the right one gets in and out", () => signedIn("nobody", async (page) => {
    await page.getByRole("alert").filter({ hasText: "does not know this token" }).waitFor();
    assert.deepEqual(await accessibility(page), []);
    await page.getByLabel("Token").fill("boss");
    await page.keyboard.press("Enter");
    await page.getByText("boss", { exact: true }).waitFor();
    assert.ok(!page.url().includes("boss"));
    await page.reload();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").waitFor();
  }));

  test("who may only talk talks, and sees no memory and no configuration", () => signedIn("kitchen", async (page) => {
    await say(page, "what time is it in Tokyo");
    await page.locator(".talk .assistant", { hasText: /Tokyo.*\d/ }).first().waitFor();
    await page.getByRole("link", { name: "why?" }).first().click();
    await page.locator(".steps").waitFor();
    await page.goto(`${guarded.url}/#/memory`);
    await page.getByText(/it needs read/).waitFor();
    await page.goto(`${guarded.url}/#/system`);
    await page.getByRole("cell", { name: "date_time.parley", exact: true }).waitFor();
    assert.equal(await page.getByText("Configuration").count(), 0);
    assert.equal(await page.getByRole("heading", { name: /^(Connections|Log)$/ }).count() + await page.getByRole("button", { name: "date_time.parley" }).count(), 0);
    for (const path of ["/v1/system", "/v1/config", "/v1/connections", "/v1/skills/date_time.parley"])
      assert.equal(await page.evaluate(async (where) => (await fetch(where, { headers: { Authorization: "Bearer kitchen" } })).status, path), 403);
    assert.equal(await page.evaluate(async () => (await fetch("/v1/skills/date_time.parley/disable", { method: "POST", headers: { Authorization: "Bearer kitchen" } })).status), 403);
  }));

  test("a view that comes late does not take the place of where somebody went meanwhile", async () => {
    const page = await visit(browser, guarded);
    let release;
    const held = new Promise((go) => { release = go; });
    await page.route("**/view_turn.js", async (route) => { await held; await route.continue(); });
    await page.getByLabel("Token").fill("clerk");
    await page.keyboard.press("Enter");
    await page.locator("span.who").waitFor();  // the first view of who may not talk is Turn
    await page.goto(`${guarded.url}/#/memory`);
    await page.getByRole("textbox", { name: /What is known/ }).waitFor();
    release();
    await page.evaluate(() => customElements.whenDefined("parley-turn").then(() => new Promise(requestAnimationFrame)));
    assert.ok(await page.getByRole("textbox", { name: /What is known/ }).isVisible());
    await page.context().close();
  });

  test("who may only read looks things up, and says nothing", () => signedIn("clerk", async (page) => {
    await page.goto(`${guarded.url}/#/memory`);
    await page.getByRole("textbox", { name: /What is known/ }).waitFor();
    await page.goto(`${guarded.url}/#/talk`);
    await page.getByText(/it needs talk/).waitFor();
    await page.goto(`${guarded.url}/#/bus`);
    await page.locator("parley-bus[data-state=open]").waitFor();
    assert.equal(await page.getByRole("button", { name: "Send a message" }).count(), 0);
  }));
});

// What it takes of time is told; it fails only what is far off, unless PARLEY_STRICT_TIMES is set on a machine that does nothing else.
describe("times", () => {
  const strict = Boolean(process.env.PARLEY_STRICT_TIMES);

  test("the first paint", (context) => on({}, async (page) => {
    const times = [];
    for (let i = 0; i < 7; ++i) {
      await page.goto("about:blank");
      await page.goto(`${server.url}/`);
      await page.locator("#say").waitFor();
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0, null, { timeout: 60_000 });  // it is told a little later
      times.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    }
    times.sort((a, b) => a - b);
    context.diagnostic(`first paint: ${times.map((one) => one.toFixed(0)).join(", ")} ms; the middle one is to be below 300`);
    assert.ok(times[3] < (strict ? 300 : 1500), `${times[3]} ms`);
  }));

  test("tasks under 5,000 messages a second", (context) => on({ path: "/#/bus" }, async (page) => {
    await page.locator("parley-bus[data-state=open]").waitFor();
    await page.evaluate(() => {
      window.tasks = [];
      new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration))).observe({ type: "longtask" });
    });
    const client = await server.client();
    const seconds = strict ? 10 : 4;
    const began = performance.now();
    let sent = 0;
    while (performance.now() - began < seconds * 1000) {
      for (const due = (performance.now() - began) * 5; sent < due; ++sent) client.send("flood.test", { number: sent, text: "a message of some length, as they are" });
      await new Promise((done) => setTimeout(done, 5));
    }
    const heard = await page.evaluate(() => Number(/([\d,]+) messages/.exec(document.querySelector("parley-bus [role=status]").textContent)[1].replaceAll(",", "")));
    const tasks = await page.evaluate(() => window.tasks);
    client.close();
    context.diagnostic(`${sent} messages sent in ${seconds} s, ${heard} of them heard by then: ${tasks.length} tasks over 50 ms, the longest ${Math.max(0, ...tasks).toFixed(0)} ms; none is to be`);
    assert.ok(heard > sent / (strict ? 2 : 20), `${heard} heard`);
    assert.ok(Math.max(0, ...tasks) < (strict ? 50 : 1000), `${Math.max(...tasks)} ms`);
  }));
});
