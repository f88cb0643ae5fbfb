// Addresses that people give to others.

/** The address of the page, which a proxy may have put under a path of its own. */
const home = () => location.origin + location.pathname;

/** The address of one flag. @param {string} id */
export const linkTo = (id) => `${home()}?${new URLSearchParams({ flag: id })}`;

// Bundles in links: UTF-8 in base64 for URLs, in the fragment, which browsers do not send to servers.

/** @param {string} bundle */
export function linkWith(bundle) {
  const bytes = new TextEncoder().encode(bundle);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const text = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${home()}#import=${text}`;
}

/** The bundle in a link, or in what is behind its #import=; `null` if it is damaged. @param {string} text */
export function decoded(text) {
  try {
    const binary = atob(text.slice(text.lastIndexOf("=") + 1).replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  } catch { return null; }
}
