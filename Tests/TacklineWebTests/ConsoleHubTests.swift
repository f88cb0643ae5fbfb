#if Web
    import Foundation
    import Synchronization
    import TacklineBrowser
    import TacklineCore
    import TacklineComposition
    import TacklineComposition
    import TacklineMemory
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("The hub of a console", .hangLimit) struct ConsoleHubTests {
        /// A provider that cannot tell changes.
        private final class Untold: FlagProvider {
            let name = "untold"
            private let title = Mutex("one")

            func say(_ text: String) { title.withLock { $0 = text } }
            func value(for key: FlagKeyPath) -> EncodedFlagValue? {
                key.text == "title" ? .string(title.withLock { $0 }) : nil
            }
        }

        @Test("shows what providers do not tell to a page that opens, and with a sign of life to those that are open")
        func untold() async throws {
            let provider = Untold()
            let flags = FlagsLoader(WebFlags.self, environment: .nonProduction, providers: [provider])
            let hub = ConsoleHub(browser: FlagsBrowser(flags), isReadOnly: false, maximumStreams: 1)
            contains(try await hub.state(), #""input":"one""#)
            provider.say("two")
            let events = try #require(await hub.subscribe())
            contains(try await hub.state(), #""input":"two""#)
            provider.say("three")
            let beat = Task { await hub.beat(every: .milliseconds(1)) }
            defer { beat.cancel() }
            let delta = await events.first { $0.hasPrefix("event: delta") }
            contains(try #require(delta), #""input":"three""#)
            beat.cancel()
            contains(try await hub.state(), #""input":"three""#)
        }

        @Test("sends a value in one line of data, whatever line breaks of Unicode are in it")
        func lineBreaks() async throws {
            let memory = MemoryProvider()
            let flags = FlagsLoader(WebFlags.self, environment: .nonProduction, providers: [memory])
            let hub = ConsoleHub(browser: FlagsBrowser(flags), isReadOnly: false, maximumStreams: 1)
            let events = try #require(await hub.subscribe())
            _ = try await hub.state()
            let text = "a\u{2028}b\u{2029}c\u{85}d"
            _ = try await hub.perform(FlagsBrowserRequest(.set(flag: "WebFlags:title", to: .text(text))))
            let delta = try #require(await events.first { $0.hasPrefix("event: delta") })
            #expect(delta.components(separatedBy: "\ndata: ").count == 2)
            contains(delta, text)
        }

        @Test("sends the flags of an edit first where there are many, and then the rest of what is different")
        func many() async throws {
            let memory = MemoryProvider()
            let flags = FlagsLoader(WebFlags.self, environment: .nonProduction, providers: [memory])
            let hub = ConsoleHub(browser: FlagsBrowser(flags), isReadOnly: false, maximumStreams: 1, manyFlags: 1)
            let events = try #require(await hub.subscribe())
            _ = try await hub.state()
            _ = try await hub.perform(FlagsBrowserRequest(.set(flag: "WebFlags:title", to: .text("two"))))
            var received: [String] = []
            for await event in events {
                received.append(event)
                if event.hasPrefix("event: delta") { break }
            }
            #expect(received.count == 3 && received[1].hasPrefix("event: flags"))
            contains(received[1], #""input":"two""#)
            contains(received[2], #""edits":"#)
            #expect(!received[2].contains(#""answers":"#))
            contains(try await hub.state(), #""input":"two""#)
        }

        @Test("ends the pages that are open once overrides are allowed no longer")
        func closing() async throws {
            let isAllowed = Mutex(true)
            let memory = MemoryProvider()
            let flags = FlagsLoader(WebFlags.self, environment: .nonProduction, providers: [memory])
            let hub = ConsoleHub(browser: FlagsBrowser(flags), isReadOnly: false, maximumStreams: 1) {
                isAllowed.withLock { $0 }
            }
            let events = try #require(await hub.subscribe())
            isAllowed.withLock { $0 = false }
            let beat = Task { await hub.beat(every: .milliseconds(1)) }
            defer { beat.cancel() }
            // It would wait for ever otherwise.
            for await event in events { #expect(event.hasPrefix("event: hello")) }
        }
    }
#endif
