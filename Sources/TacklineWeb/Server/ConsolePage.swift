#if Web
    private import CTacklineWebPage
    import TacklineBrowser
    import TacklineHTTP

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // Foundation: files are read from a folder.

    /// The page with its scripts and styles.
    ///
    /// The files are in Page/Files. The program contains their text, so that no file can be missing at run time. For
    /// work on the page they are read from the folder at each request.
    struct ConsolePage: Sendable {
        /// The folder from which the files are read, or `nil` for those that the program contains.
        let folder: URL?

        /// Returns the HTML of the page.
        ///
        /// Its content security policy allows only the styles and scripts of this page, identified by a nonce, and
        /// allows connections only to this console. Text can't become markup even by mistake: the page's scripts use no
        /// API that parses markup, and the policy forbids all of them (`require-trusted-types-for`).
        func response() -> ConsoleResponse {
            let nonce = FlagsConsoleSecrets.random()
            let policy = [
                "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "connect-src 'self'",
                "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
                "require-trusted-types-for 'script'", "trusted-types 'none'",
            ]
            return response(
                file: "index.html", headers: [("Content-Security-Policy", policy.joined(separator: "; "))]
            ) { page in
                FlagsBrowserText.allCases.reduce(page.replacing("NONCE", with: nonce)) { page, text in
                    page.replacing("{{\(text)}}", with: text.rawValue)
                }
            }
        }

        /// Returns a file of the page, such as `list.js`.
        func response(file name: String) -> ConsoleResponse {
            response(file: name, headers: []) { $0 }
        }

        private func response(
            file name: String, headers: [(name: String, value: String)], change: (String) -> String
        ) -> ConsoleResponse {
            // Only files that the program contains are served, so that no other file of the folder can be requested.
            guard let held = Self.files[name], let type = Self.types[name.split(separator: ".").last ?? ""] else {
                return .plain(HTTPRequestProblem(404, "There is nothing here. Open the URL that the program printed."))
            }
            guard let folder, name != Self.texts else {
                return ConsoleResponse(200, type: type, change(held), headers: headers)
            }
            let file = folder.appendingPathComponent(name)
            guard let data = try? Data(contentsOf: file), let text = String(validating: data, as: UTF8.self) else {
                return .plain(
                    HTTPRequestProblem(
                        404, "The file \(file.path) cannot be read. Correct the options' pageFolder of the console."))
            }
            return ConsoleResponse(200, type: type, change(text), headers: headers)
        }

        /// The files of the page, by name.
        static let files: [String: String] = {
            var files: [String: String] = [:]
            var bytes: UnsafePointer<UInt8>?
            var count = 0
            while let name = tackline_web_page_file(files.count, &bytes, &count) {
                files[String(cString: name)] = String(
                    decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
            }
            files[texts] = """
                // The words of the page, from the table FlagsBrowserText.
                export const texts = \(words);

                /** A text with another one in its place. */
                export const say = (text, value) => text.replace("%@", () => value);

                """
            return files
        }()

        /// The name of the module with the texts, which is generated.
        private static let texts = "texts.js"

        private static var words: String {
            let words = FlagsBrowserText.allCases.map { ("\($0)", $0.rawValue) }
            return (try? FlagsBrowserJSON.text(of: Dictionary(uniqueKeysWithValues: words))) ?? "{}"
        }

        private static let types: [Substring: String] = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
            "js": "text/javascript; charset=utf-8",
        ]
    }
#endif
