#if Web
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // Foundation: files are read from a folder.

    /// The page: its elements, and the scripts and styles that it asks for.
    ///
    /// The files stand in Page/Files. The program holds their text, so that nothing can be missing where it runs; whoever
    /// works on the page has them read from the folder at each request.
    struct ConsolePage: Sendable {
        /// Where the files are read; `nil` for what the program holds.
        let folder: URL?

        /// Answers with the elements of the page.
        ///
        /// Its content security policy lets in this page's styles and scripts alone, by a number that is used once, and lets
        /// the scripts talk to this console alone. Text cannot become markup even by mistake: the page's scripts ask for
        /// nothing that takes markup, and the policy forbids all of it (`require-trusted-types-for`).
        func response() -> ConsoleResponse {
            let nonce = FlagsConsoleSecrets.random()
            let policy = [
                "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "connect-src 'self'",
                "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
                "require-trusted-types-for 'script'", "trusted-types 'none'",
            ]
            return response(
                file: "index.html", headers: [("Content-Security-Policy", policy.joined(separator: "; "))]
            ) { $0.split(separator: "NONCE", omittingEmptySubsequences: false).joined(separator: nonce) }
        }

        /// Answers with a file of the page, such as `list.js`.
        func response(file name: String) -> ConsoleResponse {
            response(file: name, headers: []) { $0 }
        }

        private func response(
            file name: String, headers: [(name: String, value: String)], change: (String) -> String
        ) -> ConsoleResponse {
            // Only what the program holds has a name, so that no other file of the folder can be asked for.
            guard let held = Self.files[name], let type = Self.types[name.split(separator: ".").last ?? ""] else {
                return .plain(ConsoleRequestProblem(404, "There is nothing here."))
            }
            guard let folder else { return ConsoleResponse(200, type: type, change(held), headers: headers) }
            let file = folder.appendingPathComponent(name)
            guard let data = try? Data(contentsOf: file), let text = String(validating: data, as: UTF8.self) else {
                return .plain(
                    ConsoleRequestProblem(
                        404, "The file \(file.path) cannot be read. Correct the options' pageFolder of the console."))
            }
            return ConsoleResponse(200, type: type, change(text), headers: headers)
        }

        private static let types: [Substring: String] = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
            "js": "text/javascript; charset=utf-8",
        ]
    }
#endif
