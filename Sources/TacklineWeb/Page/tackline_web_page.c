// The files of the page, which the compiler reads from the folder Files.

#include "tackline_web_page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct {
    const char *name;
    const unsigned char *text;
} files[] = {
    {"index.html", (const unsigned char[]){
#embed "Files/index.html" suffix(, 0)
    }},
    {"welcome.html", (const unsigned char[]){
#embed "Files/welcome.html" suffix(, 0)
    }},
    {"page.css", (const unsigned char[]){
#embed "Files/page.css" suffix(, 0)
    }},
    {"bundles.js", (const unsigned char[]){
#embed "Files/bundles.js" suffix(, 0)
    }},
    {"editor.js", (const unsigned char[]){
#embed "Files/editor.js" suffix(, 0)
    }},
    {"elements.js", (const unsigned char[]){
#embed "Files/elements.js" suffix(, 0)
    }},
    {"filter.js", (const unsigned char[]){
#embed "Files/filter.js" suffix(, 0)
    }},
    {"list.js", (const unsigned char[]){
#embed "Files/list.js" suffix(, 0)
    }},
    {"main.js", (const unsigned char[]){
#embed "Files/main.js" suffix(, 0)
    }},
    {"panel.js", (const unsigned char[]){
#embed "Files/panel.js" suffix(, 0)
    }},
    {"store.js", (const unsigned char[]){
#embed "Files/store.js" suffix(, 0)
    }},
};

const char *tackline_web_page_file(size_t index, const unsigned char **text) {
    if (index >= sizeof files / sizeof files[0]) return NULL;
    *text = files[index].text;
    return files[index].name;
}
