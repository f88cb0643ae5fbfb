#if Web
    import Foundation
    import Tackline
    import TacklineBrowser
    import TacklineWeb

    /// A small shop and its console.
    ///
    ///     swift run --traits Web Console                     runs until you press Control-C
    ///     … Console --port 8090                              at this port
    ///     … Console --everywhere                             answers other devices in the network too
    ///     … Console --page Sources/TacklineWeb/Page/Files    shows edits of the page's files on reload
    ///     … Console --many 1000                              has a thousand flags more
    ///     … Console --launches ~/.shop                       remembers launches there and holds back what kills the shop
    ///     … Console --once                                   asks its own console for its flags, and ends
    ///     … Console --scripted                               takes commands from its input, see Script
    @main
    struct Console {
        static func main() async throws {
            let arguments = Array(CommandLine.arguments.dropFirst())
            var launches: URL?
            if let index = arguments.firstIndex(of: "--launches"), index + 1 < arguments.count {
                launches = URL(filePath: arguments[index + 1])
            }
            let shop = try await Shop(launches: launches)
            defer { shop.close() }
            let console = Self.console(for: shop, arguments)
            if arguments.contains("--once") {
                try await Visit.run(console)
            } else if arguments.contains("--scripted") {
                try await Script(shop: shop, console: console).run()
            } else {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await shop.keepChanging() }
                    group.addTask {
                        try await console.run { url in say("Open \(url)\nControl-C ends it.") }
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        }

        private static func console(for shop: Shop, _ arguments: [String]) -> FlagsConsole {
            var options = FlagsConsole.Options()
            if let index = arguments.firstIndex(of: "--port"), index + 1 < arguments.count {
                options.port = UInt16(arguments[index + 1]) ?? 0
            }
            if arguments.contains("--everywhere") { options.address = .everywhere }
            if let index = arguments.firstIndex(of: "--page"), index + 1 < arguments.count {
                options.pageFolder = URL(filePath: arguments[index + 1])
            }
            options.isReadOnly = arguments.contains("--read-only")
            guard Numbered.count > 0 else {
                return FlagsConsole(browser: FlagsBrowser(shop.flags, title: "Corner shop"), options: options)
            }
            let many = FlagsLoader(Numbered.self, description: .init(name: "Many"), providers: shop.flags.providers)
            let browser = FlagsBrowser(shop.flags, many, title: "Corner shop")
            return FlagsConsole(browser: browser, options: options)
        }
    }

    /// Prints at once, also into a pipe.
    func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
#else
    import Foundation

    @main
    struct Console {
        static func main() {
            FileHandle.standardError.write(
                Data("The console needs the trait Web: swift run --traits Web Console\n".utf8))
            exit(1)
        }
    }
#endif
