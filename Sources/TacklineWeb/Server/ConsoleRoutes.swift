#if Web
    import TacklineBrowser
    import TacklineCore
    import TacklineHTTP

    /// The routes of a console, by path and method.
    struct ConsoleRoutes: Sendable {
        let gate: ConsoleGuard
        let hub: ConsoleHub
        let page: ConsolePage

        /// - Parameter localHost: The address at which the connection arrived, in URL syntax.
        func response(to request: ConsoleRequest, localHost: String) async -> ConsoleResponse {
            if let refusal = gate.refusal(of: request, localHost: localHost) { return .plain(refusal) }
            let methods = Self.methods[request.path] ?? (request.path.hasPrefix(Self.files) ? "GET" : nil)
            if let methods, methods != request.method {
                return ConsoleResponse(
                    405, type: "text/plain; charset=utf-8", "Use \(methods).\n", headers: [("Allow", methods)])
            }
            if request.path == "/", let token = request.query["token"] { return await exchange(token, request) }
            if request.isForeignNavigation { return ConsoleWelcome.detour(request) }
            guard gate.knows(request) else {
                return request.path == "/" ? ConsoleWelcome.signIn(request, isWrong: false) : Self.strangerToAPI
            }
            switch request.path {
            case "/":
                await hub.prepare()
                return page.response()
            case "/api/state": return await answer { () async throws(FlagsBrowserError) in try await hub.state() }
            case "/api/list":
                return await answer(request) { (request: ConsoleListRequest) async throws(FlagsBrowserError) in
                    try FlagsBrowserJSON.text(of: try await hub.list(request))
                }
            case "/api/flags":
                return await answer(request) { (ids: [String]) async throws(FlagsBrowserError) in
                    try FlagsBrowserJSON.text(of: try await hub.flags(ids))
                }
            case "/api/flag":
                let id = request.query["id"] ?? ""
                return await answer { () async throws(FlagsBrowserError) in
                    try FlagsBrowserJSON.text(of: try await hub.flag(id: id))
                }
            case "/api/events":
                guard let events = await hub.subscribe() else {
                    return .plain(HTTPRequestProblem(503, "Too many pages follow this console. Close some."))
                }
                return ConsoleResponse(events: events)
            case "/api/command":
                return await answer(request) { (request: FlagsBrowserRequest) async throws(FlagsBrowserError) in
                    try FlagsBrowserJSON.text(of: try await hub.perform(request))
                }
            case "/api/preview":
                return await answer(request) { (request: FlagsBrowserRequest) async throws(FlagsBrowserError) in
                    try FlagsBrowserJSON.text(of: try await hub.preview(request))
                }
            case "/api/why":
                return await answer(request) { (question: FlagsBrowserQuestion) async throws(FlagsBrowserError) in
                    try FlagsBrowserJSON.text(of: try await hub.reasons(for: question))
                }
            case _ where request.path.hasPrefix(Self.files):
                return page.response(file: String(request.path.dropFirst(Self.files.count)))
            default:
                return .plain(HTTPRequestProblem(404, "There is nothing here. Open the URL that the program printed."))
            }
        }

        /// Returns whether the request is acceptable and has the session.
        func admits(_ request: ConsoleRequest, localHost: String) -> Bool {
            gate.refusal(of: request, localHost: localHost) == nil && gate.knows(request)
        }

        /// The common beginning of the paths of the page's files.
        private static let files = "/page/"

        private static let methods = [
            "/": "GET", "/api/state": "GET", "/api/flag": "GET", "/api/events": "GET", "/api/command": "POST",
            "/api/preview": "POST", "/api/why": "POST", "/api/list": "POST", "/api/flags": "POST",
        ]

        /// Exchanges the token for the session, and redirects the browser to the URL without the token, so that it
        /// doesn't stay in the history.
        ///
        /// - Parameter text: The token, or the whole URL that the program printed.
        private func exchange(_ text: String, _ request: ConsoleRequest) async -> ConsoleResponse {
            let pasted = text.split(separator: "token=", maxSplits: 1, omittingEmptySubsequences: false)
            let token = pasted.count == 2 ? String(pasted[1].prefix { $0 != "&" && $0 != "#" && $0 != " " }) : text
            guard gate.accepts(token: token) else { return ConsoleWelcome.signIn(request, isWrong: true) }
            await hub.prepare()
            return ConsoleResponse(
                303, type: "text/plain; charset=utf-8", "",
                headers: [("Location", request.target), ("Set-Cookie", gate.cookie)])
        }

        private static var strangerToAPI: ConsoleResponse {
            ConsoleErrorReply.response(
                401,
                FlagsBrowserError(
                    .connection,
                    "The console does not know this page. Open the URL with the token that the program printed."))
        }
    }

    extension ConsoleRoutes {
        private func answer(_ text: () async throws(FlagsBrowserError) -> String) async -> ConsoleResponse {
            do throws(FlagsBrowserError) {
                return .json(200, try await text())
            } catch {
                return ConsoleErrorReply.response(ConsoleErrorReply.status(of: error), error)
            }
        }

        private func answer<Message: FlagValue>(
            _ request: ConsoleRequest, _ text: (Message) async throws(FlagsBrowserError) -> String
        ) async -> ConsoleResponse {
            // A form of another site could send three other content types without a preflight request.
            let type = request.headers["content-type"]?.lowercased() ?? ""
            guard type == "application/json" || type.hasPrefix("application/json;") else {
                return .plain(HTTPRequestProblem(415, "Commands have to come as application/json."))
            }
            return await answer { () async throws(FlagsBrowserError) in
                guard let body = String(validating: request.body, as: UTF8.self) else {
                    throw FlagsBrowserError(.unreadableMessage, "The command is not UTF-8.")
                }
                return try await text(try FlagsBrowserJSON.read(Message.self, from: body))
            }
        }
    }
#endif
