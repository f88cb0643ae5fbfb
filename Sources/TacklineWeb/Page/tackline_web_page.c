// The files of the page, which the compiler reads from the folder Files.

#include "tackline_web_page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Files/index.html"
};
static const unsigned char base_css[] = {
#embed "Files/base.css"
};
static const unsigned char layout_css[] = {
#embed "Files/layout.css"
};
static const unsigned char panel_css[] = {
#embed "Files/panel.css"
};
static const unsigned char why_css[] = {
#embed "Files/why.css"
};
static const unsigned char address_js[] = {
#embed "Files/address.js"
};
static const unsigned char bundles_js[] = {
#embed "Files/bundles.js"
};
static const unsigned char commands_js[] = {
#embed "Files/commands.js"
};
static const unsigned char connection_js[] = {
#embed "Files/connection.js"
};
static const unsigned char dialogs_js[] = {
#embed "Files/dialogs.js"
};
static const unsigned char editor_js[] = {
#embed "Files/editor.js"
};
static const unsigned char elements_js[] = {
#embed "Files/elements.js"
};
static const unsigned char fields_js[] = {
#embed "Files/fields.js"
};
static const unsigned char filter_js[] = {
#embed "Files/filter.js"
};
static const unsigned char links_js[] = {
#embed "Files/links.js"
};
static const unsigned char list_js[] = {
#embed "Files/list.js"
};
static const unsigned char main_js[] = {
#embed "Files/main.js"
};
static const unsigned char memory_js[] = {
#embed "Files/memory.js"
};
static const unsigned char messages_js[] = {
#embed "Files/messages.js"
};
static const unsigned char page_js[] = {
#embed "Files/page.js"
};
static const unsigned char panel_js[] = {
#embed "Files/panel.js"
};
static const unsigned char rows_js[] = {
#embed "Files/rows.js"
};
static const unsigned char signals_js[] = {
#embed "Files/signals.js"
};
static const unsigned char store_js[] = {
#embed "Files/store.js"
};
static const unsigned char why_js[] = {
#embed "Files/why.js"
};

#define PAGE_FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} files[] = {
    PAGE_FILE("index.html", index_html),
    PAGE_FILE("base.css", base_css),
    PAGE_FILE("layout.css", layout_css),
    PAGE_FILE("panel.css", panel_css),
    PAGE_FILE("why.css", why_css),
    PAGE_FILE("address.js", address_js),
    PAGE_FILE("bundles.js", bundles_js),
    PAGE_FILE("commands.js", commands_js),
    PAGE_FILE("connection.js", connection_js),
    PAGE_FILE("dialogs.js", dialogs_js),
    PAGE_FILE("editor.js", editor_js),
    PAGE_FILE("elements.js", elements_js),
    PAGE_FILE("fields.js", fields_js),
    PAGE_FILE("filter.js", filter_js),
    PAGE_FILE("links.js", links_js),
    PAGE_FILE("list.js", list_js),
    PAGE_FILE("main.js", main_js),
    PAGE_FILE("memory.js", memory_js),
    PAGE_FILE("messages.js", messages_js),
    PAGE_FILE("page.js", page_js),
    PAGE_FILE("panel.js", panel_js),
    PAGE_FILE("rows.js", rows_js),
    PAGE_FILE("signals.js", signals_js),
    PAGE_FILE("store.js", store_js),
    PAGE_FILE("why.js", why_js),
};

const char *tackline_web_page_file(size_t index, const unsigned char **bytes, size_t *count) {
    if (index >= sizeof files / sizeof files[0]) return NULL;
    *bytes = files[index].bytes;
    *count = files[index].count;
    return files[index].name;
}
