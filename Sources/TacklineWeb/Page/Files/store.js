import { fail, memory, toast } from "./elements.js";

// The flags as the program last sent them, and the connection over which it does.
export const store = {
  /** The snapshot; the Swift types of TacklineBrowser say what its members mean. */
  snapshot: null,
  /** The flags by their id. */
  flags: new Map(),
  sections: new Map(),
  isLive: false,
  isSignedOut: false,
  /** What the page says above everything, such as that the connection is lost. */
  notice: "",
  /** Commands that take back what was done on this page, the last one at the end. */
  undos: [],
  /** Set by main.js. */
  onSnapshot: () => {},
  onConnection: () => {},

  providers: (flag) => store.sections.get(flag.section)?.providers ?? [],
  held: (flag, provider) => flag.answers.find((one) => one.provider === provider && one.value),
  isOverride: (flag) => store.providers(flag).some((one) => one.id === flag.source.provider && one.isOverrideLayer),
  refusal: (flag) => store.snapshot.readOnlyReason ?? flag.refusal,
};

/** Sends a request and returns what the program answered, or throws an error with a message for people. */
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer, text;
  try {
    // A connection that is dead without an end would take minutes to fail.
    answer = await fetch(path, { ...options, cache: "no-store", signal: AbortSignal.timeout(20000) });
    text = await answer.text();
  } catch {
    lose("The program does not answer.");
    const unknown = path === "api/command" ? ", so it is not known whether anything was changed" : "";
    throw { code: "connection", message: `The program does not answer${unknown}.` };
  }
  if (answer.ok) return JSON.parse(text);
  if (answer.status === 401) signOut();
  else if (path.startsWith("api/state")) lose("The program does not answer.");
  let error = { code: "connection", message: text.trim() || `The program answered with status ${answer.status}.` };
  try { error = JSON.parse(text); } catch { /* Not every refusal is JSON. */ }
  throw error;
}

let stream = null, lastSign = 0, failures = 0, retry = 0;
let fetching = null, isStale = false, nextFetch = 0, nextLook = 0;

/** Fetches the snapshot, once for many reasons. Returns when the page shows one that is at least as new as the call. */
export function refresh() {
  isStale = true;
  fetching ??= fetchUntilNewest().finally(() => { fetching = null; });
  return fetching;
}

async function fetchUntilNewest() {
  while (isStale) {
    // While flags change all the time, half of the time is left to the program for other things.
    const wait = nextFetch - performance.now();
    if (wait > 0) await new Promise((then) => setTimeout(then, wait));
    isStale = false;
    const start = performance.now();
    const isPart = store.isLive && start < nextLook;
    const snapshot = await ask(isPart ? `api/state?since=${store.snapshot.number}` : "api/state");
    const took = performance.now() - start;
    // All flags are asked for now and then, since some providers don't tell the program about changes.
    if (isPart) nextFetch = performance.now() + took; else nextLook = performance.now() + Math.max(15000, 20 * took);
    take(snapshot);
  }
}

function take(snapshot) {
  if (snapshot.since === undefined) store.flags = new Map();
  for (const flag of snapshot.flags) store.flags.set(flag.id, flag);
  store.snapshot = { ...snapshot, flags: [...store.flags.values()] };
  store.sections = new Map(snapshot.sections.map((section) => [section.id, section]));
  store.isSignedOut = false;
  if (!stream) open();
  connect(true, "");
  store.onSnapshot();
}

/** Follows the program, which says its revision when it changes and every few seconds. */
export function open() {
  stream?.close();
  lastSign = performance.now();
  const opened = stream = new EventSource("api/events");
  opened.addEventListener("changed", (event) => {
    if (stream !== opened) return;
    lastSign = performance.now();
    failures = 0;
    const isKnown = store.isLive && Number(event.data) <= store.snapshot.revision && lastSign < nextLook;
    if (!isKnown) refresh().catch(() => {});
  });
  opened.addEventListener("error", () => { if (stream === opened) lose("The program does not answer."); });
}

function lose(reason) {
  stream?.close();
  stream = null;
  if (store.isSignedOut) return;
  connect(false, `${reason} What you see may be out of date. Trying to connect again…`);
  if (retry || document.hidden) return;
  failures += 1;
  const wait = Math.min(5000, 250 * 2 ** Math.min(failures, 5)) * (0.75 + Math.random() / 2);
  retry = setTimeout(() => { retry = 0; refresh().catch(() => {}); }, wait);
}

function signOut() {
  stream?.close();
  stream = null;
  store.isSignedOut = true;
  connect(false, "The program was started again and does not know this page. Open the URL that it printed.");
}

function connect(isLive, notice) {
  if (store.isLive === isLive && store.notice === notice) return;
  Object.assign(store, { isLive, notice });
  store.onConnection();
}

/** Notices a connection that gives no sign of life, and closes that of a page that nobody sees: a browser opens six. */
export function watch() {
  let hiding = 0;
  setInterval(() => {
    if (stream && performance.now() - lastSign > 15000) lose("The program gives no sign of life.");
  }, 1000);
  const look = () => { if (!stream) refresh().catch(() => {}); };
  addEventListener("online", look);
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiding);
    if (!document.hidden) look();
    else hiding = setTimeout(() => { stream?.close(); stream = null; }, 5000);
  });
}

let running = 0;
/** Whether changes that come now are those of a command of this page. */
export const areOurs = () => running > 0;

// Clicks come quicker than answers, so each waits for what was begun before it.
let begun = Promise.resolve();
function inTurn(work) {
  const done = begun.then(work);
  begun = done.catch(() => {});
  return done;
}

/** Sends a command, shows its effect, and says how it went. */
export const act = (command, options) => inTurn(() => perform(command, options));

async function perform(command, { rethrows = false } = {}) {
  running += 1;
  try {
    const reply = await ask("api/command", { command, author: memory.get("name") || undefined });
    const canUndo = reply.undo && !command.restore;
    if (canUndo) store.undos.push({ command: reply.undo, message: reply.message });
    toast(reply.message, { undo: canUndo ? undo : null });
    await refresh().catch(() => {});
    return reply;
  } catch (error) {
    if (rethrows) throw error;
    fail(error);
    return null;
  } finally {
    running -= 1;
  }
}

/** Takes back what was last done on this page. */
export const undo = () => inTurn(async () => {
  const last = store.undos.at(-1);
  if (!last || !await perform(last.command)) return;
  store.undos.splice(store.undos.indexOf(last), 1);
  store.onConnection();
});

/** Flips the switch of a flag, whose value ends when it did before. Where that would change nothing, it says why and does not. */
export const flip = (id) => inTurn(async () => {
  const flag = store.flags.get(id);
  if (!flag || store.refusal(flag)) return;
  const { expires } = store.held(flag, store.sections.get(flag.section).defaultDestination) ?? {};
  const command = { set: { flag: id, text: flag.value.input === "true" ? "false" : "true", expires } };
  try {
    const preview = await ask("api/preview", command);
    if (preview.changesAnything) await perform(command); else fail(preview);
  } catch (error) { fail(error); }
});
