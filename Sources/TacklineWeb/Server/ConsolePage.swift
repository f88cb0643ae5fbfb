#if Web
    private import CTacklineWebPage
    import FlyingFox
    import Foundation

    /// The page with its scripts and styles.
    ///
    /// The files are in Page/Files. The program contains their text, so that no file can be missing at run time. For
    /// work on the page they are read from the folder at each request.
    struct ConsolePage: Sendable {
        /// The folder from which the files are read, or `nil` for those that the program contains.
        let folder: URL?

        /// Returns a document, such as `index.html`.
        ///
        /// Its content security policy allows only the styles and scripts of this page, identified by a nonce, and
        /// allows connections only to this console. Text can't become markup even by mistake: the page's scripts use no
        /// API that parses markup, and the policy forbids all of them (`require-trusted-types-for`).
        func document(_ name: String, status: HTTPStatusCode = .ok) -> HTTPResponse {
            let nonce = ConsoleSecrets.random()
            let policy = [
                "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "connect-src 'self'",
                "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
                "require-trusted-types-for 'script'", "trusted-types 'none'",
            ]
            return HTTPResponse(
                status, type: "text/html", (text(of: name) ?? "").replacing("NONCE", with: nonce),
                fields: ["Content-Security-Policy": policy.joined(separator: "; ")])
        }

        /// Returns a script or a style, such as `list.js`, or `nil` if the page has none of this name.
        func file(_ name: String) -> HTTPResponse? {
            let types: [Substring: String] = ["css": "text/css", "js": "text/javascript"]
            guard let type = name.split(separator: ".").last.flatMap({ types[$0] }), let text = text(of: name) else {
                return nil
            }
            return HTTPResponse(.ok, type: type, text)
        }

        /// Returns the text of a file. Only files that the program contains are read, so that no other file of the folder
        /// can be requested.
        private func text(of name: String) -> String? {
            guard let held = Self.files[name], let folder else { return Self.files[name] }
            let file = folder.appendingPathComponent(name)
            return (try? Data(contentsOf: file)).flatMap { String(validating: $0, as: UTF8.self) } ?? held
        }

        /// The files of the page, by name.
        static let files: [String: String] = {
            var files: [String: String] = [:]
            var text: UnsafePointer<UInt8>?
            while let name = tackline_web_page_file(files.count, &text), let text {
                files[String(cString: name)] = String(cString: text)
            }
            return files
        }()
    }
#endif
