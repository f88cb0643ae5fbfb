import Foundation
import TacklineCore
import TacklineMemory
import TacklineOverrides
import TacklineTargeting
import TacklineTestSupport
import Testing

@testable import TacklineBrowser

@Suite("A snapshot of the browser", .hangLimit) struct FlagsBrowserSnapshotTests {
    @Test("lists sections, groups and flags in their order, without internal ones")
    func order() throws {
        let snapshot = Bench().browser.snapshot()
        let section = try #require(snapshot.sections.first)
        #expect(section.id == "BrowserFlags" && section.title == "Shop" && section.description == "All about shopping")
        #expect(section.groups.map(\.id) == ["BrowserFlags:secrets", "BrowserFlags:secrets.deep"])
        #expect(section.groups.map(\.parent) == [nil, "BrowserFlags:secrets"])
        #expect(
            snapshot.flags.map(\.key) == [
                "title", "attempts", "layout", "shop", "limits", "new_checkout", "secrets/ratio", "secrets/is_sealed",
                "secrets/deep/launch",
            ])
        #expect(snapshot.flags.last?.group == "BrowserFlags:secrets.deep")
        #expect(section.providers.map(\.id) == ["overrides", "remote", "region"])
        #expect(section.providers.map(\.isWritable) == [true, false, true])
        #expect(section.providers.map(\.isOverrideLayer) == [true, false, false])
        #expect(section.defaultDestination == "overrides")
        #expect(Bench(showsInternalFlags: true).flag("secrets/deep/tracing")?.metadata.isInternal == true)
    }

    @Test("gives each flag the control of its type")
    func controls() {
        let bench = Bench()
        let controls = Dictionary(uniqueKeysWithValues: bench.browser.snapshot().flags.map { ($0.key, $0.control) })
        #expect(controls["new_checkout"] == FlagsBrowserControl(kind: .toggle))
        #expect(controls["attempts"] == FlagsBrowserControl(kind: .integer, minimum: "0", maximum: "255"))
        #expect(controls["title"] == FlagsBrowserControl(kind: .text, format: .plain))
        #expect(controls["layout"]?.options?.map(\.label) == ["list", "grid", "map"])
        #expect(controls["shop"]?.minimum == "\(Int.min)" && controls["shop"]?.maximum == "\(Int.max)")
        #expect(bench.flag("shop")?.isOptional == true && bench.flag("attempts")?.isOptional == false)
        #expect(controls["limits"]?.kind == .json && controls["secrets/deep/launch"]?.kind == .date)
        #expect(controls["secrets/ratio"] == FlagsBrowserControl(kind: .number))
    }

    @Test("says of each flag what every provider answers, who wins, and what is unusual")
    func flags() throws {
        let bench = Bench()
        bench.clock.move(to: 2000)
        #expect(bench.flag("attempts")?.reason == "the default: no provider has a value")
        bench.remote.memory.setValues(["new_checkout": true, "attempts": 300, "title": "grid"])
        #expect(bench.flag("attempts")?.reason == "the default: no provider has a usable value")
        bench.region.setValues(["attempts": 5])
        let checkout = try #require(bench.flag("new_checkout"))
        #expect(checkout.value.text == "true" && checkout.source == .provider("remote"))
        #expect(checkout.isChangedFromDefault && !checkout.isOverridden)
        #expect(checkout.answers.map(\.outcome) == [.absent, .value, .absent])
        #expect(checkout.metadata.owner == "Zoë Müller" && checkout.metadata.tags == ["payment", "Kasse"])
        let attempts = try #require(bench.flag("attempts"))
        #expect(attempts.value.encoded == 5 && attempts.source == .provider("region"))
        #expect(attempts.answers[1].outcome == .refused && attempts.answers[1].value?.encoded == 300)
        #expect(attempts.answers[1].refusal == "expected an integer from 0 to 255, found the integer 300")
        #expect(bench.flag("secrets/ratio")?.isExpired == true)
        #expect(bench.flag("secrets/is_sealed")?.refusal?.code == .locked)
        try bench.overrides.setValue("map", for: "layout")
        #expect(bench.flag("layout")?.isOverridden == true)
        #expect(bench.flag("layout")?.value.text == "\"map\"")
        bench.loader.$shop.setDefault(9)
        let shop = try #require(bench.flag("shop"))
        #expect(shop.defaultValue.text == "9" && shop.declaredDefault.text == "null" && !shop.isChangedFromDefault)
    }

    @Test("follows every change, also one that does not win, one of the chain and one of a provider without notices")
    func follows() throws {
        let bench = Bench()
        _ = bench.browser.snapshot()
        try bench.overrides.setValue(1, for: "attempts")
        #expect(bench.flag("attempts")?.value.text == "1")
        bench.region.setValue(2, for: "attempts")
        #expect(bench.flag("attempts")?.answers.map(\.value?.text) == ["1", nil, "2"])
        bench.loader.providers = [bench.region]
        #expect(bench.flag("attempts")?.answers.map(\.provider) == ["region"])
        #expect(bench.flag("attempts")?.value.text == "2")
        let silent = SilentProvider()
        bench.loader.providers = [silent]
        let first = bench.flag("attempts")?.value.text
        #expect(bench.flag("attempts")?.value.text != first)
    }

    @Test("can have only what was announced or written since an earlier one, and what is computed")
    func since() {
        let bench = Bench()
        let search = FlagsLoader(SearchFlags.self, providers: [MemoryProvider()], issueReporter: .silent)
        let browser = FlagsBrowser(bench.loader, search)
        let whole = browser.snapshot()
        #expect(whole.since == nil && browser.snapshot(since: whole.number).flags.map(\.key) == ["seven"])
        bench.region.setValue(7, for: "attempts")
        bench.loader.$shop.setDefault(9)
        let part = browser.snapshot(since: whole.number)
        #expect(part.flags.map(\.key) == ["attempts", "shop", "seven"] && part.flags[0].value.text == "7")
        #expect(part.since == whole.number && part.sections == whole.sections)
    }

    @Test("remembers what changed, whoever did it, the newest first, and who made an edit")
    func recentChanges() async throws {
        let bench = Bench()
        // A thread that is just looking at what happened may come a moment later.
        func changes(until number: Int) async -> [FlagsBrowserChange] {
            for await _ in bench.browser.updates()
            where bench.browser.snapshot().recentChanges.first?.id == number { break }
            return bench.browser.snapshot().recentChanges
        }
        bench.remote.memory.setValue(true, for: "new_checkout")
        _ = await changes(until: 1)
        try await bench.set("attempts", "8", by: "  Ada \n Lovelace ")
        _ = await changes(until: 2)
        bench.region.setValue("x", for: "title")
        bench.region.setValue(1, for: "attempts")
        let three = await changes(until: 3)
        #expect(three.map(\.key) == ["title", "attempts", "new_checkout"])
        #expect(three.map(\.new.text) == ["\"x\"", "8", "true"])
        #expect(three.map(\.source) == [.provider("region"), .provider("overrides"), .provider("remote")])
        #expect(three.map(\.author) == [nil, "Ada \\n Lovelace", nil])
        for number in 0..<150 {
            try await bench.set("attempts", "\(number)", by: number == 149 ? String(repeating: "n", count: 1000) : nil)
        }
        let all = bench.browser.snapshot().recentChanges
        #expect(all.count == 100 && all.first?.id == 153 && all.first?.author?.count == 60)
    }

    @Test("tells apart collections with one name, and those of a manager that come and go")
    func manager() {
        enum A { struct Flags: FlagCollectionProtocol { @Flag(default: false) var isOn: Bool } }
        enum B { struct Flags: FlagCollectionProtocol { @Flag(default: false) var isOn: Bool } }
        let manager = FlagsManager(providers: [MemoryProvider()], issueReporter: .silent)
        let browser = FlagsBrowser(manager: manager)
        #expect(browser.snapshot().sections.isEmpty)
        let before = browser.snapshot()
        manager.addCollection(A.Flags.self)
        manager.addCollection(B.Flags.self)
        #expect(browser.snapshot().flags.map(\.id) == ["Flags:is_on", "Flags 2:is_on"])
        #expect(browser.snapshot().revision > before.revision && browser.snapshot(since: before.number).since == nil)
        #expect(browser.snapshot(since: 99).since == nil)
        manager.removeCollection(A.Flags.self)
        #expect(browser.snapshot().flags.map(\.id) == ["Flags 2:is_on"])
        manager.addCollection(A.Flags.self)
        #expect(browser.snapshot().flags.map(\.id) == ["Flags 2:is_on", "Flags:is_on"])
    }
}

@Suite("The way to a value", .hangLimit) struct FlagsBrowserReasonTests {
    private struct Flags: FlagCollectionProtocol {
        @Flag(default: 3, description: "How often") var attempts: Int
        @Flag(default: false, description: "No rule is about it") var plain: Bool
    }

    @Test("is shown for the user of a read, with conditions, attributes and the split")
    func reasons() throws {
        let rules = try FlagDefinitions(
            json: Data(
                """
                {"flags": {"attempts": {"state": "ENABLED", "variants": {"few": 1, "many": 9}, "defaultVariant": "few",
                "targeting": {"if": [{"==": [{"var": "plan"}, "gold"]}, {"fractional": [["few", 0], ["many", 1]]}]}}}}
                """.utf8))
        let user = CurrentContext(["targetingKey": "ada", "plan": "plain"])
        let providers: [any FlagProvider] = [
            MemoryProvider(name: "memory", values: ["plain": true]),
            DefinitionsProvider(rules, name: "rules", context: .current(user)),
        ]
        let browser = FlagsBrowser(FlagsLoader(Flags.self, providers: providers))
        let plain = try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:attempts")).reasons
        #expect(plain.map(\.provider) == ["rules"])
        let flag = try #require(browser.snapshot().flag(id: "Flags:attempts"))
        #expect(flag.variant == "few" && flag.answers[1].variant == "few" && flag.answers[1].reason != nil)
        let attributes: EncodedFlagValue = [["name": "plan", "value": "\"plain\""]]
        #expect(plain.first?.reasoning["attributes"] == attributes && plain.first?.reasoning["split"] == .null)
        user.set(["targetingKey": "ada", "plan": "gold"])
        let gold = try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:attempts")).reasons.first?.reasoning
        guard case .object(let split)? = gold?["split"] else { throw FlagsBrowserError(.unknownFlag, "no split") }
        #expect(split["key"] == "\"ada\"" && split["chosen"] == 1)
        #expect(try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:plain")).reasons.isEmpty)
        let error = #expect(throws: FlagsBrowserError.self) {
            try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:none"))
        }
        #expect(error?.code == .unknownFlag)
    }
}

/// Answers with another number each time and notifies no observer.
private final class SilentProvider: FlagProvider {
    private let counter = Counter()
    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        key == "attempts" ? .integer(Int128(counter.next())) : nil
    }
}
