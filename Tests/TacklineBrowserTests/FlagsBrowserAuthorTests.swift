import Foundation
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("Authors of edits", .hangLimit) struct FlagsBrowserAuthorTests {
    private let ada = FlagsBrowserAuthor(id: "a", name: "Ada")
    private let bea = FlagsBrowserAuthor(id: "b", name: "Bea")
    private let attempts = "BrowserFlags:attempts"
    private let shop = "BrowserFlags:shop"

    private func set(
        _ bench: Bench, _ flag: String, _ text: String, _ author: FlagsBrowserAuthor?,
        expected: FlagsBrowserExpectation? = nil
    ) async throws -> FlagsBrowserReply {
        try await bench.browser.perform(
            FlagsBrowserRequest(.set(flag: flag, to: .text(text)), author: author, expected: expected))
    }

    @Test("take back what they did themselves, whatever others did since")
    func undo() async throws {
        let bench = Bench()
        let first = try await set(bench, attempts, "5", ada)
        _ = try await set(bench, shop, "1", bea)
        _ = try await set(bench, "BrowserFlags:title", "new", nil)
        #expect(bench.browser.snapshot().edits.map(\.author?.name) == [nil, "Bea", "Ada"])
        let reply = try await bench.browser.perform(FlagsBrowserRequest(.undo(), author: ada))
        #expect(reply.flags == [attempts] && reply.edit == first.edit)
        #expect(bench.loader.attempts == 3 && bench.loader.shop == 1)
        let error = await #expect(throws: FlagsBrowserError.self) {
            try await bench.browser.perform(FlagsBrowserRequest(.undo(), author: ada))
        }
        #expect(error?.code == .nothingToUndo)
        // Those who give no name are one author, whose last edit a snapshot offers.
        #expect(bench.browser.snapshot().undo?.flags == ["BrowserFlags:title"])
        #expect(try await bench.browser.perform(.undo()).flags == ["BrowserFlags:title"])
        #expect(bench.browser.snapshot().undo == nil && bench.loader.shop == 1)
    }

    @Test("take back the very edit that they name, and none of others")
    func numbered() async throws {
        let bench = Bench()
        let first = try await set(bench, attempts, "5", ada)
        _ = try await set(bench, shop, "1", ada)
        let theirs = try await set(bench, "BrowserFlags:title", "new", bea)
        let error = await #expect(throws: FlagsBrowserError.self) {
            try await bench.browser.perform(FlagsBrowserRequest(.undo(), author: ada, edit: theirs.edit))
        }
        #expect(error?.code == .nothingToUndo)
        try await bench.browser.perform(FlagsBrowserRequest(.undo(), author: ada, edit: first.edit))
        #expect(bench.loader.attempts == 3 && bench.loader.shop == 1)
    }

    @Test("are told who changed a flag since, and can insist")
    func conflict() async throws {
        let bench = Bench()
        let mine = try await set(bench, attempts, "5", ada)
        _ = try await set(bench, attempts, "7", bea)
        let error = await #expect(throws: FlagsBrowserError.self) {
            try await bench.browser.perform(FlagsBrowserRequest(.undo(), author: ada, edit: mine.edit))
        }
        #expect(error?.code == .undoConflict)
        #expect(
            error?.message == """
                The edit “Set "attempts" to 5 in "overrides"” was not undone: provider "overrides" holds 7 for flag \
                "attempts" now, which Bea has set since. Set the flag by hand, or force the undo.
                """)
        #expect(bench.loader.attempts == 7)
        try await bench.browser.perform(FlagsBrowserRequest(.undo(isForced: true), author: ada, edit: mine.edit))
        #expect(bench.loader.attempts == 3)
    }

    @Test("do again what they took back, the last first, until they make another edit")
    func redo() async throws {
        let bench = Bench()
        for text in ["1", "2"] { _ = try await set(bench, attempts, text, ada) }
        for _ in 1...2 { try await bench.browser.perform(FlagsBrowserRequest(.undo(), author: ada)) }
        #expect(bench.loader.attempts == 3)
        #expect(bench.browser.snapshot().edits.map(\.isUndone) == [true, true])
        try await bench.browser.perform(FlagsBrowserRequest(.redo(), author: ada))
        #expect(bench.loader.attempts == 1)
        // An edit of somebody else leaves it, unless it is of the same flag.
        _ = try await set(bench, shop, "1", bea)
        try await bench.browser.perform(FlagsBrowserRequest(.redo(), author: ada))
        #expect(bench.loader.attempts == 2)
        try await bench.browser.perform(FlagsBrowserRequest(.undo(), author: ada))
        _ = try await set(bench, attempts, "9", bea)
        let conflict = await #expect(throws: FlagsBrowserError.self) {
            try await bench.browser.perform(FlagsBrowserRequest(.redo(), author: ada))
        }
        #expect(conflict?.code == .undoConflict && conflict?.message.contains("which Bea has set since") == true)
        _ = try await set(bench, shop, "2", ada)
        let none = await #expect(throws: FlagsBrowserError.self) {
            try await bench.browser.perform(FlagsBrowserRequest(.redo(isForced: true), author: ada))
        }
        #expect(none?.code == .nothingToUndo)
    }

    @Test("stand beside what their edits changed, and beside nothing else")
    func changes() async throws {
        let bench = Bench()
        bench.region.setValue(4, for: "attempts")
        _ = try await set(bench, attempts, "5", ada)
        try await bench.browser.perform(FlagsBrowserRequest(.undo(), author: ada))
        bench.region.setValue(6, for: "attempts")
        let changes = bench.browser.snapshot().recentChanges
        #expect(changes.map(\.new.text) == ["6", "4", "5", "4"])
        #expect(changes.map(\.author?.name) == [nil, "Ada", "Ada", nil])
    }

    @Test("find what they changed in the log, however often another flag changes")
    func chattyFlag() async throws {
        let bench = Bench { $0.recentChangesLimit = 50 }
        _ = try await set(bench, attempts, "5", ada)
        for number in 0..<500 {
            bench.region.setValue(.integer(Int128(number)), for: "shop")
            _ = bench.browser.snapshot()
        }
        let changes = bench.browser.snapshot().recentChanges
        #expect(changes.map(\.new.text) == ["499", "498", "497", "496", "495", "5"])
        #expect(changes.last?.author?.name == "Ada")
    }

    @Test("overwrite only what they saw")
    func expectation() async throws {
        let bench = Bench()
        let seen = FlagsBrowserExpectation(value: bench.flag("attempts")?.answer(of: "overrides")?.value)
        _ = try await set(bench, attempts, "5", bea, expected: seen)
        for command in [FlagsBrowserCommand.set(flag: attempts, to: .text("6")), .reset(flag: attempts)] {
            let error = await #expect(throws: FlagsBrowserError.self) {
                try await bench.browser.perform(FlagsBrowserRequest(command, author: ada, expected: seen))
            }
            #expect(error?.code == .editConflict && error?.provider == "overrides")
            #expect(
                error?.message == """
                    Flag "attempts" was not written: provider "overrides" holds 5 now, held nothing before; Bea changed \
                    it. Look at it again before you overwrite it.
                    """)
        }
        #expect(bench.loader.attempts == 5)
        let now = FlagsBrowserExpectation(value: bench.flag("attempts")?.answer(of: "overrides")?.value)
        _ = try await set(bench, attempts, "6", ada, expected: now)
        #expect(bench.loader.attempts == 6)
        // Values of which a snapshot shows the beginning only differ where they can be distinguished.
        let long = String(repeating: "x", count: 20_000)
        _ = try await set(bench, "BrowserFlags:title", long, ada)
        let full = try bench.browser.flag(id: "BrowserFlags:title").answer(of: "overrides")?.value
        #expect(full?.input == long)
        _ = try await set(bench, "BrowserFlags:title", long + "y", bea)
        await #expect(throws: FlagsBrowserError.self) {
            try await set(bench, "BrowserFlags:title", "mine", ada, expected: FlagsBrowserExpectation(value: full))
        }
    }

    @Test("have a name that can be shown anywhere")
    func names() async throws {
        let bench = Bench()
        let names = ["  Ada \n Lovelace ", "\u{1B}[31mred", "", String(repeating: "n", count: 1000), "\u{202E}abc"]
        for (index, name) in names.enumerated() {
            _ = try await set(bench, attempts, "\(index + 10)", .init(id: "x", name: name))
        }
        let shown = bench.browser.snapshot().edits.reversed().map { $0.author?.name }
        #expect(shown.allSatisfy { ($0?.count ?? 0) <= 60 })
        #expect(shown.allSatisfy { $0?.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E } ?? true })
        #expect(shown.count == names.count && shown[2] == nil)
    }
}

@Suite("Values that end", .hangLimit) struct FlagsBrowserExpiryTests {
    private let attempts = "BrowserFlags:attempts"
    private let end = Date(timeIntervalSinceReferenceDate: 3600)

    @Test("are set with their end and shown with it, also where only the end became another one")
    func shown() async throws {
        let bench = Bench()
        #expect(bench.browser.snapshot().sections[0].providers.map(\.keepsExpiry) == [true, false, false])
        let edit = FlagsBrowserCommand.set(flag: attempts, to: .text("5"))
        try await bench.browser.perform(FlagsBrowserRequest(edit, expires: end))
        #expect(bench.flag("attempts")?.answer(of: "overrides")?.expires == end)
        try await bench.browser.perform(FlagsBrowserRequest(edit, expires: end + 60))
        #expect(bench.flag("attempts")?.answer(of: "overrides")?.expires == end + 60)
        #expect(try bench.browser.flag(id: attempts).answer(of: "overrides")?.expires == end + 60)
        try await bench.browser.perform(edit)
        #expect(bench.flag("attempts")?.answer(of: "overrides")?.expires == nil)
        try await bench.browser.perform(.undo())
        #expect(bench.flag("attempts")?.answer(of: "overrides")?.expires == end + 60)
        try await bench.browser.perform(.redo())
        #expect(bench.overrides.overrides.map(\.expires) == [nil])
    }

    @Test("are refused where the end has passed or cannot be kept, and for commands that set nothing")
    func refused() async throws {
        let bench = Bench()
        let edit = FlagsBrowserCommand.set(flag: attempts, to: .text("5"))
        let requests = [
            (FlagsBrowserRequest(edit, expires: Date(timeIntervalSinceReferenceDate: -1)), "has passed"),
            (
                FlagsBrowserRequest(.set(flag: attempts, to: .text("5"), destination: "region"), expires: end),
                "cannot keep when a value expires"
            ), (FlagsBrowserRequest(.reset(flag: attempts), expires: end), "Only a value that is set"),
        ]
        for (request, part) in requests {
            let error = await #expect(throws: FlagsBrowserError.self) { try await bench.browser.perform(request) }
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
        #expect(bench.loader.attempts == 3)
    }

    @Test("come back from JSON with the request, and a command alone is a request")
    func message() throws {
        let value = FlagsBrowserValue(.integer(5))
        for request in [
            FlagsBrowserRequest(
                .set(flag: "App:a", to: .text("5")), author: .init(id: "a", name: "Ada"),
                expected: .init(value: value), expires: end),
            FlagsBrowserRequest(.reset(flag: "App:a"), expected: .init(value: nil)),
            FlagsBrowserRequest(.redo(isForced: true), author: .init(id: "a"), edit: 7),
        ] {
            let text = try FlagsBrowserJSON.text(of: request)
            #expect(try FlagsBrowserJSON.read(FlagsBrowserRequest.self, from: text) == request)
        }
        let alone = try FlagsBrowserJSON.text(of: FlagsBrowserCommand.undo())
        #expect(try FlagsBrowserJSON.read(FlagsBrowserRequest.self, from: alone) == FlagsBrowserRequest(.undo()))
    }

    @Test("of an import, and what a reset would remove, are listed before it is done")
    func differences() async throws {
        let bench = Bench()
        try bench.overrides.setValue(4, for: "attempts")
        try bench.overrides.setValue("kept", for: "title")
        let bundle = """
            { "format": "tackline-overrides", "version": 1, "overrides": [
              { "key": "attempts", "value": 9, "expires": "2001-01-01T01:00:00Z" }, { "key": "shop", "value": 1 } ] }
            """
        let preview = try bench.browser.preview(.importBundle(bundle, isReplacing: true))
        #expect(preview.differences.map(\.key) == ["title", "attempts", "shop"])
        #expect(preview.differences.map(\.old?.text) == [#""kept""#, "4", nil])
        #expect(preview.differences.map(\.new?.text) == [nil, "9", "1"])
        #expect(preview.differences.map(\.expires) == [nil, end, nil])
        try await bench.browser.perform(.importBundle(bundle))
        #expect(try bench.browser.preview(.importBundle(bundle)).differences.isEmpty)
        #expect(try bench.browser.preview(.resetAll()).differences.count == 3)
    }
}
