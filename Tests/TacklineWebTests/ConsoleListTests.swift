#if Web
    import Foundation
    import TacklineBrowser
    import TacklineComposition
    import TacklineCore
    import TacklineMemory
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("The list of a page", .hangLimit) struct ConsoleListTests {
        private let memory = MemoryProvider()
        private let flags: FlagsLoader<WebFlags>

        init() {
            flags = FlagsLoader(WebFlags.self, environment: .nonProduction, providers: [memory])
        }

        private func hub(manyFlags: Int = 500) -> ConsoleHub {
            ConsoleHub(browser: FlagsBrowser(flags), isReadOnly: false, maximumStreams: 2, manyFlags: manyFlags)
        }

        private func request(_ text: String) throws -> ConsoleListRequest {
            try FlagsBrowserJSON.read(ConsoleListRequest.self, from: text)
        }

        @Test("has everything once, and after that only what matches")
        func parts() async throws {
            let hub = hub()
            let events = try #require(await hub.subscribe())
            let whole = try await hub.list(try request(#"{"filter": {}, "isWhole": true}"#))
            let ids = try #require(whole.ids)
            #expect(whole.snapshot?.flags == [] && whole.snapshot?.sections.count == 1)
            #expect(whole.flags.map(\.id) == ids && ids.count == 3)
            #expect(whole.groups.map(\.flags).reduce(0, +) == ids.count)
            let found = try await hub.list(try request(#"{"filter": {"text": "title"}}"#))
            #expect(found.ids == nil && found.snapshot == nil && found.version == whole.version)
            #expect(found.parts.map(\.title) == ["1 flag found"])
            #expect(found.parts.first.flatMap { Int($0.places) }.map { ids[$0] } == "WebFlags:title")
            #expect(try await hub.list(try request(#"{"filter": {"text": "nowhere"}}"#)).parts.isEmpty)
            withExtendedLifetime(events) {}
        }

        @Test("brings only the flags at its beginning where there are many, and those that the page asks for")
        func many() async throws {
            let hub = hub(manyFlags: 1)
            let events = try #require(await hub.subscribe())
            let question = #"{"filter": {"text": "title"}, "flags": ["WebFlags:is_on", "WebFlags:nowhere"]}"#
            let list = try await hub.list(try request(question))
            #expect(list.flags.map(\.key) == ["title", "is_on"])
            let some = try await hub.flags(["WebFlags:is_on", "x", "WebFlags:title"])
            #expect(some.flags.map(\.key) == ["is_on", "title"] && some.version == list.version)
            withExtendedLifetime(events) {}
        }

        @Test("is there before the values of many flags, but for those at its beginning")
        func preliminary() async throws {
            memory.setValue("one", for: "title")
            let hub = hub(manyFlags: 1)
            let events = try #require(await hub.subscribe())
            let first = try await hub.list(try request(#"{"filter": {}, "isWhole": true, "flags": ["x"]}"#))
            #expect(first.isPreliminary == true && first.version == 0 && first.facets.isEmpty)
            #expect(first.ids?.count == 3 && first.flags.first { $0.key == "title" }?.value.input == "one")
            let second = try await hub.list(try request(#"{"filter": {}, "isWhole": true, "waits": true}"#))
            #expect(second.isPreliminary == nil && second.version == 1 && !second.facets.isEmpty)
            #expect(second.ids == first.ids && second.layout == first.layout)
            let third = try await hub.list(try request(#"{"filter": {}, "isWhole": true}"#))
            #expect(third.isPreliminary == nil && third.flags == second.flags)
            withExtendedLifetime(events) {}
        }

        @Test("is not preliminary with a filter, nor where there are few flags")
        func notPreliminary() async throws {
            let many = hub(manyFlags: 1)
            let filtered = try await many.list(try request(#"{"filter": {"isPinned": true}, "isWhole": true}"#))
            #expect(filtered.isPreliminary == nil && filtered.parts.isEmpty)
            let few = try await hub().list(try request(#"{"filter": {}, "isWhole": true}"#))
            #expect(few.isPreliminary == nil)
        }

        @Test("has a version that rises with each change, also in the differences")
        func versions() async throws {
            let hub = hub()
            let events = try #require(await hub.subscribe())
            let first = try await hub.list(try request(#"{"filter": {}}"#)).version
            _ = try await hub.perform(FlagsBrowserRequest(.set(flag: "WebFlags:title", to: .text("two"))))
            let delta = try #require(await events.first { $0.hasPrefix("event: delta") })
            contains(delta, "\"base\":\(first),")
            contains(delta, "\"version\":\(first + 1)")
            let second = try await hub.list(try request(#"{"filter": {"text": "two"}}"#))
            #expect(
                second.version == first + 1 && second.flags.contains { $0.key == "title" && $0.value.input == "two" })
        }

        @Test("writes neighbours as ranges")
        func ranges() {
            #expect(ConsoleList.text(of: []) == "")
            #expect(ConsoleList.text(of: [4]) == "4")
            #expect(ConsoleList.text(of: [0, 1, 2, 5, 7, 8, 3]) == "0-2,5,7-8,3")
        }

        @Test("refuses a question that it cannot read")
        func hostile() async throws {
            try await withConsole { console in
                for body in ["", "[]", "{}", #"{"filter": {"text": 1}}"#, #"{"filter": {"sources": ["x"]}}"#] {
                    check(try await console.ask("POST", "/api/list", body: body), 400, "\(body)")
                }
                for body in ["{}", "[1]", "null"] {
                    check(try await console.ask("POST", "/api/flags", body: body), 400, "\(body)")
                }
                let many = "[" + Array(repeating: "\"WebFlags:title\"", count: 5000).joined(separator: ",") + "]"
                let answer = try await console.ask("POST", "/api/flags", body: many)
                check(answer, 200)
                #expect(answer.body.matches(of: /"key":"title"/).count == 1)
                check(try await console.ask("GET", "/api/list"), 405)
            }
        }
    }
#endif
