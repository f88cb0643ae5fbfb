#if Web
    import Foundation
    import TacklineWeb

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Runs a console just long enough to visit it, first without the token and then with it.
    enum Visit {
        static func run(_ console: FlagsConsole) async throws {
            let (urls, ready) = AsyncStream.makeStream(of: URL.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await console.run { ready.yield($0) } }
                group.addTask {
                    for await url in urls {
                        try await visit(url)
                        return
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }

        private static func visit(_ url: URL) async throws {
            let session = URLSession(configuration: .ephemeral)
            guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return }
            components.queryItems = nil
            guard let home = components.url else { return }
            say("Without the token: \(try await status(of: home, in: session))")
            say("With the token:    \(try await status(of: url, in: session))")
            let (data, _) = try await session.data(from: home.appending(path: "api/state"))
            let state = try JSONDecoder().decode(State.self, from: data)
            say("\(state.title), \(state.flags.count) flags:")
            for flag in state.flags { say("  \(flag.key) = \(flag.value.text)") }
        }

        private static func status(of url: URL, in session: URLSession) async throws -> Int {
            let (_, response) = try await session.data(from: url)
            return (response as? HTTPURLResponse)?.statusCode ?? 0
        }

        private struct State: Decodable {
            struct Flag: Decodable {
                struct Value: Decodable { var text: String }
                var key: String
                var value: Value
            }
            var title: String
            var flags: [Flag]
        }
    }
#endif
