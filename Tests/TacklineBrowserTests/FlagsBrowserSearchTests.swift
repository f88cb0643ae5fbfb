import Foundation
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

@Suite("A search in the browser", .hangLimit) struct FlagsBrowserSearchTests {
    private func flag(
        _ key: String, name: String? = nil, description: String = "", owner: String? = nil, tags: [String] = [],
        value: FlagsBrowserValue = FlagsBrowserValue(true)
    ) -> FlagsBrowserFlag {
        return FlagsBrowserFlag(
            id: key, section: "S", name: name ?? key, key: key, description: description, type: "Bool",
            control: .toggle, metadata: FlagsBrowserMetadata(owner: owner, tags: tags), declaredDefault: value,
            value: value, source: .default, defaultValue: value)
    }

    private func keys(_ flags: [FlagsBrowserFlag], _ text: String) -> [String] {
        let snapshot = FlagsBrowserSnapshot(title: "", environment: "", time: .distantPast, flags: flags)
        return FlagsBrowserSearch(snapshot).flags(matching: FlagsBrowserFilter(text: text)).map(\.key)
    }

    @Test("puts the whole before beginnings, words, parts, tags, owners, values and descriptions")
    func ranks() {
        let flags = [
            flag("i", description: "a cart"), flag("h", value: FlagsBrowserValue("carts")),
            flag("g", owner: "cart team"), flag("f", tags: ["cartoon"]),
            flag("e", tags: ["cart"]), flag("discart"), flag("new_cart"), flag("cart_size"), flag("cart"),
        ]
        #expect(keys(flags, "cart") == ["cart", "cart_size", "new_cart", "discart", "e", "f", "g", "h", "i"])
        #expect(keys(flags, "") == flags.map(\.key))
        #expect(keys(flags, "none") == [])
    }

    @Test("wants every word, in any order, and minds neither case nor accents nor width")
    func words() {
        let flags = [flag("new_checkout", description: "Two steps", owner: "Zoë Müller"), flag("new_cart")]
        #expect(keys(flags, "CHECKOUT new") == ["new_checkout"])
        #expect(keys(flags, "zoe steps") == ["new_checkout"])
        #expect(keys(flags, "ＭÜＬＬＥＲ") == ["new_checkout"])
        #expect(keys(flags, "  new  ") == ["new_checkout", "new_cart"])
        #expect(keys([flag("a", name: "Zoe\u{308}")], "Zoë") == ["a"])
    }

    @Test("is a filter that can be combined with others")
    func filters() throws {
        let bench = Bench()
        bench.remote.memory.setValue(true, for: "new_checkout")
        try bench.overrides.setValue("x", for: "title")
        try bench.overrides.setValue(3, for: "attempts")
        let snapshot = bench.browser.snapshot()
        func keys(_ change: (inout FlagsBrowserFilter) -> Void) -> [String] {
            var filter = FlagsBrowserFilter()
            change(&filter)
            return snapshot.flags(matching: filter).map(\.key)
        }
        #expect(keys { $0.isOverridden = true } == ["title", "attempts"])
        #expect(keys { $0.isChangedFromDefault = true } == ["title", "new_checkout"])
        #expect(keys { ($0.isOverridden, $0.isChangedFromDefault) = (true, true) } == ["title"])
        #expect(keys { $0.sources = [.provider("remote")] } == ["new_checkout"])
        #expect(
            keys { $0.sources = [.provider("remote"), .provider("overrides")] } == [
                "title", "attempts", "new_checkout",
            ])
        #expect(
            keys { $0.controls = [.toggle, .date] } == ["new_checkout", "secrets/is_sealed", "secrets/deep/launch"])
        #expect(keys { ($0.isOverridden, $0.text) = (true, "tit") } == ["title"])
        #expect(keys { $0.sources = [.default, .provider("remote")] }.contains("attempts") == false)
        #expect(keys { $0.differsFrom = ["overrides"] } == [])
        bench.remote.memory.setValue("y", for: "title")
        let later = bench.browser.snapshot()
        var filter = FlagsBrowserFilter()
        filter.differsFrom = ["remote"]
        #expect(later.flags(matching: filter).map(\.key) == ["title"])
        // What a line shortens counts, too.
        let long = String(repeating: "a", count: 200)
        bench.remote.memory.setValue(.string(long + "y"), for: "title")
        try bench.overrides.setValue(.string(long + "x"), for: "title")
        bench.remote.memory.setValue(1, for: "secrets/ratio")
        #expect(bench.browser.snapshot().flags(matching: filter).map(\.key) == ["title"])
        #expect(bench.browser.snapshot().flags(matching: FlagsBrowserFilter(text: "aax")).map(\.key) == ["title"])
        #expect(keys { $0.isExpired = true } == [])
        #expect(keys { $0.isPinned = true } == [])
    }

    @Test("has an order, in which numbers count by value and equal flags keep their place")
    func orders() {
        let flags = [
            flag("b", name: "Step 10"), flag("a/2", name: "step 9"), flag("a/10", name: "Étage 1"),
            flag("c", name: "Step 010"),
        ]
        var snapshot = FlagsBrowserSnapshot(title: "", environment: "", time: .distantPast, flags: flags)
        snapshot.recentChanges = ["a/2", "c", "a/2"].enumerated().map { index, flag in
            FlagsBrowserChange(
                id: 3 - index, time: .distantPast, flag: flag, key: flag, old: FlagsBrowserValue(1),
                new: FlagsBrowserValue(2), source: .default)
        }
        func keys(_ order: FlagsBrowserFilter.Order, _ text: String = "") -> [String] {
            var filter = FlagsBrowserFilter(text: text)
            filter.order = order
            #expect(FlagsBrowserSearch(snapshot).flags(matching: filter) == snapshot.flags(matching: filter))
            return snapshot.flags(matching: filter).map(\.key)
        }
        #expect(keys(.declared) == ["b", "a/2", "a/10", "c"])
        #expect(keys(.name) == ["a/10", "a/2", "b", "c"])
        #expect(keys(.key) == ["a/2", "a/10", "b", "c"])
        #expect(keys(.lastChange) == ["a/2", "c", "b", "a/10"])
        #expect(keys(.name, "step") == ["a/2", "b", "c"])
        #expect(FlagsBrowserListing(of: snapshot).parts.isEmpty)
        var byName = FlagsBrowserFilter()
        byName.order = .name
        #expect(
            byName.isEmpty && FlagsBrowserListing(of: snapshot, matching: byName).parts.map(\.title) == ["All flags"])
    }

    @Test(
        "orders numbers by value wherever they stand and however many zeros lead them",
        arguments: [
            ["05", "06", "07*", "08A", "09 B", "10", "11", "12A", "13"],
            ["a1", "a02", "a010", "a33", "a43", "a55", "a87", "a102", "a255"],
            ["02", "02B", "04", "04B", "15", "15B", "22", "22B", "099", "099B"],
            ["1", "02", "3"], ["2", "10", "99999999999999999999999999", "100000000000000000000000000"],
            ["a/9/b", "a/10/a", "a_1", "ab"],
        ])
    func numbers(sorted: [String]) {
        let flags = sorted.map { flag($0) }
        let snapshot = FlagsBrowserSnapshot(title: "", environment: "", time: .distantPast, flags: flags)
        var filter = FlagsBrowserFilter()
        filter.order = .key
        #expect(snapshot.flags(matching: filter).map(\.key) == sorted)
        var reversed = snapshot
        reversed.flags.reverse()
        #expect(reversed.flags(matching: filter).map(\.key) == sorted)
    }

    @Test("is a message of which every member may be left out")
    func message() throws {
        #expect(try FlagsBrowserJSON.read(Question.self, from: "{\"filter\":{}}").filter == FlagsBrowserFilter())
        var filter = FlagsBrowserFilter(text: "a")
        (filter.isRefused, filter.sources, filter.order) = (true, [.provider("remote"), .default], .lastChange)
        let text = try FlagsBrowserJSON.text(of: Question(filter: filter))
        #expect(try FlagsBrowserJSON.read(Question.self, from: text).filter == filter)
        #expect(throws: FlagsBrowserError.self) {
            try FlagsBrowserJSON.read(Question.self, from: "{\"filter\":{\"order\":\"random\"}}")
        }
    }

    private struct Question: Codable, FlagValue {
        var filter: FlagsBrowserFilter
    }

    @Test("finds pinned flags, and pins survive where they are kept")
    func pins() async throws {
        let storage = MemoryProvider()
        let bench = Bench { $0.pins = storage }
        try await bench.browser.perform(.pin(flag: "BrowserFlags:shop", isPinned: true))
        var filter = FlagsBrowserFilter()
        filter.isPinned = true
        #expect(bench.browser.snapshot().flags(matching: filter).map(\.key) == ["shop"])
        #expect(Bench { $0.pins = storage }.flag("shop")?.isPinned == true)
        try await bench.browser.perform(.pin(flag: "BrowserFlags:shop", isPinned: false))
        #expect(bench.flag("shop")?.isPinned == false && storage.value(for: FlagsBrowserConfiguration.pinsKey) == nil)
    }
}
