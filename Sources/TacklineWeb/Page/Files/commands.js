import { element } from "./elements.js";
import { author, heldBy, store } from "./store.js";
import { connection } from "./connection.js";
import { toast } from "./messages.js";
import { askName, askToOverwrite, showDialog } from "./dialogs.js";
import { texts } from "./texts.js";

/** Whether changes that come now are those of a command of this page. */
export const commands = { areOurs: false };

// The command that was begun last, with its end in what the page shows.
let last = Promise.resolve();

// Sends a command, and says how it went.
export function act(command, options) {
  const acted = perform(command, options);
  last = acted.catch(() => {});
  return acted;
}

async function perform(command, { rethrows = false, quiet = false } = {}) {
  if (author.name === null && command.command !== "pin") await askName();
  commands.areOurs = true;
  try {
    const reply = await connection.ask("api/command", { ...command, author: author.message });
    await connection.reached(reply.revision);
    if (!quiet) {
      const { edit } = reply;
      toast(reply.message, { undo: edit && command.command !== "undo" ? () => undo(edit) : null });
    }
    return reply;
  } catch (error) {
    if (rethrows) throw error;
    toast(error.message, { isBad: true });
    return null;
  } finally {
    commands.areOurs = false;
  }
}

// Flips a switch of the list; where that would change nothing, says why and does not. Where somebody has changed what would
// be overwritten, it asks. A second click waits for what the first leads to.
let lastFlip = Promise.resolve();
export const flip = (id) => { lastFlip = lastFlip.then(() => flipNow(store.flags.get(id))); };

async function flipNow(flag) {
  if (!flag || flag.refusal) return;
  const command = { command: "set", flag: flag.id, input: { text: flag.value.input === "true" ? "false" : "true" } };
  try {
    const foresight = await connection.ask("api/preview", command);
    if (!foresight.changesAnything) return toast(foresight.message, { isBad: true });
    await act({ ...command, expected: { value: heldBy(flag, store.sections.get(flag.section)?.defaultDestination) ?? undefined } }, { rethrows: true });
  } catch (error) {
    if (error.code !== "edit-conflict") return toast(error.message, { isBad: true });
    askToOverwrite(error, () => act(command), () => {});
  }
}

// Takes back an edit of one's own, or does it again: the last one, also if it is still under way. Where somebody has changed
// the flag since, it asks.
export const undo = (edit) => again("undo", texts.undoAnyway, () => edit ?? store.undoable?.id);
export const redo = (edit) => again("redo", texts.redoAnyway, () => edit ?? store.redoable?.id);

async function again(name, label, found) {
  await last;
  const edit = found();
  if (edit === undefined) return;
  const command = { command: name, edit };
  try { await act(command, { rethrows: true }); } catch (error) {
    if (error.code !== "undo-conflict") return toast(error.message, { isBad: true });
    showDialog(`${label}?`, [element("p", {}, error.message)],
      [{ label, kind: "danger", id: "confirm", act: (close) => { close(); act({ ...command, isForced: true }); } }]);
  }
}
