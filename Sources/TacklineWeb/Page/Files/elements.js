import { texts } from "./texts.js";

// Elements are made of text, never of markup: whatever a flag is called stays text.
export const $ = (id) => document.getElementById(id);

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event,
      act);
    else if (name === "class") made.className = value;
    else if (name === "value" || name === "checked" || name === "disabled") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function picture(paths, properties = {}) {
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  for (const [key, value] of Object.entries(properties)) svg.setAttribute(key, value);
  for (const d of paths) {
    const path = document.createElementNS(name, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

export const pictures = {
  pin: ["M7 2.5h6l-.8 6 2.8 3v1.5H5v-1.5l2.8-3zM10 13v4.5"],
  close: ["m5 5 10 10M15 5 5 15"],
  fold: ["m7 5 6 5-6 5z"],
};

export const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };
export const plural = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;
export const narrow = window.matchMedia("(max-width: 1020px)");

export const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit",
  hourCycle: "h23" });
export const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

const momentary = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The time zone of the browser, such as `Europe/Berlin`. */
export const { timeZone } = momentary.resolvedOptions();

/** A moment, in the time of whoever looks. @param {string} text */
export const moment = (text) => momentary.format(new Date(text));

// How people know a source.
export function sourceName(source) {
  switch (source.kind) {
    case "provider": return source.provider;
    case "computed": return texts.computed;
    case "scope": return texts.currentTask;
    default: return texts.byDefault;
  }
}
