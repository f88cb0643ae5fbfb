// Made by Tests/Browser/embed from Page/Files/index.html.
// swift-format-ignore-file
#if Web
extension ConsolePage {
static let index_html = ##"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Feature flags</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page/base.css" nonce="NONCE">
<link rel="stylesheet" href="/page/layout.css" nonce="NONCE">
<link rel="stylesheet" href="/page/panel.css" nonce="NONCE">
<link rel="stylesheet" href="/page/why.css" nonce="NONCE">
<link rel="modulepreload" href="/page/address.js" nonce="NONCE">
<link rel="modulepreload" href="/page/connection.js" nonce="NONCE">
<link rel="modulepreload" href="/page/dialogs.js" nonce="NONCE">
<link rel="modulepreload" href="/page/editor.js" nonce="NONCE">
<link rel="modulepreload" href="/page/elements.js" nonce="NONCE">
<link rel="modulepreload" href="/page/fields.js" nonce="NONCE">
<link rel="modulepreload" href="/page/filter.js" nonce="NONCE">
<link rel="modulepreload" href="/page/list.js" nonce="NONCE">
<link rel="modulepreload" href="/page/memory.js" nonce="NONCE">
<link rel="modulepreload" href="/page/page.js" nonce="NONCE">
<link rel="modulepreload" href="/page/panel.js" nonce="NONCE">
<link rel="modulepreload" href="/page/store.js" nonce="NONCE">
<link rel="modulepreload" href="/page/why.js" nonce="NONCE">
<script type="module" src="/page/main.js" nonce="NONCE"></script>
</head>
<body>
<a class="skip" href="#list">Skip to the flags</a>
<header class="top">
  <div class="bar">
    <div class="brand">
      <h1 id="title">Feature flags</h1>
      <span id="environment" class="badge" hidden></span>
      <p id="status" class="status" role="status">
        <span class="dot" aria-hidden="true"></span><span>Connecting…</span>
      </p>
    </div>
    <div class="tools">
      <button type="button" id="show-changes" class="quiet" aria-pressed="false">Changes</button>
      <button type="button" id="undo" class="quiet" disabled>Undo</button>
      <button type="button" id="redo" class="quiet" disabled>Redo</button>
      <details class="menu" id="menu">
        <summary class="button quiet">More</summary>
        <div class="menu-items">
          <button type="button" id="fold">Collapse all groups</button>
          <button type="button" id="unfold">Expand all groups</button>
          <button type="button" id="export">Share or export overrides…</button>
          <button type="button" id="import">Import overrides…</button>
          <button type="button" id="reset-all">Reset all flags…</button>
          <button type="button" id="rename">Your name…</button>
          <button type="button" id="keys">Keyboard shortcuts…</button>
        </div>
      </details>
    </div>
  </div>
  <div class="bar find" role="search">
    <div class="search">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="8.5" cy="8.5" r="5.5"/><path d="m13 13 4.5 4.5"/>
      </svg>
      <input type="search" id="search" aria-label="Search flags" aria-keyshortcuts="/"
        placeholder="Search name, key, tag, owner" autocomplete="off" autocapitalize="off"
        spellcheck="false">
      <kbd aria-hidden="true">/</kbd>
    </div>
    <div class="filters" role="group" aria-label="Filters">
      <button type="button" class="chip" data-filter="isPinned" aria-pressed="false">
        Pinned <span class="count"></span>
      </button>
      <button type="button" class="chip" data-filter="isOverridden" aria-pressed="false">
        Overridden <span class="count"></span>
      </button>
      <button type="button" class="chip" data-filter="isChangedFromDefault" aria-pressed="false">
        Not default <span class="count"></span>
      </button>
      <button type="button" class="chip" data-filter="isExpired" aria-pressed="false">
        Expired <span class="count"></span>
      </button>
      <button type="button" class="chip" data-filter="isRefused" aria-pressed="false" hidden>
        Refused <span class="count"></span>
      </button>
      <select id="by-source" class="chip" aria-label="Value comes from"></select>
      <select id="by-control" class="chip" aria-label="Type"></select>
      <select id="sort" class="chip" aria-label="Order">
        <option value="">In groups</option>
        <option value="name">By name</option>
        <option value="key">By key</option>
        <option value="changed">Changed last</option>
      </select>
      <button type="button" id="clear" class="quiet small" hidden>Clear</button>
    </div>
  </div>
  <p id="notice" class="notice" role="alert" hidden></p>
</header>
<div class="page">
  <main id="list" tabindex="-1" aria-label="Flags">
    <p id="tally" class="visually-hidden" role="status"></p>
    <div id="sections"></div>
    <div id="nothing" class="nothing" hidden>
      <p>No flag matches.</p>
      <button type="button" id="nothing-clear">Show all flags</button>
    </div>
  </main>
  <aside id="panel" aria-label="Details" tabindex="-1"></aside>
</div>
<div id="toast" class="toast" role="status" popover="manual"></div>
<div id="probe" aria-hidden="true"></div>
<p id="announcer" class="visually-hidden" aria-live="polite"></p>
<dialog id="dialog" aria-labelledby="dialog-title"></dialog>
<dialog id="ask" aria-labelledby="ask-title"></dialog>
<noscript><p class="notice">This page needs JavaScript, which it brings along.</p></noscript>
</body>
</html>

"""##
}
#endif
