// Made by Tests/Browser/embed. Change the files in Page/Files instead.
// swift-format-ignore-file
#if Web
    extension ConsolePage {
        /// The files of the page, by name.
        static let files = [
            "index.html": index_html,
            "base.css": base_css,
            "layout.css": layout_css,
            "panel.css": panel_css,
            "why.css": why_css,
            "address.js": address_js,
            "connection.js": connection_js,
            "dialogs.js": dialogs_js,
            "editor.js": editor_js,
            "elements.js": elements_js,
            "fields.js": fields_js,
            "filter.js": filter_js,
            "list.js": list_js,
            "main.js": main_js,
            "memory.js": memory_js,
            "page.js": page_js,
            "panel.js": panel_js,
            "store.js": store_js,
            "why.js": why_js,
        ]
    }
#endif
