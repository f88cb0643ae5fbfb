#if Web
    /// The page, in one piece: elements, styles and script are text in the program, so that nothing can be missing where it
    /// runs.
    enum ConsolePage {
        /// Answers with the page.
        ///
        /// Its content security policy lets in this style and this script alone, by a number that is used once, and lets
        /// the script talk to this console alone. Text cannot become markup even by mistake: the page's script asks for
        /// nothing that takes markup, and the policy forbids all of it (`require-trusted-types-for`).
        static func response() -> ConsoleResponse {
            let nonce = FlagsConsoleSecrets.random()
            let policy = [
                "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "connect-src 'self'",
                "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
                "require-trusted-types-for 'script'", "trusted-types 'none'",
            ]
            return ConsoleResponse(
                200, type: "text/html; charset=utf-8", text(nonce: nonce),
                headers: [("Content-Security-Policy", policy.joined(separator: "; "))])
        }

        private static let style = [baseStyle, layoutStyle, panelStyle].joined(separator: "\n")
        private static let script = [
            "\"use strict\";", elementsScript, storeScript, connectionScript, listScript, filterScript, panelScript,
            editorScript, dialogsScript, pageScript, eventsScript,
        ].joined(separator: "\n")

        /// The markup, cut where something is put in.
        private static let pieces = markup.split(separator: "NONCE", omittingEmptySubsequences: false).map { piece in
            piece.split(separator: "STYLE").joined(separator: style).split(separator: "SCRIPT").joined(
                separator: script)
        }

        private static func text(nonce: String) -> String {
            pieces.joined(separator: nonce)
        }
    }
#endif
