// Skills for parley in JavaScript: one module for Node and for browsers. Copy this file beside yours.
//
//   import { Skill } from "./parley_skill.mjs";
//
//   const skill = new Skill("kettle.example");
//   skill.intent("boil", { "en-US": ["boil water", "boil {cups} cups"] }, async (turn) => {
//     turn.speak(`Water for ${turn.slots.cups ?? "one"} is on.`);
//   });
//   await skill.main();
//
// A browser has the WebSocket it needs; for Node before 22 there is Debian's node-ws. A handler is a function of a Turn,
// async or not; what it returns, if a text, is spoken. docs/remote_skills.md has the rest.

export const URL_OF_PARLEY = "ws://127.0.0.1:8181/core";
export const DONE = "done"; // what `takes` of a conversation returns when it is over
const HANDLERS = 1000; // run at a time; a turn beyond them ends as an error
const REQUESTS = 256; // wait for their answer at a time
const ANSWER = 30_000; // milliseconds in which a request has to be answered
const PAUSES = [100, 10_000]; // milliseconds until it is tried again to connect: at first, at most
const NOT_TAKEN_IN =
  "parley does not take it in: another connection speaks for this skill, or the token may not send all that a skill sends";
const UNSENT = 4 << 20; // bytes that may wait to be sent; a connection that leaves more is given up

// What takes a question back, and what means yes and no: regular expressions, by language.
const WORDS = {
  en: {
    yes:
      "yes( please)?|yeah|yep|yup|ya|aye|sure|of course|certainly|absolutely|definitely|ok|okay|alright|" +
      "all right|fine|do it|go ahead|please do|go for it|correct|right|exactly|affirmative|indeed|" +
      "sounds good|why not",
    no:
      "no( thanks| thank you)?|nope|nah|nay|negative|not (now|today|really)|(please )?don't|do not|" +
      "never|wrong",
    cancel:
      "(please )?cancel( that| it| this)?( please)?|never mind( that| it)?( thanks| thank you)?|" +
      "nevermind|forget( about)? (it|that)|(please )?abort|(leave|drop) it|skip (it|this)|" +
      "it doesn't matter|not important",
  },
  de: {
    yes:
      "ja( bitte| gern| gerne)?|jo|jep|jawohl|jup|(na )?klar|sicher|natürlich|selbstverständlich|gerne?|" +
      "ok|okay|in ordnung|einverstanden|passt|mach (das|es)|nur zu|bitte|richtig|genau|stimmt|korrekt|" +
      "warum nicht",
    no:
      "nein( danke)?|nee|nö|ne|(lieber|bitte|jetzt|heute) nicht|nicht jetzt|niemals|auf keinen fall|" +
      "falsch|stimmt nicht",
    cancel:
      "(bitte )?abbrechen( bitte)?|brich( das)? ab|vergiss (es|das)|schon gut|(ist )?egal|lass (es|" +
      "gut sein|mal)|nicht so wichtig|doch nicht|überspringen|weglassen",
  },
  fr: {
    yes:
      "oui( s'il (te|vous) plaît| merci)?|ouais|ouaip|bien sûr|certainement|absolument|évidemment|" +
      "d'accord|ok|entendu|ça marche|très bien|vas-y|allez-y|exact|exactement|c'est ça|correct|" +
      "pourquoi pas",
    no: "non( merci)?|pas (maintenant|aujourd'hui|vraiment)|jamais|surtout pas|(c'est )?faux",
    cancel:
      "(annule|annuler|annulez)( ça| s'il (te|vous) plaît)?|(laisse|laissez) tomber|(oublie|" +
      "oubliez)( ça)?|peu importe|tant pis|ce n'est pas grave",
  },
  es: {
    yes:
      "sí( por favor| gracias)?|claro|por supuesto|desde luego|seguro|vale|de acuerdo|está bien|bueno|" +
      "ok|adelante|hazlo|correcto|exacto|eso es|por qué no",
    no: "no( gracias)?|(ahora|hoy|mejor) no|nunca|jamás|de ninguna manera|incorrecto|falso",
    cancel:
      "(cancela|cancelar|cancélalo)( por favor| eso)?|olvídalo|olvida eso|déjalo|da igual|no importa|" +
      "anular?",
  },
  pt: {
    yes:
      "sim( por favor| obrigad[oa])?|claro|com certeza|certamente|está bem|tudo bem|ok|pode ser|" +
      "combinado|força|avança|faz isso|correto|certo|exato|isso mesmo|porque não",
    no: "não( obrigad[oa])?|(agora|hoje|melhor) não|nunca|jamais|de maneira nenhuma|errado|falso",
    cancel:
      "(cancela|cancelar|cancele)( isso| por favor)?|(esquece|esqueça)( isso)?|(deixa|deixe) (estar|" +
      "para lá)|não importa|tanto faz",
  },
};
// What may stand before them without meaning anything; and what is a yes by itself, and nothing in a sentence.
const NOTHING = new Set("um umm uh er erm hm hmm oh ah well äh ähm na nun ach also euh heu bon alors eh em pues hã hum bem pois".split(" "));
const POLITE = new Set(["bitte"]);
const FEW_WORDS = 4;

/** parley does not let this skill in, and would not the next time either. */
export class Refused extends Error {}

/** There is no connection now; the skill connects again by itself. */
export class ConnectionLost extends Error {}

/** The core has ended the turn: a stop, or its time was over. Let it pass. */
export class Cancelled extends Error {}

/** What was asked of parley was not done. `code`: conflict, bad_request, full or unavailable; `version`: the one there. */
export class RequestFailed extends Error {
  constructor(code, message, version) {
    super(message);
    this.code = code;
    this.version = version;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (object, key, otherwise = "") => (typeof object[key] === "string" ? object[key] : otherwise);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The message in a frame; null when it holds none. */
function parsed(frame) {
  let read = null;
  try {
    read = typeof frame === "string" ? JSON.parse(frame) : null;
  } catch {
    return null;
  }
  if (!isObject(read) || typeof read.type !== "string") return null;
  const { type, data = {}, context = {} } = read;
  return isObject(data) && isObject(context) && isObject(context.session ?? {}) ? { type, data, context } : null;
}

/** The context of an answer: source and destination swapped. */
function replied({ context }, skillId) {
  const { source, destination, ...rest } = context;
  const from = [destination].flat()[0] || source || skillId;
  return { ...rest, skill_id: skillId, source: from, ...(source && { destination: source }) };
}

/** Lower case, no punctuation, single spaces. */
function plain(text) {
  const words = text.normalize("NFC").toLowerCase().replaceAll("’", "'");
  return words.replace(/[^\p{L}\p{N}_'-]+|(?<![\p{L}\p{N}_])['-]|['-](?![\p{L}\p{N}_])/gu, " ").trim().replace(/ +/g, " ");
}

/** Those that are no part of another: "stimmt" in "stimmt nicht". */
function partsBeside(parts, others) {
  const isPart = (part) => others.some((one) => one.begin <= part.begin && part.begin + part.words.length <= one.begin + one.words.length);
  return parts.filter((part) => !isPart(part));
}

/** The one of a language, else of its first part (de for de-AT), else undefined. */
function foundFor(lang, languages) {
  const wanted = lang.toLowerCase();
  const first = (one) => one.toLowerCase().split("-")[0];
  return languages.find((one) => one.toLowerCase() === wanted) ?? languages.find((one) => first(one) === first(wanted));
}

/** Waits, for at most so many milliseconds; rejects with `problem` then, or with the signal's reason. */
async function within(promise, milliseconds, problem, signal) {
  let timer, end;
  const over = new Promise((_, failed) => {
    timer = setTimeout(() => failed(problem), Math.min(milliseconds, 0x7fffffff));
    end = () => failed(signal.reason);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** What was said, in which language and session. */
export class Said {
  constructor(skill, message) {
    const first = Array.isArray(message.data.utterances) ? message.data.utterances[0] : "";
    this.skill = skill;
    this.message = message;
    this.text = textOf(message.data, "utterance") || (typeof first === "string" ? first : "");
    this.lang = textOf(message.data, "lang") || skill.firstLanguage();
    this.session = { ...message.context.session };
  }

  get sessionId() {
    return textOf(this.session, "session_id") || "default";
  }

  /** Whether a text has words in it that mean `what`: yes, no or cancel. `whole`: and nothing else. */
  says(what, text = this.text, lang = this.lang, whole = false) {
    const words = this.skill.words[foundFor(lang, Object.keys(this.skill.words))]?.[what];
    if (!words) return false;
    return new RegExp(whole ? `^ (${words}) $` : ` (${words}) `, "u").test(` ${plain(text)} `);
  }

  /**
   * true for a yes, false for a no; null for neither, or both. Their words have to come first, or be half of what is
   * said, or end a few words ("I'd say no"): elsewhere they say nothing ("what's the right time").
   */
  yesOrNo(text = this.text, lang = this.lang) {
    const heard = plain(text).split(" ");
    while (NOTHING.has(heard[0])) heard.shift();
    const said = ` ${heard.join(" ")} `;
    const by = this.skill.words[foundFor(lang, Object.keys(this.skill.words))] ?? {};
    const partsOf = (words) =>
      words ? [...said.matchAll(new RegExp(`(?<= )(${words})(?= )`, "gu"))].map((found) => ({ begin: found.index, words: found[0] })) : [];
    const [allYes, allNo] = [partsOf(by.yes), partsOf(by.no)];
    const [yes, no] = [partsBeside(allYes, allNo), partsBeside(allNo, allYes)];
    if (yes.length > 0 === no.length > 0) return null;
    const parts = yes.length > 0 ? yes : no;
    const first = parts[0];
    const last = parts.at(-1);
    const begins = first.begin === 1 && !POLITE.has(first.words);
    const ends = last.begin + last.words.length === said.length - 1 && !POLITE.has(last.words) && heard.length <= FEW_WORDS;
    const half = 2 * parts.reduce((sum, part) => sum + part.words.split(" ").length, 0) >= heard.length;
    return begins || ends || half ? yes.length > 0 : null;
  }
}

/** What a handler may do. Kept, it can speak after the handler has ended, unless that was cancelled. */
export class Turn extends Said {
  #abort = new AbortController();
  #given;
  #asked = false;

  constructor(skill, message) {
    super(skill, message);
    const { data } = message;
    this.slots = isObject(data.slots) ? { ...data.slots } : {};
    this.data = data;
    this.payload = data.payload; // of what was scheduled
    this.end = null; // of the last question: answered, silence, cancelled, replaced or not_understood
    this.outcome = {};
    this.#given = { ...this.session };
  }

  /** For what takes an AbortSignal, such as fetch: aborted when the core ends the turn. */
  get signal() {
    return this.#abort.signal;
  }

  /** The turn is over: whatever it waits for rejects with Cancelled. */
  cancel() {
    this.#abort.abort(new Cancelled("the turn was ended"));
  }

  /** What `read` makes of a slot; `otherwise` when the slot is empty, or that is undefined, null or NaN. */
  slot(name, read = String, otherwise = undefined) {
    const value = name in this.slots ? read(this.slots[name]) : undefined;
    return value === undefined || value === null || Number.isNaN(value) ? otherwise : value;
  }

  /** The handler had no answer: what it speaks is heard, and the turn counts as one that nobody understood. */
  notUnderstood() {
    this.outcome = { outcome: "unmatched" };
  }

  /** Any message, with the context of the turn. */
  send(type, data) {
    this.signal.throwIfAborted();
    this.skill.send(type, data, { ...this.message.context, session: this.session });
  }

  /** Says a finished text. `more`: lang, listen, screen, options. */
  speak(text, more = {}) {
    this.send("ovos.utterance.speak", { utterance: text, lang: this.lang, ...more });
  }

  /** Says a phrase of a dialog, in the language that the session wants to hear if the skill has it. */
  speakDialog(dialog, slots = {}, more = {}) {
    const { text, lang } = this.skill.render(dialog, slots, this.session.output_lang, this.lang);
    this.speak(text, { lang, ...more });
  }

  /** Waits; rejects with Cancelled when the turn is ended meanwhile. */
  async sleep(milliseconds) {
    const awake = {};
    await within(new Promise(() => {}), milliseconds, awake, this.signal).catch((end) => {
      if (end !== awake) throw end;
    });
  }

  /**
   * Asks with a dialog and waits: what `validate(text, lang)` makes of the answer (null: no such answer), or the text.
   *
   * `expects` tells parley what is an answer at all: text, yes_no, number, duration, date, color or language; anything
   * else that is said is a new command, and the question stays open. `timeout` is in milliseconds for each try, `retry`
   * another dialog to ask again with. null: no answer, and `end` says why.
   */
  async ask(dialog, slots = {}, { expects = "text", validate, timeout = 20_000, retries = 1, retry } = {}) {
    for (let attempt = 0; attempt <= retries; attempt++) {
      const { text, lang } = await this.#heard(attempt && retry ? retry : dialog, slots, expects, timeout);
      let value = text;
      if (this.end === "answered" && this.says("cancel", text, lang, true)) this.end = "cancelled";
      if (this.end === "answered" && validate) {
        value = validate(text, lang) ?? null;
        if (value === null) this.end = this.says("no", text, lang, true) ? "cancelled" : "not_understood";
      }
      if (this.end === "answered") return value;
      if (this.end !== "silence" && this.end !== "not_understood") break;
    }
    return null;
  }

  /** Asks for yes or no: true, false, or null when there was neither. */
  confirm(dialog, slots = {}, more = {}) {
    return this.ask(dialog, slots, { ...more, expects: "yes_no", validate: (text, lang) => this.yesOrNo(text, lang) });
  }

  storage(scope = "session") {
    return new Storage(this.skill, scope, this.message.context);
  }

  async #heard(dialog, slots, expects, timeout) {
    const { text, lang } = this.skill.render(dialog, slots, this.session.output_lang, this.lang);
    const question = this.skill.openQuestion(this.sessionId);
    const mode = { skill_id: this.skill.id, expires_at: this.skill.coreTime() + timeout / 1000, expects };
    this.#asked = true;
    const silence = {};
    let heard = null;
    try {
      this.send("ovos.session.sync", { session: { session_id: this.sessionId, response_mode: mode } });
      this.session.response_mode = mode; // what is spoken says that somebody waits
      this.speak(text, { lang, listen: true });
      heard = await within(question.heard, timeout, silence, this.signal);
      this.end = heard.end;
    } catch (problem) {
      if (problem !== silence) throw problem;
      this.end = "silence";
    } finally {
      this.skill.closeQuestion(this.sessionId, question);
      delete this.session.response_mode;
    }
    const answer = heard?.turn;
    if (!answer) return { text: "", lang: this.lang };
    const own = Object.entries(this.session).filter(([key, value]) => !same(this.#given[key], value));
    this.#given = { ...answer.session }; // the session as the client has it now
    this.session = { ...answer.session, ...Object.fromEntries(own) };
    return { text: answer.text, lang: answer.lang };
  }

  /** The context of the report: the session as the handler leaves it, in which nobody waits for an answer any more. */
  report() {
    const session = { ...this.session };
    if (this.#asked && this.sessionId !== "default") session.response_mode = { skill_id: this.skill.id, expires_at: 0 };
    return Object.keys(session).length ? { ...this.message.context, session } : this.message.context;
  }
}

/** What lasts, by key: JSON. `scope` is household (everybody's), owner (of the skill's token) or session. */
export class Storage {
  constructor(skill, scope = "household", context = {}) {
    this.skill = skill;
    this.scope = scope;
    this.context = context;
  }

  #ask(what, data) {
    return this.skill.request(`parley.storage.${what}`, { scope: this.scope, ...data }, this.context);
  }

  async get(key, otherwise = null) {
    return (await this.#ask("get", { key })).value ?? otherwise;
  }

  /** Committed when it is done. */
  async put(key, value) {
    await this.#ask("put", { key, value });
  }

  /** Every key that begins so, with its value. */
  async all(prefix = "") {
    return (await this.#ask("all", { prefix })).values ?? {};
  }

  /** Whether there was one. */
  async erase(key) {
    return (await this.#ask("erase", { key })).erased ?? false;
  }

  /** Writes what `edit` makes of the value (null: there is none); null erases. Called again where others wrote meanwhile. */
  async change(key, edit) {
    for (let attempt = 0; attempt < 100; attempt++) {
      const { value: there = null, version = 0 } = await this.#ask("get", { key });
      const value = edit(there) ?? null;
      try {
        if (value !== null) await this.#ask("put", { key, value, expect_version: version });
        else if (version) await this.#ask("erase", { key, expect_version: version });
        return value;
      } catch (failure) {
        if (failure.code !== "conflict") throw failure;
      }
    }
    throw new RequestFailed("conflict", `'${key}' was changed by others a hundred times meanwhile`);
  }
}

/** What is to come: handlers of `skill.due(name, …)` are called at a time, or again and again. */
export class Schedule {
  constructor(skill) {
    this.skill = skill;
  }

  /** `when`: a Date or Unix seconds. In the session of `turn`. The id, for `cancel`. */
  at(when, name, payload = null, turn = null) {
    return this.#add({ at: when instanceof Date ? when.getTime() / 1000 : when, name, payload }, turn);
  }

  /** `rule`: {every: "day"|"weekdays"|"week"|"month", time: "07:30", weekday?, day?} or {seconds}. */
  repeat(rule, name, payload = null, turn = null) {
    return this.#add({ rule, name, payload }, turn);
  }

  /** Whether it was still to come. */
  async cancel(id) {
    return (await this.skill.request("parley.schedule.cancel", { id })).cancelled ?? false;
  }

  async list(name = "") {
    return (await this.skill.request("parley.schedule.list", { name })).scheduled ?? [];
  }

  async #add(data, turn) {
    return (await this.skill.request("parley.schedule.add", data, turn?.message.context)).id;
  }
}

/** A skill at the other end of a connection. `id` is its name on the bus, such as kettle.example. */
export class Skill {
  constructor(id) {
    this.id = id;
    this.words = { ...WORDS };
    this.readyWithin = 10_000; // milliseconds in which parley has to take it in
    this.aliveEvery = 20_000; // after which parley is asked whether it still is there, and in which it has to answer
    this.schedule = new Schedule(this);
    this.log = (text, problem) => console.error(`${this.id}: ${text}`, ...(problem ? [problem] : []));
    this.registrations = []; // {type, data}
    this.handlers = new Map(); // of intents, by name
    this.phrases = {}; // by language and name
    this.fallbacks = [];
    this.dues = new Map();
    this.running = new Map(); // by utterance_id: turns
    this.questions = new Map(); // by session: who waits for its next utterance
    this.requests = new Map();
    this.requestCount = 0;
    this.busy = 0; // handlers that run
    this.offset = 0; // of the core's clock to ours, in seconds
    this.socket = null;
    this.closed = false;
  }

  // ---- what it listens to and says

  /** `samples`: templates by language. `more`: required_slots, slot_types, blacklist, … */
  intent(name, samples, handler, more = {}) {
    for (const [lang, some] of Object.entries(samples)) this.#register("template", name, lang, { samples: some, ...more });
    this.handlers.set(name, handler);
  }

  /** The same by vocabularies: {"en-US": {required: {lamp: ["lamp", "light"]}, one_of: [{…}], optional: {…}}}. */
  keywords(name, roles, handler, more = {}) {
    const listed = (words) => Object.entries(words).map(([one, samples]) => ({ name: one, samples }));
    for (const [lang, some] of Object.entries(roles)) {
      const data = Object.entries(some).map(([role, words]) => [role, role === "one_of" ? words.map(listed) : listed(words)]);
      this.#register("keyword", name, lang, { ...Object.fromEntries(data), ...more });
    }
    this.handlers.set(name, handler);
  }

  /** Values of a slot, by language; others match as well. */
  entity(name, samples) {
    for (const [lang, some] of Object.entries(samples)) {
      const data = { skill_id: this.id, entity_name: name, lang, samples: some };
      this.registrations.push({ type: "ovos.entity.register", data });
    }
  }

  /** {"en-US": {boiled: "The water boils.", poured: ["{cups} cups.", "Here are {cups} cups."]}}: any of them. */
  dialogs(byLanguage) {
    for (const [lang, dialogs] of Object.entries(byLanguage)) {
      for (const [name, some] of Object.entries(dialogs)) {
        const phrases = [some].flat();
        const slots = new Set(phrases.map((phrase) => [...new Set(slotsOf(phrase))].sort().join()));
        if (slots.size !== 1) throw new Error(`the phrases of the dialog '${name}' in ${lang} must have the same slots`);
        (this.phrases[lang] ??= {})[name] = phrases;
      }
    }
  }

  /** For what no intent took; the lowest priority is asked first. `canAnswer` must be quick. */
  fallback(priority, canAnswer, handler) {
    this.fallbacks.push({ priority, canAnswer, handler });
    this.fallbacks.sort((a, b) => a.priority - b.priority);
  }

  /** For what is said next; `takes(said)` is true, false or DONE, and quick. */
  converse(takes, handler) {
    this.conversation = { takes, handler };
  }

  /**
   * Answers questions of fact: `answer` is a function of a Said that gives a text, [text, confidence] or null. It may
   * take its time, and must not speak. `claims(said)`: whether it may know; quick.
   */
  question(claims, answer, latency_ms = 0) {
    this.asked = { claims, answer, latency_ms };
  }

  /** Ends what goes on outside of handlers; `canStop(said)`: whether anything does. */
  onStop(canStop, handler) {
    this.stopping = { canStop, handler };
  }

  /** For what `schedule` has put off; its turn has a payload. */
  due(name, handler) {
    this.dues.set(name, handler);
  }

  /** What lasts for everybody; `turn.storage()` is what lasts for the session of a turn. */
  storage() {
    return new Storage(this);
  }

  firstLanguage() {
    return Object.keys(this.phrases)[0] ?? this.registrations[0]?.data.lang ?? "en-US";
  }

  /** A phrase of a dialog with its slots filled, and its language. */
  render(dialog, slots, ...languages) {
    const having = Object.keys(this.phrases).filter((lang) => dialog in this.phrases[lang]);
    const wanted = languages.filter((lang) => typeof lang === "string").map((lang) => foundFor(lang, having));
    const lang = wanted.find(Boolean) ?? having[0];
    if (!lang) throw new Error(`the skill has no dialog '${dialog}'`);
    const phrases = this.phrases[lang][dialog];
    const phrase = phrases[Math.floor(Math.random() * phrases.length)];
    const missing = slotsOf(phrase).filter((slot) => !Object.hasOwn(slots, slot));
    if (missing.length) throw new Error(`the dialog '${dialog}' needs a value for ${missing.sort().join(", ")}`);
    return { text: phrase.replace(/\{(\w+)\}/g, (_, slot) => slots[slot]), lang };
  }

  #register(method, name, lang, what) {
    const data = { skill_id: this.id, intent_name: name, lang, ...what };
    this.registrations.push({ type: `ovos.intent.register.${method}`, data });
  }

  // ---- the connection

  /** Runs it as a program: PARLEY_URL or the first argument is where parley listens, PARLEY_TOKEN its token, if any. */
  async main() {
    const { argv, env } = globalThis.process;
    const url = argv[2] ?? env.PARLEY_URL ?? URL_OF_PARLEY;
    try {
      await this.serve(url, { token: env.PARLEY_TOKEN, ready: () => console.log(`${this.id} is at ${url}`) });
    } catch (problem) {
      console.error(`${this.id}: ${problem.message}`);
      globalThis.process.exitCode = 1;
    }
  }

  /** Takes part until `close()`, and connects again when the connection is lost; `ready` is called each time. */
  async serve(url = URL_OF_PARLEY, { token, ready = () => {} } = {}) {
    const Socket = globalThis.WebSocket ?? (await webSocketOfNode());
    for (let pause = PAUSES[0]; !this.closed; pause = Math.min(2 * pause, PAUSES[1])) {
      const started = Date.now();
      try {
        await this.#takePart(new Socket(this.#address(url, token)), url, ready);
      } catch (problem) {
        if (this.closed) return;
        if (problem.isEarly && (await isRefused(url, token))) throw new Refused(`${url} wants a token, or another one (PARLEY_TOKEN): 401`);
        this.log(`${problem.message}; trying again`);
      }
      if (Date.now() - started > PAUSES[1]) pause = PAUSES[0]; // it had lasted
      const wait = pause * (0.5 + Math.random() / 2);
      if (!this.closed) await new Promise((done) => setTimeout(done, wait));
    }
  }

  /** Leaves for good. */
  close() {
    this.closed = true;
    this.socket?.close();
  }

  #address(url, token) {
    const own = [...this.handlers.keys(), "fallback", "converse", "response", "common_query", "stop", "due"];
    const topics = ["ovos.core.ready", "ovos.intent.handler.error", "ovos.stop", "ovos.stop.ping", "ovos.common_query.ping"];
    topics.push(`${this.id}.converse.ping`, `${this.id}.fallback.ping`, ...own.map((name) => `${this.id}:${name}`));
    return `${url}?topics=${topics.join(",")}${token ? `&token=${encodeURIComponent(token)}` : ""}`;
  }

  /** Until the connection ends, which is an error in any case. */
  async #takePart(socket, url, ready) {
    let alive, silent;
    let isEarly = true; // before it was open
    const lost = new Promise((_, failed) => {
      silent = failed;
      const fails = (text) => () => failed(Object.assign(new ConnectionLost(text), { isEarly }));
      socket.onerror = fails(`no connection to ${url}; is \`parley serve\` running?`);
      socket.onclose = fails("the connection was lost");
    });
    lost.catch(() => {}); // it may be lost while nobody waits for that
    const connected = new Promise((done) => (socket.onopen = done));
    try {
      await within(Promise.race([connected, lost]), this.readyWithin, new ConnectionLost(`${url} did not answer in time`));
      isEarly = false;
      this.socket = socket;
      socket.onmessage = ({ data }) => this.#received(data);
      // Until it is known that this connection speaks for the skill, registrations might be dropped.
      await Promise.race([this.#isThere(this.readyWithin, NOT_TAKEN_IN), lost]);
      this.#introduce();
      await Promise.race([this.#isThere(this.readyWithin, NOT_TAKEN_IN), lost]);
      ready();
      alive = setInterval(() => this.#isThere(this.aliveEvery, "parley is silent").catch(silent), this.aliveEvery);
      await lost;
    } finally {
      clearInterval(alive);
      this.socket = null;
      socket.onmessage = null;
      socket.close();
      this.#ended();
    }
  }

  /** parley answers the skill, be it with an error. */
  async #isThere(milliseconds, refusal) {
    try {
      await this.request("parley.storage.get", { key: "ready" }, {}, milliseconds);
    } catch (failure) {
      if (!(failure instanceof RequestFailed)) throw new ConnectionLost(refusal);
    }
  }

  /** What was under way has ended with the connection. */
  #ended() {
    for (const { failed } of this.requests.values()) failed(new ConnectionLost("the connection was lost"));
    for (const turn of this.running.values()) turn.cancel();
    this.running.clear();
  }

  #introduce() {
    for (const { type, data } of this.registrations) this.send(type, data);
    if (!this.fallbacks.length) return;
    this.send("ovos.fallback.register", { skill_id: this.id, priority: this.fallbacks[0].priority });
  }

  send(type, data, context = {}) {
    if (!this.socket) throw new ConnectionLost("there is no connection to parley now");
    if (this.socket.bufferedAmount > UNSENT) {
      this.socket.close();
      throw new ConnectionLost("parley takes nothing any more");
    }
    this.socket.send(JSON.stringify({ type, data, context: { source: this.id, ...context, skill_id: this.id } }));
  }

  async request(type, data, context = {}, milliseconds = ANSWER) {
    if (this.requests.size >= REQUESTS) throw new RequestFailed("full", `${REQUESTS} requests wait for their answer already`);
    const key = ++this.requestCount;
    const answer = new Promise((done, failed) => this.requests.set(key, { done, failed }));
    try {
      this.send(type, data, { ...context, request_id: key });
      const said = await within(answer, milliseconds, new Error(`no answer to ${type}`));
      if (isObject(said.error)) throw new RequestFailed(said.error.code, said.error.message, said.version);
      return said;
    } finally {
      this.requests.delete(key);
    }
  }

  coreTime() {
    return Date.now() / 1000 + this.offset;
  }

  // ---- what it gets

  #received(frame) {
    const message = parsed(frame);
    if (!message) return;
    try {
      this.#take(message);
    } catch (problem) {
      this.log(`could not deal with '${message.type}'`, problem); // what one message does is over with it
    }
  }

  #take(message) {
    const { type, data, context } = message;
    if (type === "ovos.core.ready") this.#introduce();
    else if (type === "ovos.intent.handler.error") this.#cancelled(context);
    else if (type === "ovos.stop") this.#stopEverything(message);
    else if (type === "ovos.stop.ping") this.#pong(message, "ovos.stop.pong", { can_handle: this.#canStop(message) });
    else if (type === "ovos.common_query.ping") {
      const can_answer = Boolean(this.asked && this.#agrees(this.asked.claims, message));
      const claim = { utterance: textOf(data, "utterance"), can_answer, ...(can_answer && { latency_ms: this.asked.latency_ms }) };
      this.#pong(message, "ovos.common_query.pong", claim);
    } else if (type === `${this.id}.converse.ping`) {
      const takes = this.conversation && this.#agrees(this.conversation.takes, message);
      this.#pong(message, `${this.id}.converse.pong`, { result: takes === true, ...(takes === DONE && { error_code: "done" }) });
    } else if (type === `${this.id}.fallback.ping`)
      this.#pong(message, `${this.id}.fallback.pong`, { can_handle: Boolean(this.#fallbackFor(message)) });
    else if (type.startsWith("parley.") && type.endsWith(".response")) this.requests.get(context.request_id)?.done(data);
    else if (type.startsWith(`${this.id}:`)) this.#dispatched(type.slice(this.id.length + 1), message);
  }

  #pong(message, type, data) {
    this.send(type, { skill_id: this.id, ...data }, replied(message, this.id));
  }

  /** What a predicate of the skill says; false when it fails. */
  #agrees(predicate, message) {
    try {
      return predicate(new Said(this, message));
    } catch (problem) {
      this.log("a question whether it can do something failed", problem);
      return false;
    }
  }

  #fallbackFor(message) {
    return this.fallbacks.find(({ canAnswer }) => this.#agrees(canAnswer, message))?.handler;
  }

  #canStop(message) {
    const { sessionId } = new Said(this, message);
    const runs = [...this.running.values()].some((turn) => turn.sessionId === sessionId);
    return runs || Boolean(this.stopping && this.#agrees(this.stopping.canStop, message));
  }

  /** The core has ended a handler: a stop, or its time was over. */
  #cancelled({ skill_id, utterance_id }) {
    const turn = skill_id === this.id ? this.running.get(utterance_id) : null;
    if (!turn) return;
    this.running.delete(utterance_id);
    turn.cancel();
  }

  #stopEverything(message) {
    if (!this.stopping) return;
    const stopped = Boolean(this.#agrees(this.stopping.canStop, message));
    if (stopped) this.#begin(() => this.#handle(this.stopping.handler, new Turn(this, message)));
    this.#pong(message, "ovos.stop.response", { stopped });
  }

  #dispatched(name, message) {
    this.#noteTime(message);
    if (this.busy >= HANDLERS) {
      this.send("ovos.intent.handler.error", { exception: `${HANDLERS} handlers run already` }, message.context);
      return;
    }
    if (name === "common_query") {
      this.#begin(() => this.#answer(message));
      return;
    }
    const own = {
      response: () => (turn) => this.#hear(turn),
      stop: () => this.stopping?.handler ?? (() => {}),
      converse: () => this.conversation?.handler,
      fallback: () => this.#fallbackFor(message),
      due: () => this.dues.get(textOf(message.data, "name")),
    };
    const handler = Object.hasOwn(own, name) ? own[name]() : this.handlers.get(name);
    const turn = new Turn(this, message);
    this.running.set(message.context.utterance_id, turn);
    this.#begin(() => this.#run(turn, handler));
  }

  /** The core has just stamped the dispatch: by its clock questions end. */
  #noteTime({ context }) {
    const owners = context.session?.converse_handlers;
    const own = Array.isArray(owners) ? owners.find((one) => one?.skill_id === this.id) : null;
    if (Number.isFinite(own?.activated_at)) this.offset = own.activated_at - Date.now() / 1000;
  }

  async #begin(work) {
    this.busy++;
    try {
      await work();
    } catch (problem) {
      const isOver = problem instanceof ConnectionLost || problem instanceof Cancelled;
      if (!isOver) this.log("a handler failed", problem);
    } finally {
      this.busy--;
    }
  }

  /** Runs a handler and reports how it ended. One that the core has ended is not waited for. */
  async #run(turn, handler) {
    let type = "ovos.intent.handler.complete";
    let data = null;
    try {
      if (!handler) throw new Error("it has no handler for this");
      const ended = new Promise((_, failed) => turn.signal.addEventListener("abort", () => failed(turn.signal.reason)));
      await Promise.race([this.#handle(handler, turn), ended]);
      data = turn.outcome;
    } catch (problem) {
      if (turn.signal.aborted) return;
      this.log("a handler failed", problem); // the end of this turn, not of the skill
      type = "ovos.intent.handler.error";
      data = { exception: problem?.message || String(problem) };
    }
    this.running.delete(turn.message.context.utterance_id);
    this.send(type, data, turn.report());
  }

  async #handle(handler, turn) {
    const said = await handler(turn);
    if (typeof said === "string") turn.speak(said);
  }

  /** The answer to a question of fact; none when it has none after all. */
  async #answer(message) {
    const data = { utterance: textOf(message.data, "utterance") };
    try {
      const said = await this.asked.answer(new Said(this, message));
      if (said) [data.answer, data.conf] = Array.isArray(said) ? said : [said, 0.8];
    } catch (problem) {
      this.log(`could not answer '${data.utterance}'`, problem);
    }
    this.#pong(message, `${this.id}.common_query.response`, data);
  }

  // ---- questions to the user

  openQuestion(sessionId) {
    this.questions.get(sessionId)?.answer({ end: "replaced" });
    const question = {};
    question.heard = new Promise((answer) => (question.answer = answer));
    this.questions.set(sessionId, question);
    return question;
  }

  closeQuestion(sessionId, question) {
    if (this.questions.get(sessionId) === question) this.questions.delete(sessionId);
  }

  /** What was said answers whoever waits in that session. */
  #hear(turn) {
    const question = this.questions.get(turn.sessionId);
    this.questions.delete(turn.sessionId);
    if (question) question.answer({ end: "answered", turn });
    else turn.notUnderstood();
  }
}

const slotsOf = (phrase) => [...phrase.matchAll(/\{(\w+)\}/g)].map((slot) => slot[1]);

/** Whether it is the token that keeps the skill out: a browser's WebSocket does not say. */
async function isRefused(url, token) {
  const address = new URL(url);
  address.protocol = address.protocol === "wss:" ? "https:" : "http:";
  address.pathname = "/v1/me";
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  try {
    return (await fetch(address, { headers, signal: AbortSignal.timeout(10_000) })).status === 401;
  } catch {
    return false;
  }
}

/** The WebSocket of Debian's node-ws, for a Node that has none of its own. */
export async function webSocketOfNode() {
  const { createRequire } = await import("node:module");
  const require = createRequire(import.meta.url);
  for (const module of ["ws", "/usr/share/nodejs/ws"]) {
    try {
      return require(module);
    } catch {
      // Debian's modules are in the second place, where Node does not look by itself.
    }
  }
  throw new Error("this Node has no WebSocket: install Debian's node-ws, or use Node 22");
}
