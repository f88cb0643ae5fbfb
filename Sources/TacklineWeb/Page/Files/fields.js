import { button, element } from "./elements.js";

/** Makes the field for a new value of the editor's flag, and leaves its inputs in the editor's parts. */
export function makeField(editor) {
  const { flag: { control, isOptional, rule }, entry, parts } = editor;
  if (control.kind === "toggle") return segments(editor, isOptional ? ["true", "false", "null"] : ["true", "false"]);
  const typed = () => editor.change({ text: written(control, input.value) }, false);
  const properties = { id: "value", "aria-describedby": "foresight", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
    on: { input: typed } };
  const lines = entry.text.split("\n").length;
  const make = {
    integer: () => element("input", { ...properties, type: "text", inputmode: "numeric", class: "mono" }),
    number: () => element("input", { ...properties, type: "text", inputmode: "decimal", class: "mono" }),
    choice: () => element("select", { ...properties, on: { change: typed } }, ...control.options.map(({ label, value }) => element("option",
      { value: value.input ?? label }, label === value.input ? label : `${label} (${value.text})`))),
    date: () => element("input", { ...properties, type: "datetime-local", step: "1" }),
    json: () => element("textarea", { ...properties, class: "mono", rows: Math.min(14, Math.max(5, lines)) }),
    text: () => (control.format === "plain"
      ? element("textarea", { ...properties, rows: Math.min(8, Math.max(lines, Math.ceil(entry.text.length / 40), 1)) })
      : element("input", { ...properties, type: "text", class: "mono" })),
  };
  const input = make[control.kind]();
  input.value = control.kind === "date" ? entry.text.slice(0, 19) : entry.text;
  if (control.kind === "choice" && entry.isNull) input.selectedIndex = -1;
  const body = control.kind === "integer" ? stepper(editor, input)
    : control.kind === "number" && control.minimum !== undefined ? slider(editor, input) : input;
  if (control.kind === "text") {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || input.value.includes("\n")) return;
      event.preventDefault();
      editor.save();
    });
  }
  parts.inputs = [input, ...body.querySelectorAll("input[type=range]")];
  const none = isOptional && element("input", { type: "checkbox", checked: entry.isNull, on: { change: () => {
    disable(none.checked);
    if (control.kind === "choice" && input.selectedIndex < 0) input.selectedIndex = 0;
    editor.change({ isNull: none.checked, text: written(control, input.value) });
  } } });
  const disable = (isNull) => { for (const one of parts.inputs) one.disabled = isNull; };
  disable(entry.isNull);
  const formats = { url: "A URL with a scheme.", uuid: "A UUID.", base64: "Bytes in base64." };
  const hint = rule ? `Allowed: ${rule}.` : control.kind === "integer" ? range(control) : control.kind === "date" ? "In UTC."
    : formats[control.format];
  return element("div", { class: "field" }, element("label", { for: "value" }, "New value"), body,
    hint && element("span", { class: "hint" }, hint), none && element("label", { class: "check" }, none, "No value (null)"));
}

/** The text of a value as the program reads it: dates are in UTC. */
function written({ kind }, text) {
  return kind === "date" && text ? `${text.length === 16 ? `${text}:00` : text}Z` : text;
}

function segments(editor, choices) {
  const { entry, parts } = editor;
  parts.inputs = choices.map((text) => element("input", { type: "radio", name: "value", value: text,
    checked: text === (entry.isNull ? "null" : entry.text),
    on: { change: () => editor.change({ isNull: text === "null", text: text === "null" ? "" : text }) } }));
  return element("fieldset", { class: "field" }, element("legend", {}, "New value"), element("div", { class: "segments" },
    ...choices.map((text, index) => element("label", {}, parts.inputs[index], text))));
}

function stepper(editor, input) {
  const { minimum, maximum } = editor.flag.control;
  const step = (by) => {
    let next;
    try { next = BigInt(input.value.trim() || "0") + by; } catch { return; }
    if (next < BigInt(minimum) || next > BigInt(maximum)) return;
    input.value = String(next);
    editor.change({ text: input.value });
  };
  input.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1n, ArrowDown: -1n }[event.key];
    if (by) { event.preventDefault(); step(by); }
  });
  return element("div", { class: "stepper" }, input, button("−", { "aria-label": "One less" }, () => step(-1n)),
    button("+", { "aria-label": "One more" }, () => step(1n)));
}

function slider(editor, input) {
  const { minimum, maximum } = editor.flag.control;
  const track = element("input", { type: "range", "aria-label": "New value", min: minimum, max: maximum, step: "any",
    value: input.value, on: { input: () => {
      input.value = String(Number(Number(track.value).toPrecision(3)));
      editor.change({ text: input.value }, false);
    } } });
  input.addEventListener("input", () => { track.value = input.value; });
  return element("div", { class: "slider" }, input, track);
}

function range({ minimum, maximum }) {
  const digits = (text) => text.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return maximum.length > 12 ? "" : `${digits(minimum)} to ${digits(maximum)}`;
}
