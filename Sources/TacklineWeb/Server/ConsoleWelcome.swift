#if Web
    import TacklineHTTP

    /// The pages for requests without the session. They consist of HTML and a short script, which preserves the
    /// fragment of the URL. Only the browser knows the fragment; it may contain shared overrides.
    enum ConsoleWelcome {
        /// Returns a page that asks for the token, and preserves the rest of the address.
        ///
        /// - Parameter isWrong: Whether the request had a token that is not the console's.
        static func signIn(_ request: ConsoleRequest, isWrong: Bool) -> ConsoleResponse {
            guard request.isNavigation else {
                return .plain(
                    HTTPRequestProblem(
                        401, "Open the URL with the token that the program printed when its console started."))
            }
            let kept = request.otherQuery.compactMap { pair -> String? in
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = ConsoleRequest.decoded(sides[0]), !name.isEmpty,
                    let value = ConsoleRequest.decoded(sides.count > 1 ? sides[1] : "")
                else { return nil }
                return "<input type=\"hidden\" name=\"\(escaped(name))\" value=\"\(escaped(value))\">"
            }
            let reason =
                isWrong
                ? "That token is not the one of this console. A program that was started again has a new one."
                : "This browser is not signed in to the console, or the program was started again."
            return page(
                401, title: "Sign in to see the flags",
                """
                <p>\(reason)</p>
                <form method="get" action="./">\(kept.joined())
                <label for="token">Token, or the URL that the program printed</label>
                <input type="password" id="token" name="token" required autocomplete="off" autofocus>
                <button>Open</button>
                </form>
                <p class="hint">Who can see the output of the program has the token. If you are signed in already,
                <a href="\(escaped(request.target))">try again</a>.</p>
                """,
                script: """
                    const link = document.querySelector("a");
                    document.querySelector("form").action += location.hash;
                    link.href += location.hash;
                    link.onclick = () => \(leave);
                    """)
        }

        /// Returns a page that redirects to the same address.
        ///
        /// Browsers don't send the session with a navigation from another site, such as a chat. They send it with a
        /// navigation from this page.
        static func detour(_ request: ConsoleRequest) -> ConsoleResponse {
            let target = escaped(request.target)
            return page(
                200, title: "Opening the flags", "<p>If nothing happens, <a href=\"\(target)\">continue here</a>.</p>",
                head: "<noscript><meta http-equiv=\"refresh\" content=\"0; url=\(target)\"></noscript>",
                script: """
                    const address = document.querySelector("a").href + location.hash;
                    \(leave);
                    location.replace(address);
                    """)
        }

        /// A script that changes the page's address. Otherwise a navigation to the same address with a fragment would
        /// only scroll.
        private static let leave = #"history.replaceState(null, "", "opening")"#

        private static func page(
            _ status: Int, title: String, _ body: String, head: String = "", script: String
        ) -> ConsoleResponse {
            let nonce = FlagsConsoleSecrets.random()
            let policy =
                "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            let text = """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>\(title)</title>
                <link rel="icon" href="data:,">
                \(head)
                <style nonce="\(nonce)">\(style)</style>
                </head>
                <body><main><h1>\(title)</h1>
                \(body)
                </main>
                <script nonce="\(nonce)">\(script)</script></body>
                </html>

                """
            return ConsoleResponse(
                status, type: "text/html; charset=utf-8", text, headers: [("Content-Security-Policy", policy)])
        }

        private static let style = """
            :root { color-scheme: light dark; }
            body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: light-dark(#f6f7f9, #101318);
              color: light-dark(#14181f, #e9edf2); font: 16px/1.5 system-ui, sans-serif; }
            main { box-sizing: border-box; width: min(30rem, 100vw - 2rem); padding: 2rem; border-radius: 14px;
              border: 1px solid light-dark(#dfe3e8, #2c333d); background: light-dark(#fff, #181c23); }
            h1 { margin: 0 0 .5rem; font-size: 1.3rem; }
            form { display: grid; gap: .6rem; margin: 1.2rem 0; }
            input, button { font: inherit; min-height: 2.6rem; padding: 0 .7rem; border-radius: 8px; }
            input { border: 1px solid light-dark(#858d98, #7b8594); background: transparent; color: inherit; }
            button { border: 0; background: light-dark(#1657c0, #7db1ff); color: light-dark(#fff, #08182f); font-weight: 600; }
            .hint { font-size: .9rem; color: light-dark(#4b5563, #b3bcc8); margin: 0; }
            a { color: light-dark(#124a9f, #a8cbff); }
            """

        /// Returns a text for use inside an HTML attribute.
        private static func escaped(_ text: String) -> String {
            var escaped = ""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "&": escaped += "&amp;"
                case "<": escaped += "&lt;"
                case ">": escaped += "&gt;"
                case "\"": escaped += "&quot;"
                case "'": escaped += "&#39;"
                case "\0", "\u{1}"..."\u{1F}", "\u{7F}": escaped += "\u{FFFD}"
                default: escaped.unicodeScalars.append(scalar)
                }
            }
            return escaped
        }
    }
#endif
