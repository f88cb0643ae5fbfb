import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@testable import TacklineSwiftUI

struct ViewFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch")
    var isOn: Bool
    @Flag(default: 3, description: "A number")
    var number: Int
    @FlagCollection(description: "A group")
    var group: Group

    struct Group: FlagCollectionProtocol {
        @Flag(default: false, description: "Inside")
        var isDeep: Bool
    }
}

struct OtherFlags: FlagCollectionProtocol {
    @Flag(default: "other", description: "A text")
    var text: String
}

@Suite("Flags that were injected into views", .hangLimit)
struct InjectedFlagsTests {
    let memory = MemoryProvider(name: "memory")

    private func injected() -> InjectedFlags {
        var injected = InjectedFlags()
        injected.add(FlagsLoader(ViewFlags.self, environment: .nonProduction, providers: [memory]))
        injected.add(FlagsLoader(OtherFlags.self, environment: .nonProduction, providers: [memory]))
        return injected
    }

    @Test("are found by key path and by key, in any of several loaders, the innermost first")
    func reads() {
        let injected = injected()
        memory.setValues(["group/is_deep": true, "text": "x"])
        #expect(injected.value(at: \ViewFlags.group.isDeep))
        #expect(injected.value(at: \OtherFlags.text) == "x")
        #expect(injected.value(atPath: "group/is_deep", as: Bool.self) == true)
        #expect(injected.value(atPath: "text", as: String.self) == "x")
        // Those of an inner part of the tree win over those around it.
        var (outer, inner) = (injected, InjectedFlags())
        inner.add(FlagsLoader(ViewFlags.self, providers: [MemoryProvider(values: ["number": 9])]))
        outer.add(inner)
        #expect(outer.value(at: \ViewFlags.number) == 9 && outer.value(at: \OtherFlags.text) == "x")
    }

    @Test("give their default without a loader, and report that once")
    func missing() {
        let issues = IssueRecorder()
        FlagIssueReporter.withReporter(issues.reporter) {
            for _ in 0..<3 { #expect(InjectedFlags().value(at: \ViewFlags.number) == 3) }
            #expect(InjectedFlags().value(atPath: "number", as: Int.self) == nil)
            InjectedFlags().setValue(4, at: \ViewFlags.number, providerNamed: nil)
        }
        #expect(issues.codes.map(\.name) == ["not-injected", "no-flag-for-view"])
    }

    @Test("of another type than asked for are reported and not read")
    func wrongType() {
        let issues = IssueRecorder()
        let injected = injected()
        FlagIssueReporter.withReporter(issues.reporter) {
            #expect(injected.value(atPath: "number", as: Bool.self) == nil)
            injected.setValue(true, atPath: "number", providerNamed: nil)
        }
        #expect(issues.codes.map(\.name) == ["wrong-type-in-view"])
        #expect(memory.value(for: "number") == nil)
    }

    @Test("are written to the provider that is named, or to the first writable one")
    func writes() {
        let second = MemoryProvider(name: "second")
        var injected = InjectedFlags()
        injected.add(FlagsLoader(ViewFlags.self, providers: [memory, second]))
        injected.setValue(5, at: \ViewFlags.number, providerNamed: "second")
        injected.setValue(true, atPath: "group/is_deep", providerNamed: nil)
        #expect(second.value(for: "number") == 5 && memory.value(for: "number") == nil)
        #expect(memory.value(for: "group/is_deep") == true)
    }

    @Test("are equal if they have the same loaders, and are in one browser, which stays while they are equal")
    @MainActor
    func browser() async {
        let (first, second) = (injected(), injected())
        let own = InjectedFlagsBrowser()
        let browser = own.browser(of: first)
        let screen = own.screen(of: browser)
        #expect(browser.snapshot().sections.map(\.title) == ["ViewFlags", "OtherFlags"])
        await screen.perform(.set(flag: "OtherFlags:text", text: "new"))
        #expect(first.value(at: \OtherFlags.text) == "new")
        var again = first
        again.add(first)
        #expect(again == first && first != second && first != InjectedFlags())
        #expect(own.browser(of: again) === browser && own.screen(of: browser) === screen)
        let other = own.browser(of: second)
        #expect(other !== browser && own.screen(of: other) !== screen)
    }
}

@Suite("Flags in a preview")
struct FlagPreviewTests {
    @Test("are as they are set, or have their defaults, and can be written, which changes no other preview")
    func values() throws {
        let values = FlagAssignments<ViewFlags> {
            $0.set(\.number, to: 7)
            $0.set(\.group.isDeep, to: true)
        }
        let (first, second) = (values.makePreviewLoader(), values.makePreviewLoader())
        #expect(first.number == 7 && first.group.isDeep && !first.isOn)
        #expect(first.$number.resolution().source == .provider("preview"))
        try first.$number.setValue(8)
        #expect(first.number == 8 && second.number == 7)
        #expect(FlagsLoader(ViewFlags.self, providers: []).number == 3)
    }

    @Test("report a key path that leads to no flag when they are used")
    func mistake() {
        let issues = IssueRecorder()
        FlagIssueReporter.withReporter(issues.reporter) {
            let values = FlagAssignments<ViewFlags> { $0.set(\.number.magnitude, to: 7) }
            #expect(issues.codes.isEmpty && values.makePreviewLoader().number == 3)
        }
        #expect(issues.codes.map(\.name) == ["no-flag-at-key-path"])
    }
}
