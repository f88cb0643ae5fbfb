#if Web
    import FlyingFox
    import Foundation
    import TacklineBrowser

    /// The routes of a console, by path and method.
    struct ConsoleRoutes: HTTPHandler {
        let gate: ConsoleGuard
        let page: ConsolePage
        let events: ConsoleEvents
        let browser: FlagsBrowser
        let isReadOnly: Bool

        /// The largest size of a body in bytes. Bodies contain edits, and bundles to import.
        static let maximumBodyBytes = 4 << 20

        func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
            if request.field("Transfer-Encoding") != nil {
                return try await HTTPResponse(.lengthRequired, "A body has to come with a Content-Length.\n").closing()
            }
            let length = request.field("Content-Length").flatMap { Int($0) } ?? 0
            if let refusal = refusal(of: request, length: length) {
                return length == 0 ? refusal : try await refusal.closing()
            }
            return await response(to: request, body: try await request.bodyData)
        }

        /// Returns the answer to a request whose body is not read, or `nil` if the request is admitted.
        private func refusal(of request: HTTPRequest, length: Int) -> HTTPResponse? {
            if let message = gate.refusal(of: request) { return HTTPResponse(.forbidden, "\(message)\n") }
            if request.sentPath == "/", request.method == .GET, let token = request.query["token"] {
                return exchange(token, request)
            }
            guard gate.knows(request) else {
                if request.isNavigation { return page.document("welcome.html", status: .unauthorized) }
                return HTTPResponse(
                    .unauthorized, "Open the URL with the token that the program printed when its console started.\n")
            }
            guard length <= Self.maximumBodyBytes else {
                return HTTPResponse(.payloadTooLarge, "The body is too long: at most 4 MiB.\n")
            }
            return nil
        }

        /// Exchanges the token for the session, and redirects the browser to the URL without the token, so that it
        /// doesn't stay in the history.
        private func exchange(_ token: String, _ request: HTTPRequest) -> HTTPResponse {
            guard ConsoleSecrets.isSame(token, gate.secrets.token) else {
                return page.document("welcome.html", status: .unauthorized)
            }
            return HTTPResponse(.seeOther, "", fields: ["Location": request.page, "Set-Cookie": gate.cookie])
        }

        private func response(to request: HTTPRequest, body: Data) async -> HTTPResponse {
            let methods = Self.methods[request.sentPath] ?? "GET"
            guard request.method.rawValue == methods else {
                return HTTPResponse(.methodNotAllowed, "Use \(methods).\n", fields: ["Allow": methods])
            }
            // A form of another site could send other content types without a preflight request.
            let type = request.field("Content-Type")?.lowercased().prefix { $0 != ";" }
            guard methods == "GET" || type == "application/json" else {
                return HTTPResponse(.unsupportedMediaType, "Commands have to come as application/json.\n")
            }
            do throws(FlagsBrowserError) {
                switch request.sentPath {
                case "/":
                    return page.document("index.html")
                case "/api/state":
                    return try json(await snapshot(since: request.query["since"].flatMap { Int($0) }))
                case "/api/events":
                    guard let revisions = events.makeStream() else {
                        return HTTPResponse(.serviceUnavailable, "Too many pages follow this console. Close some.\n")
                    }
                    return HTTPResponse(revisions: revisions, while: gate.isAllowed)
                case "/api/command":
                    let order = try FlagsBrowserJSON.read(Order.self, from: body)
                    if isReadOnly, !order.command.isReading { throw Self.readOnly }
                    return try json(try await browser.perform(order.command, by: order.author))
                case "/api/preview":
                    return try json(
                        try browser.preview(try FlagsBrowserJSON.read(FlagsBrowserCommand.self, from: body)))
                case "/api/why":
                    return try json(
                        try browser.reasons(for: try FlagsBrowserJSON.read(FlagsBrowserQuestion.self, from: body)))
                default:
                    let name = request.sentPath.hasPrefix("/page/") ? String(request.sentPath.dropFirst(6)) : ""
                    return page.file(name)
                        ?? HTTPResponse(.notFound, "There is nothing here. Open the URL that the program printed.\n")
                }
            } catch {
                return HTTPResponse(error)
            }
        }

        /// The methods of the paths that are not requested with GET.
        private static let methods = ["/api/command": "POST", "/api/preview": "POST", "/api/why": "POST"]

        private func json(_ message: some Encodable) throws(FlagsBrowserError) -> HTTPResponse {
            let body = HTTPBodySequence(data: try FlagsBrowserJSON.data(of: message), suggestedBufferSize: 1 << 16)
            return HTTPResponse(.ok, type: "application/json", body)
        }

        /// Takes a snapshot off the server's tasks, which answer other requests meanwhile.
        @concurrent
        private func snapshot(since earlier: Int?) async -> FlagsBrowserSnapshot {
            var snapshot = browser.snapshot(since: earlier)
            if isReadOnly { snapshot.readOnlyReason = Self.readOnly }
            return snapshot
        }

        private static let readOnly = FlagsBrowserError(
            .readOnly, "This console only shows flags. It was started with isReadOnly.")

        /// A command with the name of the person who gives it, for the list of changes.
        private struct Order: Decodable {
            var command: FlagsBrowserCommand
            var author: String?
        }
    }
#endif
