// Made by Tests/Browser/embed from Page/Files/why.css.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let why_css = ##"""
.reasons { display: grid; gap: 12px; }
.reasons h3 { margin: 0; }
.reason { display: grid; gap: 10px; }
.reason .provider { font-weight: 600; }
.steps, .shares { list-style: none; margin: 0; padding: 0; display: grid; gap: 6px; font-size: 14px; }
.steps li { display: grid; grid-template-columns: 18px 1fr; gap: 6px; overflow-wrap: anywhere; }
.steps .sign { color: var(--faint); text-align: center; }
.steps .yes .sign { color: var(--accent-ink); font-weight: 700; }
.steps .no { color: var(--soft); }
.split { position: relative; padding-bottom: 8px; }
.split .track { display: flex; gap: 2px; height: 16px; border-radius: 5px; overflow: hidden; }
.split .part { background: var(--edge); min-width: 2px; flex-basis: 0; }
.split .part.chosen { background: var(--accent); }
.split .place {
  position: absolute; top: -3px; width: 2px; height: 22px; margin-left: -1px; background: var(--text);
  border-radius: 1px;
}
.split .place::after {
  content: ""; position: absolute; top: 20px; left: -4px; border: 5px solid transparent;
  border-bottom-color: var(--text); border-top: 0;
}
.shares { margin-top: 6px; gap: 3px; color: var(--soft); font-size: 13.5px; }
.shares .swatch {
  display: inline-block; width: 10px; height: 10px; margin-right: 7px; border-radius: 3px; background: var(--edge);
}
.shares .chosen { color: inherit; font-weight: 600; }
.shares .chosen .swatch { background: var(--accent); }
.reason .none { color: var(--faint); }
.elsewhere summary { cursor: pointer; font-size: 14px; font-weight: 600; min-height: 28px; }
.elsewhere form { display: grid; gap: 8px; margin: 8px 0 12px; }
.elsewhere .asking { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 8px; align-items: center; }
.elsewhere .asking label { overflow-wrap: anywhere; font-size: 13.5px; }
.elsewhere form button { justify-self: start; }
.elsewhere .would { margin-bottom: 8px; }

"""##
}
#endif
