import { store } from "./store.js";
import { filter } from "./filter.js";
import { emit } from "./signals.js";
import { texts } from "./texts.js";

// Talks to the program, and notices when it is gone.
export const connection = {
  stream: null,
  isLive: false,
  isRefused: false,
  failures: 0,
  lastSign: 0,
  retry: 0,
  /** The ids of flags that the page shows, which it sets. @type {() => string[]} */
  shown: () => [],

  async ask(path, body) {
    const options = { cache: "no-store", headers: {} };
    if (body !== undefined) {
      options.method = "POST";
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    let answer;
    try {
      // A connection that is dead without an end would keep us for minutes.
      answer = await fetch(path, { ...options, signal: AbortSignal.timeout(20000) });
    } catch {
      this.lost("The program does not answer.");
      this.tryAgain();
      const unknown = path === "api/command" ? ", so it is not known whether anything was changed" : "";
      throw { code: "connection", message: `The program does not answer${unknown}.` };
    }
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    if (answer.status === 401) this.refused();
    let error = { code: "connection", message: text.trim()
      || `The program answered with status ${answer.status}.` };
    try { error = JSON.parse(text).error ?? error; } catch { /* Not every refusal is JSON. */ }
    throw error;
  },

  // Waits until the page shows a revision, which comes as a delta; what does not come is fetched.
  reached(revision) {
    const start = performance.now();
    return new Promise((resolve) => {
      const look = () => {
        if (store.snapshot.revision >= revision) resolve();
        else if (performance.now() - start > 1000) this.fetchAll().then(resolve);
        else setTimeout(look, 10);
      };
      look();
    });
  },

  // Opens the stream of changes; everything is fetched when it is open, so that nothing falls in between.
  open() {
    clearTimeout(this.retry);
    this.retry = 0;
    this.stream?.close();
    const stream = new EventSource("api/events");
    this.stream = stream;
    const sign = (act) => (event) => {
      if (this.stream !== stream) return;
      this.lastSign = performance.now();
      act?.(event);
    };
    stream.addEventListener("hello", sign(() => this.fetchAll()));
    stream.addEventListener("ping", sign());
    stream.addEventListener("away", sign((event) => this.lost(event.data)));
    stream.addEventListener("delta", sign((event) => {
      const changed = store.apply(JSON.parse(event.data));
      if (changed === null) this.fetchAll();
      else { this.live(); emit("delta", changed); }
    }));
    // The flags of an edit, before everything else that it changes.
    stream.addEventListener("flags", sign((event) => {
      const changed = store.patch(JSON.parse(event.data));
      if (changed) emit("delta", changed);
    }));
    stream.addEventListener("error", () => {
      if (this.stream !== stream) return;
      stream.close();
      this.lost("The program does not answer.");
      this.tryAgain();
    });
    this.lastSign = performance.now();
  },

  async fetchAll() {
    try {
      const isFiltered = !filter.isEmpty;
      const list = await this.ask("api/list", { filter: filter.query, isWhole: true, flags: this.shown() });
      // A delta may have come first.
      if (store.snapshot && list.version < store.version && this.failures === 0) return;
      store.take(list);
      this.failures = 0;
      this.live();
      emit("snapshot", list, isFiltered);
    } catch {
      this.tryAgain();
    }
  },

  tryAgain() {
    if (this.isRefused || this.retry) return;
    this.failures += 1;
    const wait = Math.min(5000, 250 * 2 ** Math.min(this.failures, 5)) * (0.75 + Math.random() / 2);
    this.retry = setTimeout(() => { this.retry = 0; this.probe(); }, wait);
  },

  // A stream that is refused does not say why, so an ordinary request goes first.
  async probe() {
    try {
      await this.ask("api/flags", []);
      this.open();
    } catch {
      this.tryAgain();
    }
  },

  live() {
    if (this.isLive) return;
    this.isLive = true;
    this.isRefused = false;
    emit("connection", "live", texts.live, "");
  },

  lost(reason) {
    if (this.isRefused) return;
    this.isLive = false;
    emit("connection", "lost", texts.connectionLost,
      `${reason} What you see may be out of date. Trying to connect again…`);
  },

  refused() {
    this.isRefused = true;
    this.isLive = false;
    this.stream?.close();
    emit("connection", "lost", "Signed out",
      "The program was started anew and does not know this page. Open the URL that it printed.");
  },

  // A connection that is dead without an end gives no sign.
  watch() {
    setInterval(() => {
      if (!this.isLive || performance.now() - this.lastSign < 15000) return;
      this.stream?.close();
      this.lost("The program gives no sign of life.");
      this.tryAgain();
    }, 1000);
    addEventListener("online", () => { if (!this.isLive && !this.isRefused) this.probe(); });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !this.isLive && !this.isRefused) this.probe();
    });
  },
};
