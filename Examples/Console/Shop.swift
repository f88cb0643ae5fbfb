#if Web
    import Foundation
    import Tackline
    import TacklineLaunchGuard
    import TacklineLoopback
    import TacklineRemoteJSON
    import TacklineTargeting

    /// A small shop: its flags, every kind of provider, and a web server on this machine in place of the CDN.
    final class Shop: Sendable {
        let flags: FlagsLoader<ShopFlags>
        private let remote: RemoteJSONProvider
        private let documents = LoopbackDocuments()
        private let server: LoopbackServer
        private let folder: URL

        /// - Parameter launches: The folder in which launches are remembered, so that values under which the shop dies
        ///   soon after its start are held back.
        init(launches: URL? = nil) async throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "tackline-console-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            server = try LoopbackServer(documents: documents)
            remote = RemoteJSONProvider(url: server.url(path: "/flags.json"), name: "remote")

            // What people set on this machine, kept in a file.
            let overrides = FlagOverrides(file: folder.appending(path: "overrides.json"))
            // A tenth of the Swiss shops suggest words; this one is among them, as expected.txt shows.
            let rollout = DefinitionsProvider(
                try FlagDefinitions(json: Data(Self.definitions.utf8)), name: "rollout",
                context: .fixed(EvaluationContext(targetingKey: "shop-6", attributes: ["country": "CH"])))
            let sale = ClosureProvider(name: "sale") { $0.text == "discount" ? 0.15 : nil }
            flags = FlagsLoader(
                ShopFlags.self,
                description: .init(name: "Shop", description: "What customers see and what keeps the shop running."),
                providers: [
                    overrides,
                    ArgumentsProvider(name: "arguments"),
                    EnvironmentProvider(name: "environment", prefix: "SHOP_"),
                    UserDefaultsProvider(name: "user defaults", suiteName: "tackline-console-example"),
                    remote,
                    rollout,
                    sale,
                    MemoryProvider(
                        name: "region defaults",
                        values: ["greeting": "Grüezi", "operations/image_server": "https://images.example.com/zh/"]),
                ],
                launchGuard: LaunchGuard(folder: launches ?? folder.appending(path: "launches")))
            try await publish(#"{ "new_checkout": false, "max_attempts": 300, "layout": "grid", "visitors": 412 }"#)
        }

        /// Puts a document on the server and fetches it, as a poll would.
        func publish(_ document: String) async throws {
            documents.setDocument(path: "/flags.json", text: document)
            _ = try await remote.refresh()
        }

        /// Changes a flag or two every two seconds, until the task is cancelled.
        func keepChanging() async throws {
            var visitors = 412
            for round in 0... {
                try await Task.sleep(for: .seconds(2))
                visitors = min(max(visitors + Int.random(in: -40...60), 0), 1200)
                let isOpen = round % 10 >= 5
                try await publish(
                    """
                    { "new_checkout": \(isOpen), "max_attempts": 300, "layout": "grid", "visitors": \(visitors) }
                    """)
            }
        }

        func close() {
            remote.stop()
            server.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        private static let definitions = """
            { "flags": { "search/suggestions": {
              "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off",
              "targeting": { "if": [
                { "==": [{ "var": "country" }, "CH"] }, { "fractional": [["on", 10], ["off", 90]] } ] } } } }
            """
    }
#endif
