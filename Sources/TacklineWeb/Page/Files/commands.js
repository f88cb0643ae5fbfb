import { element } from "./elements.js";
import { author, heldBy, store } from "./store.js";
import { connection } from "./connection.js";
import { toast } from "./messages.js";
import { askName, askToOverwrite, showDialog } from "./dialogs.js";
import { texts } from "./texts.js";

let running = 0;
/** Whether changes that come now are those of a command of this page. */
export const commands = { get areOurs() { return running > 0; } };

// All that was begun, with its end in what the page shows.
let begun = Promise.resolve();

// Sends a command, and says how it went.
export function act(command, options) {
  const acted = perform(command, options);
  begun = Promise.allSettled([begun, acted]);
  return acted;
}

// Does what depends on what was begun before: clicks come quicker than answers.
function inTurn(work) {
  const done = begun.then(work);
  begun = Promise.allSettled([done]);
  return done;
}

async function perform(command, { rethrows = false, quiet = false } = {}) {
  if (author.name === null && command.command !== "pin") await askName();
  running += 1;
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
    running -= 1;
  }
}

// Flips a switch of the list; where that would change nothing, says why and does not. Where somebody has changed what would
// be overwritten, it asks.
export const flip = (id) => inTurn(() => flipNow(store.flags.get(id)));

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
export const undo = (edit) => inTurn(() => again("undo", texts.undoAnyway, edit ?? store.undoable?.id));
export const redo = (edit) => inTurn(() => again("redo", texts.redoAnyway, edit ?? store.redoable?.id));

async function again(name, label, edit) {
  if (edit === undefined) return;
  const command = { command: name, edit };
  try { await act(command, { rethrows: true }); } catch (error) {
    if (error.code !== "undo-conflict") return toast(error.message, { isBad: true });
    showDialog(`${label}?`, [element("p", {}, error.message)],
      [{ label, kind: "danger", id: "confirm", act: (close) => { close(); act({ ...command, isForced: true }); } }]);
  }
}
