// Made by Tests/Browser/embed from Page/Files/panel.css.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let panel_css = ##"""
aside {
  position: sticky; top: 130px; max-height: calc(100vh - 150px); overflow: auto;
    overscroll-behavior: contain;
  border: 1px solid var(--line); border-radius: 12px; background: var(--surface);
}
aside > * { padding: 18px 20px; }
aside > * + * { border-top: 1px solid var(--line); }
.panel-head { display: grid; gap: 4px; }
.panel-head .heading { align-items: center; }
.panel-head h2 { font-size: 17px; overflow-wrap: anywhere; flex: 1; }
.panel-head .icon { width: 32px; min-height: 32px; padding: 0; flex: none; }
.icon svg {
  width: 17px; height: 17px; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round;
  stroke-linejoin: round;
}
.icon[aria-pressed=true] { color: var(--accent-ink); }
.icon[aria-pressed=true] svg { fill: currentColor; }
.panel-head .key { color: var(--faint); font: 13px/1.4 var(--mono); overflow-wrap: anywhere; }
.panel-head .copy { font-size: 13px; }
.panel-head .about { margin-top: 4px; }
.badges { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 6px; }
.badges:empty { display: none; }
aside h3 { margin-bottom: 8px; }
.now { display: grid; gap: 6px; }
.now .line { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; min-width: 0; }
.now .badge { flex: none; }
.now output {
  font: 600 20px/1.35 var(--mono); letter-spacing: -.01em; overflow-wrap: anywhere; min-width: 0;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden;
}
.now output.long { font-size: 14px; font-weight: 550; line-height: 1.5; letter-spacing: 0; }
.now .why { color: var(--soft); font-size: 14px; }
form.edit { display: grid; gap: 12px; }
form.edit h3 { margin: 0; }
.field { display: grid; gap: 4px; }
.field > span, .field > label, .field > legend { color: var(--soft); font-size: 13px; padding: 0; }
fieldset.field > legend { margin-bottom: 4px; }
fieldset.field { border: 0; margin: 0; padding: 0; min-width: 0; }
.hint { color: var(--faint); font-size: 13px; }
.segments {
  display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; border: 1px solid var(--edge);
  border-radius: var(--round); overflow: hidden;
}
.segments label {
  position: relative; display: grid; place-items: center; min-height: 34px; font: 13.5px var(--mono);
  cursor: pointer;
}
.segments label + label { border-left: 1px solid var(--edge); }
.segments input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.segments label:has(:checked) {
  background: var(--accent-soft); color: var(--accent-ink); font-weight: 650;
}
.segments label:has(:focus-visible) {
  outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 7px;
}
.segments label:has(:disabled) { color: var(--faint); cursor: default; }
.stepper { display: grid; grid-template-columns: 1fr auto auto; gap: 6px; }
.stepper button { width: 38px; min-height: 36px; padding: 0; font-size: 18px; }
.foresight {
  display: flex; gap: 8px; padding: 10px 12px; border-radius: var(--round); background: var(--sunken);
  font-size: 14px; overflow-wrap: anywhere;
}
.foresight.same { background: var(--warn-soft); color: var(--warn-ink); }
.foresight.wrong { background: var(--bad-soft); color: var(--bad-ink); }
.foresight .place { display: block; font-weight: 600; }
.actions { display: flex; gap: 8px; align-items: center; }
.locked { color: var(--soft); font-size: 14px; }
.answers { display: grid; }
.answers li {
  display: grid; grid-template-columns: 18px minmax(0, 1fr) minmax(0, auto); gap: 2px 10px;
  padding: 8px 0; align-items: baseline;
}
.answers li + li { border-top: 1px solid var(--line); }
.answers .who { overflow-wrap: anywhere; }
.answers .said {
  font: 13px/1.4 var(--mono); text-align: right; overflow-wrap: anywhere; max-width: 200px;
}
.answers .said.none { color: var(--faint); font-family: inherit; }
.answers .more { grid-column: 2 / -1; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.answers .refused .mark, .answers .refused .said { color: var(--bad-ink); }
.answers .mark { color: var(--good); font-weight: 700; }
.answers .wins .who, .answers .wins .said { font-weight: 650; }
.facts {
  display: grid; grid-template-columns: minmax(84px, auto) minmax(0, 1fr); gap: 6px 16px; font-size: 14px;
}
.facts dt { color: var(--faint); }
.facts dd { overflow-wrap: anywhere; }
.facts a { color: var(--accent-ink); }
.changes li {
  display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 12px; padding: 8px 0; font-size: 14px;
}
.changes li + li { border-top: 1px solid var(--line); }
.changes time { color: var(--faint); font-size: 13px; font-variant-numeric: tabular-nums; }
.changes .link {
  justify-self: start; text-align: left; white-space: normal; overflow-wrap: anywhere;
  font-family: var(--mono); font-size: 13px; text-decoration: none; justify-content: start;
}
.changes .link:hover { text-decoration: underline; }
.changes .more { font-family: inherit; color: var(--soft); }
.changes .earlier li { display: block; padding: 2px 0; border: 0; }
.changes .from { grid-column: 2; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.back { display: none; }

@media (max-width: 1020px) {
  .bar, .page { padding-left: 16px; padding-right: 16px; }
  .page { display: block; padding-top: 16px; }
  aside { display: none; position: fixed; inset: 0; z-index: 15; max-height: none; border: 0;
    border-radius: 0; }
  body.open aside { display: block; }
  body.open { overflow: hidden; }
  .find { display: grid; grid-template-columns: minmax(0, 1fr); }
  .search { max-width: none; }
  .filters { flex-wrap: nowrap; overflow-x: auto; margin: 0 -16px; padding: 2px 16px;
    scrollbar-width: none; }
  .chip, .filters button { flex: none; }
}
@media (max-width: 560px) {
  :root { --row: 88px; }
  html { scroll-padding-top: 10rem; }
  .bar { gap: 0 10px; }
  .bar:first-child { flex-wrap: wrap; justify-content: start; padding-top: 8px; padding-bottom: 10px; }
  .brand { display: contents; }
  h1 { flex: 1 1 40%; font-size: 17px; }
  .tools { order: 1; margin-right: -8px; }
  .brand .badge, .brand .status { order: 2; }
  .brand .badge { max-width: 60%; }
  .tools .quiet { padding: 0 .5rem; font-size: 14px; }
  .find { gap: 10px; }
  .row .title { flex-wrap: wrap; gap: 0 8px; max-height: 44px; overflow: hidden; }
  .row .name { flex: 1 0 100%; }
  .row .key { flex: 0 1 auto; max-width: 100%; }
  .row { gap: 10px; padding-right: 12px; }
  .row > .open { padding-left: 12px; column-gap: 10px; }
  .row .answer { max-width: 132px; }
  aside > * { padding: 16px; }
  .toast { inset: 12px 12px auto; max-width: none; }
  input[type=text], input[type=search], input[type=datetime-local], textarea, select { font-size: 16px; }
  select.chip { font-size: 13px; }
  button { min-height: 38px; }
  .switch { min-height: 26px; }
  .link { min-height: 0; }
}

"""##
}
#endif
