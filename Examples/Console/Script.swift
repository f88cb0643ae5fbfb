#if Web
    import Foundation
    import Tackline
    import TacklineWeb

    /// Drives the shop and its console by lines of input, so that a test can: `start`, `stop`, `value <key>`,
    /// `visitors`, `publish <JSON>`, `quit`. Each is answered by one line.
    struct Script {
        let shop: Shop
        let console: FlagsConsole

        func run() async throws {
            var running: Task<Void, any Error>?
            for await line in Self.lines() {
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                switch parts.first {
                case "start":
                    let (urls, ready) = AsyncStream.makeStream(of: URL.self)
                    running = Task {
                        defer { ready.finish() }
                        try await console.run { ready.yield($0) }
                    }
                    for await url in urls.prefix(1) { say("\(url)") }
                case "stop":
                    running?.cancel()
                    _ = await running?.result
                    say("stopped")
                case "value":
                    say("\(shop.flags.flag(at: FlagKeyPath(parts.last ?? ""))?.explain().value ?? .null)")
                case "visitors":
                    // A use of the flag, and no inspection.
                    say("\(shop.flags.visitors)")
                case "publish":
                    try await shop.publish(parts.last ?? "")
                    say("published")
                default:
                    running?.cancel()
                    return
                }
            }
        }

        /// The lines of the standard input, read on a thread that may wait for them.
        private static func lines() -> AsyncStream<String> {
            AsyncStream { continuation in
                Thread.detachNewThread {
                    while let line = readLine() { continuation.yield(line) }
                    continuation.finish()
                }
            }
        }
    }
#endif
