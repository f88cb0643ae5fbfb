// Made by Tests/Browser/embed from Page/Files/memory.js.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let memory_js = ##"""
// What the browser keeps for us. It may refuse to, and then things last as long as the page.

/**
 * Returns what is kept, or makes and keeps it.
 * @param {string} name
 * @param {() => string} make
 * @param {Storage} [storage]
 */
export function remembered(name, make, storage) {
  try {
    const kept = (storage ?? localStorage).getItem(`tackline-${name}`);
    if (kept !== null) return kept;
  } catch { /* Not allowed. */ }
  const made = make();
  remember(name, made, storage);
  return made;
}

/**
 * Keeps a text.
 * @param {string} name
 * @param {string} text
 * @param {Storage} [storage]
 */
export function remember(name, text, storage) {
  try { (storage ?? localStorage).setItem(`tackline-${name}`, text); } catch { /* Not allowed. */ }
}

"""##
}
#endif
