import Observation
import Synchronization
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

/// Collects issues.
private final class Issues: Sendable {
    private let all = Mutex<[FlagError]>([])
    var codes: [String] { all.withLock { $0.map(\.code.name) } }
    var reporter: FlagIssueReporter { FlagIssueReporter { [self] issue in all.withLock { $0.append(issue) } } }
}

@Suite("Flags that were injected into views", .hangLimit)
struct InjectedFlagsTests {
    let memory = MemoryProvider(name: "memory")

    private func injected(_ reporter: FlagIssueReporter = .silent) -> (InjectedFlags, FlagsLoader<ViewFlags>) {
        let loader = FlagsLoader(ViewFlags.self, providers: [memory], issueReporter: reporter)
        var injected = InjectedFlags()
        injected.add(loader)
        injected.add(FlagsLoader(OtherFlags.self, providers: [memory], issueReporter: reporter))
        return (injected, loader)
    }

    @Test("are found by key path and by key, in any of several loaders")
    func reads() {
        let (injected, _) = injected()
        memory.setValues(["group/is_deep": true, "text": "x"])
        #expect(injected.value(at: \ViewFlags.group.isDeep))
        #expect(injected.value(at: \OtherFlags.text) == "x")
        #expect(injected.value(atPath: "group/is_deep", as: Bool.self) == true)
        #expect(injected.value(atPath: "text", as: String.self) == "x")
    }

    @Test("are equal exactly if they have the same loaders, so that a view is not drawn again for nothing")
    func equality() {
        let (first, other) = (injected().0, injected().0)
        var again = first
        again.add(first)
        #expect(again == first && first != other && first != InjectedFlags())
    }

    @Test("give their default without a loader, and report that once")
    func missing() {
        let issues = Issues()
        FlagIssueReporter.withReporter(issues.reporter) {
            for _ in 0..<3 { #expect(InjectedFlags().value(at: \ViewFlags.number) == 3) }
            #expect(InjectedFlags().value(atPath: "number", as: Int.self) == nil)
            InjectedFlags().setValue(4, at: \ViewFlags.number, providerNamed: nil)
        }
        #expect(issues.codes == ["not-injected", "no-flag-for-view"])
    }

    @Test("of another type than asked for are reported and not read")
    func wrongType() {
        let issues = Issues()
        let (injected, _) = injected()
        FlagIssueReporter.withReporter(issues.reporter) {
            #expect(injected.value(atPath: "number", as: Bool.self) == nil)
            injected.setValue(true, atPath: "number", providerNamed: nil)
        }
        #expect(issues.codes == ["wrong-type-in-view"])
        #expect(memory.value(for: "number") == nil)
    }

    @Test("are written to the provider that is named, or to the first writable one")
    func writes() {
        let (injected, loader) = injected()
        let second = MemoryProvider(name: "second")
        loader.providers = [memory, second]
        injected.setValue(5, at: \ViewFlags.number, providerNamed: "second")
        #expect(second.value(for: "number") == 5)
        #expect(memory.value(for: "number") == nil)
        injected.setValue(true, atPath: "group/is_deep", providerNamed: nil)
        #expect(memory.value(for: "group/is_deep") == true)
    }

    @Test("of an inner part of the tree win over those around it")
    func inner() {
        var (outer, _) = injected()
        var inner = InjectedFlags()
        inner.add(FlagsLoader(ViewFlags.self, providers: [MemoryProvider(values: ["number": 9])]))
        outer.add(inner)
        #expect(outer.value(at: \ViewFlags.number) == 9)
        #expect(outer.value(at: \OtherFlags.text) == "other")
    }
}
