// What a module announces to modules that import it, and that it therefore cannot import.

/** @type {Map<string, ((...values: any[]) => void)[]>} */
const listeners = new Map();

/** @param {"snapshot" | "delta" | "connection" | "draft" | "edited" | "opened"} name */
export function on(name, act) {
  listeners.set(name, [...listeners.get(name) ?? [], act]);
}

export function emit(name, ...values) {
  for (const act of listeners.get(name) ?? []) act(...values);
}
