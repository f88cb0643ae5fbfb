// Made by Tests/Browser/embed from Page/Files/layout.css.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let layout_css = ##"""
.top {
  position: sticky; top: 0; z-index: 10; background: var(--surface); border-bottom: 1px solid var(--line);
}
.bar, .page { max-width: 1360px; margin: 0 auto; padding: 0 24px; }
.bar { display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: 56px; }
.brand { display: flex; align-items: center; gap: 12px; min-width: 0; }
h1 {
  font-size: 18px; font-weight: 650; letter-spacing: -.01em; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis;
}
.tools { display: flex; align-items: center; gap: 4px; flex: none; }
.tools [aria-pressed=true] { background: var(--sunken); color: var(--text); }
.status {
  display: flex; align-items: center; gap: 6px; color: var(--soft); font-size: 13px; white-space: nowrap;
}
.dot { width: 8px; height: 8px; border-radius: 50%; background: var(--edge); }
.status.live .dot { background: var(--good); }
.status.lost { color: var(--warn-ink); font-weight: 600; }
.status.lost .dot { background: var(--warn-ink); }
.find { min-height: 0; padding-bottom: 12px; gap: 12px 16px; }
.search { position: relative; flex: 1 1 250px; max-width: 440px; }
.search svg {
  position: absolute; left: 11px; top: 10px; width: 17px; height: 17px; fill: none; stroke: var(--faint);
  stroke-width: 1.8; stroke-linecap: round; pointer-events: none;
}
.search input {
  padding-left: 36px; padding-right: 34px; height: 38px; border-color: var(--line);
  background: var(--ground);
}
.search input:hover { border-color: var(--edge); }
.search kbd {
  position: absolute; right: 9px; top: 9px; width: 20px; height: 20px; border: 1px solid var(--line);
    border-radius: 5px;
  color: var(--faint); font: 12px/18px var(--mono); text-align: center; pointer-events: none;
    background: var(--surface);
}
.search input:focus ~ kbd, .search input:not(:placeholder-shown) ~ kbd { display: none; }
.filters { display: flex; align-items: center; flex: 1 1 auto; gap: 6px; min-width: 0; flex-wrap: wrap; }
.chip {
  width: auto; min-height: 32px; height: 32px; padding: 0 12px; border-radius: 999px; font-size: 13px;
    color: var(--soft);
  border: 1px solid var(--line); background-color: var(--surface);
}
select.chip { padding: 0 8px 0 10px; max-width: 132px; text-overflow: ellipsis; cursor: pointer; }
select.chip.set, .chip[aria-pressed=true] {
  background-color: var(--accent-soft); border-color: transparent; color: var(--accent-ink);
    font-weight: 600;
}
.chip .count { font-variant-numeric: tabular-nums; opacity: 1; font-weight: 400; }
.menu { position: relative; }
.menu summary { list-style: none; }
.menu summary::-webkit-details-marker { display: none; }
.menu[open] summary { background: var(--sunken); }
.menu-items {
  position: absolute; right: 0; top: calc(100% + 6px); z-index: 12; display: grid; min-width: 210px;
    padding: 6px;
  border: 1px solid var(--line); border-radius: 10px; background: var(--surface);
    box-shadow: var(--shadow);
}
.menu-items button { justify-content: flex-start; border: 0; min-height: 36px; border-radius: 6px; }
.menu-items button:hover:not(:disabled) { background: var(--sunken); }
.notice {
  padding: 10px 24px; background: var(--warn-soft); color: var(--warn-ink); font-size: 14px;
  text-align: center;
}

.page {
  display: grid; grid-template-columns: minmax(0, 1fr) 424px; gap: 28px; align-items: start;
  padding-top: 20px; padding-bottom: 64px;
}
.section { margin-bottom: 32px; }
.section > header { margin: 0 0 10px; }
.heading { display: flex; align-items: baseline; gap: 10px; min-width: 0; }
h2 { font-size: 16px; font-weight: 650; }
.heading .tally { color: var(--faint); font-size: 13px; font-variant-numeric: tabular-nums; }
.heading .link { margin-left: auto; font-size: 13px; }
.about { color: var(--soft); font-size: 14px; max-width: 68ch; }
.chain {
  display: flex; flex-wrap: wrap; align-items: center; gap: 2px 6px; margin-top: 4px; color: var(--faint);
  font-size: 13px;
}
.chain li { display: flex; align-items: center; gap: 6px; }
.chain li:not(:last-child)::after { content: "›"; color: var(--edge); }
.chain .down { color: var(--warn-ink); font-weight: 600; }
.fold {
  align-items: baseline; min-height: 0; padding: 0; margin-left: -6px; border: 0; background: none; font: inherit; gap: 4px; white-space: normal;
  text-align: left;
}
.fold svg { align-self: center; flex: none; width: 16px; height: 16px; fill: var(--faint); transition: transform .12s ease-out; }
.fold[aria-expanded=true] svg { transform: rotate(90deg); }
.group { margin-top: 18px; }
.group > header { margin: 0 0 8px; padding: 0 2px; }
h3 { font-size: 14px; font-weight: 650; }
.rows { border: 1px solid var(--line); border-radius: 12px; background: var(--surface); overflow: clip; }
.rows { position: relative; box-sizing: content-box; }
.row {
  position: absolute; left: 0; right: 0; height: var(--row); display: flex; align-items: center; gap: 14px;
  padding-right: 16px; border-top: 1px solid transparent;
}
#probe { position: absolute; visibility: hidden; height: var(--row); width: 0; }
.row:not([aria-posinset="1"]) { border-top-color: var(--line); }
.row > .open {
  flex: 1 1 auto; min-width: 0; align-self: stretch; display: grid; grid-template-columns: minmax(0,
    1fr) auto;
  column-gap: 16px; align-items: center; padding: 10px 0 10px 16px; border: 0; border-radius: 0;
    background: none;
  text-align: left; white-space: normal; justify-content: stretch; outline-offset: -3px;
}
.row:hover { background: color-mix(in srgb, var(--sunken) 45%, transparent); }
.row.current { background: var(--accent-soft); }
.row.current .badge:not(.plain) { background: var(--surface); }
.row .what { display: block; min-width: 0; }
.row .title { display: flex; align-items: baseline; gap: 10px; min-width: 0; }
.row .title > .badge, .row .title > .pin { align-self: center; }
.row .name {
  flex: 0 1 auto; font-weight: 550; min-width: 0; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap;
}
.row .pin { flex: none; width: 13px; height: 13px; fill: var(--accent); }
.row .key {
  flex: 0 4 auto; min-width: 0; color: var(--faint); font: 12.5px/1.4 var(--mono); overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap;
}
.row .description {
  display: block; color: var(--soft); font-size: 13.5px; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap;
}
.row .answer { display: grid; justify-items: end; gap: 2px; min-width: 0; max-width: 240px; }
.row .value {
  max-width: 100%; font: 13px/1.4 var(--mono); overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap;
}
.row.bool .value { display: none; }
.row.fresh { animation: fresh 1.6s ease-out; }
@keyframes fresh { from { background: var(--warn-soft); } }
.nothing { display: grid; justify-items: center; gap: 12px; padding: 64px 0; color: var(--soft); }

.toast {
  position: fixed; inset: auto auto 24px 24px; margin: 0; padding: 0; border: 0; background: none; overflow: visible;
  max-width: min(640px, calc(100vw - 32px)); font-size: 14px; color: inherit;
}
.toast > div {
  display: flex; align-items: center; gap: 16px; padding: 10px 12px 10px 18px; border-radius: 10px;
    background: #1d232c; color: #f3f5f8;
  box-shadow: var(--shadow); pointer-events: auto; overflow-wrap: anywhere;
}
.toast button {
  background: transparent; border-color: transparent; color: #a8cbff; font-weight: 600; min-height: 30px;
}
.toast button:hover { background: #303946; }
.toast .bad { background: var(--bad-soft); color: var(--bad-ink); }
@media (prefers-color-scheme: dark) { .toast > div:not(.bad) { background: #2c3440; } }

dialog {
  width: min(560px, calc(100vw - 32px)); padding: 24px; border: 1px solid var(--line);
    border-radius: 14px; color: var(--text);
  background: var(--surface); box-shadow: var(--shadow);
}
dialog::backdrop { background: rgb(10 13 18 / .45); }
dialog h2 { margin-bottom: 8px; }
dialog p { color: var(--soft); margin-bottom: 12px; }
dialog .actions { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 8px; margin-top: 20px; }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 8px 20px; }
dialog dt { justify-self: start; }
kbd.key {
  padding: 1px 7px; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px;
  font: 12.5px/1.5 var(--mono);
}
input[type=file] { max-width: 100%; margin-bottom: 12px; font-size: 14px; }
.check { display: flex; align-items: center; gap: 8px; margin-top: 12px; }
.check input { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }
.differences {
  max-height: 30vh; overflow: auto; margin-top: 12px; border: 1px solid var(--line); border-radius: var(--round);
  font-size: 13.5px;
}
.differences li { display: flex; flex-wrap: wrap; gap: 2px 12px; padding: 8px 12px; overflow-wrap: anywhere; }
.differences li + li { border-top: 1px solid var(--line); }
.differences .key { font: 13px/1.5 var(--mono); font-weight: 600; flex: 1 1 40%; }
.differences del { color: var(--bad-ink); }
.differences ins { color: var(--good); text-decoration: none; font-weight: 600; }

"""##
}
#endif
