// Made by Tests/Browser/embed from Page/Files/base.css.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let base_css = ##"""
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --surface: #ffffff; --sunken: #eef0f3; --line: #dfe3e8; --edge: #858d98;
  --text: #14181f; --soft: #4b5563; --faint: #5c6673;
  --accent: #1657c0; --accent-text: #ffffff; --accent-soft: #e6effc; --accent-ink: #124a9f;
  --warn-soft: #fdf0d9; --warn-ink: #7a4a00; --bad-soft: #fde8e6; --bad-ink: #a32018;
  --good: #1c7a45;
  --shadow: 0 1px 2px rgb(20 24 31 / .05), 0 8px 28px rgb(20 24 31 / .13);
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --round: 8px;
  --row: 62px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101318; --surface: #181c23; --sunken: #222831; --line: #2c333d; --edge: #7b8594;
    --text: #e9edf2; --soft: #b3bcc8; --faint: #98a3b1;
    --accent: #7db1ff; --accent-text: #08182f; --accent-soft: #1c2c47; --accent-ink: #a8cbff;
    --warn-soft: #3a2d12; --warn-ink: #f4c777; --bad-soft: #401f1d; --bad-ink: #ffb1a9;
    --good: #6fd39b;
    --shadow: 0 1px 2px rgb(0 0 0 / .4), 0 10px 32px rgb(0 0 0 / .5);
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 9rem; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
[hidden] { display: none !important; }
h1, h2, h3, h4, p, dl, dd, ul, ol { margin: 0; padding: 0; }
ul, ol { list-style: none; }
button, input, select, textarea { font: inherit; color: inherit; }
code, .mono { font-family: var(--mono); font-size: .9em; }
.visually-hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
    white-space: nowrap;
}
.skip {
  position: absolute; left: 1rem; top: -4rem; z-index: 20; background: var(--surface);
  padding: .5rem 1rem;
}
.skip:focus { top: .5rem; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus-visible, aside:focus-visible { outline: none; }

button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: .4em; min-height: 34px;
    padding: 0 .8rem;
  border: 1px solid var(--line); border-radius: var(--round); background: var(--surface); cursor: pointer;
  white-space: nowrap; user-select: none;
}
button:hover, .button:hover { border-color: var(--edge); }
button:disabled { cursor: default; color: var(--faint); border-color: var(--line); opacity: .65; }
button.primary {
  background: var(--accent); border-color: var(--accent); color: var(--accent-text); font-weight: 600;
}
button.primary:disabled {
  background: var(--sunken); border-color: var(--line); color: var(--faint); opacity: 1;
}
button.danger {
  background: var(--bad-soft); border-color: transparent; color: var(--bad-ink); font-weight: 600;
}
.quiet { background: transparent; border-color: transparent; color: var(--soft); }
.quiet:hover { background: var(--sunken); border-color: transparent; }
.quiet:disabled, .quiet:disabled:hover { background: transparent; border-color: transparent; }
.small { min-height: 28px; padding: 0 .6rem; font-size: 13px; }
.link {
  min-height: 0; padding: 0; border: 0; background: none; color: var(--accent-ink);
    text-decoration: underline;
  text-underline-offset: 2px;
}
input[type=text], input[type=search], input[type=datetime-local], select, textarea {
  width: 100%; min-height: 36px; padding: 6px 10px; border: 1px solid var(--edge);
    border-radius: var(--round);
  background: var(--surface);
}
textarea { display: block; resize: vertical; line-height: 1.5; }
textarea.mono, input.mono { font-size: 13px; }
[aria-invalid=true] { border-color: var(--bad-ink) !important; }
::placeholder { color: var(--faint); opacity: 1; }

.badge {
  display: inline-block; max-width: 100%; padding: 1px 8px; border-radius: 999px;
    background: var(--sunken);
  color: var(--soft); font-size: 12px; line-height: 18px; white-space: nowrap; overflow: hidden;
    text-overflow: ellipsis;
}
.badge.override { background: var(--accent-soft); color: var(--accent-ink); font-weight: 600; }
.badge.plain { background: transparent; padding: 1px 0; }
.badge.warn { background: var(--warn-soft); color: var(--warn-ink); }
.badge.bad { background: var(--bad-soft); color: var(--bad-ink); }

.switch {
  position: relative; flex: none; width: 42px; min-height: 26px; height: 26px; padding: 0;
    border-radius: 999px;
  border: 1px solid var(--edge); background: var(--sunken);
}
.switch::before {
  content: ""; position: absolute; left: 3px; top: 3px; width: 18px; height: 18px; border-radius: 50%;
  background: var(--edge); transition: transform .12s ease-out;
}
.switch[aria-checked=true] { background: var(--accent); border-color: var(--accent); }
.switch[aria-checked=true]::before { transform: translateX(16px); background: var(--accent-text); }
.switch:disabled { opacity: .55; }
@media (forced-colors: active) {
  .switch::before { background: ButtonText; }
  .switch[aria-checked=true] { border-width: 3px; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; animation: none !important; } }

"""##
}
#endif
