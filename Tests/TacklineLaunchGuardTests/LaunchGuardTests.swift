import Foundation
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import Testing

@testable import TacklineLaunchGuard

@Suite("A guard of launches", .hangLimit) struct LaunchGuardTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Flags: FlagCollectionProtocol {
        @Flag(default: 0, description: "A number") var number: Int
    }

    private func launch(_ change: (inout LaunchGuard.Options) -> Void = { _ in }) -> LaunchGuard {
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        options.issueReporter = FlagIssueReporter { _ in }
        change(&options)
        return LaunchGuard(folder: folder.url, options: options)
    }

    /// Leaves what a process leaves behind that dies under values.
    private func die(under values: [String: EncodedFlagValue]) throws {
        let files = LaunchFiles(folder: folder.url)
        try files.makeFolder()
        try files.update { history, dead in
            let id = "\(UInt64.random(in: .min ... .max))"
            _ = history.begin(id, dead: dead, limit: 3)
            history.note(Fingerprint.of(FlagDocument(values)), of: "remote", in: id)
        }
    }

    @Test("holds back the values under which the app died, and the browser and explanations say so")
    func quarantine() async throws {
        let healthy = launch()
        #expect(healthy.guarding(MemoryProvider(name: "remote", values: ["number": 1])).value(for: "number") == 1)
        healthy.markHealthy()
        for _ in 0..<3 { try die(under: ["number": 2]) }
        let issues = IssueRecorder()
        let launches = launch { $0.issueReporter = issues.reporter }
        #expect(issues.codes == [.init("quarantined-values")])
        let base = MemoryProvider(name: "remote", values: ["number": 2])
        let provider = launches.guarding(base)
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.number == 1)
        #expect(launches.quarantined.map(\.provider) == ["remote"])
        let browser = FlagsBrowser(flags)
        #expect(browser.snapshot().providers.first?.status.contains("died again and again") == true)
        #expect("\(flags.$number.explain())".contains("died again and again"))
        // Others come, and are taken.
        base.setValue(3, for: "number")
        for await number in flags.$number.values where number == 3 { break }
        #expect(flags.number == 3)
        #expect(provider.status == .ready)
    }

    @Test("costs a read nothing: once resolved, a value is kept, and the provider is not asked again")
    func reads() throws {
        let launches = launch()
        let provider = launches.guarding(MemoryProvider(name: "remote", values: ["number": 1]))
        let flags = FlagsLoader(Flags.self, providers: [provider])
        #expect(flags.number == 1)
        let names = try folder.names()
        let before = try names.map { try folder.bytes($0) }
        for _ in 0..<1000 { #expect(flags.number == 1) }
        #expect(try folder.names().map { try folder.bytes($0) } == before)
    }

    @Test("takes a write at once, and remembers it before it is in force")
    func writes() throws {
        let launches = launch()
        let provider = launches.guarding(MemoryProvider(name: "overrides"))
        let flags = FlagsLoader(Flags.self, providers: [provider])
        try flags.$number.setValue(5)
        #expect(flags.number == 5)
        #expect(try folder.text("history.json").contains(Fingerprint.of(FlagDocument(["number": 5]))))
    }

    @Test("counts a life of so many seconds as healthy")
    func time() async throws {
        let clock = ManualClock()
        let launches = launch {
            $0.healthyAfter = .seconds(20)
            $0.clock = clock
        }
        _ = launches.guarding(MemoryProvider(name: "remote", values: ["number": 1]))
        try await clock.waitForSleepers { $0.count == 1 }
        #expect(try !folder.text("history.json").contains("\"healthy\":{\"remote\""))
        clock.advance(by: .seconds(20))
        while try !folder.text("history.json").contains("\"healthy\":{\"remote\"") { await Task.yield() }
        #expect(try !folder.names().contains { $0.hasPrefix("launch-") })
    }

    @Test("in a folder that cannot be used holds nothing back, and says so")
    func unusable() throws {
        let file = try folder.file("file", "")
        let issues = IssueRecorder()
        var options = LaunchGuard.Options()
        options.issueReporter = issues.reporter
        let launches = LaunchGuard(folder: file.appending(path: "x"), options: options)
        let provider = launches.guarding(MemoryProvider(name: "remote", values: ["number": 1]))
        #expect(provider.value(for: "number") == 1)
        launches.markHealthy()
        #expect(issues.codes == [.init("launches-unknown")])
    }

    @Test("begins anew with a history that was cut off at any byte")
    func damaged() throws {
        for _ in 0..<3 { try die(under: ["number": 2]) }
        let bytes = try folder.bytes("history.json")
        for length in 0..<bytes.count {
            try Data(bytes.prefix(length)).write(to: folder.file("history.json"))
            let launches = launch()
            #expect(launches.quarantined == [])
            launches.end()
        }
    }

    @Test("passes the durability of a write on, and the value is in force at once")
    func durability() throws {
        let base = DurabilityRecorder()
        let provider = launch().guarding(base)
        try provider.setValue(1, for: "number")
        try provider.setValue(2, for: "number", durability: .deferred)
        #expect(base.durabilities == [.stored, .deferred])
        #expect(provider.value(for: "number") == 2)
    }

    @Test("reports a provider without a document, and passes its values on unguarded")
    func withoutDocument() {
        struct Asked: FlagProvider {
            let name = "remote"
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { key == "number" ? 7 : nil }
        }
        let issues = IssueRecorder()
        let provider = launch { $0.issueReporter = issues.reporter }.guarding(Asked())
        #expect(issues.codes == [.init("unguarded-provider")])
        #expect(provider.value(for: "number") == 7 && provider.detailedValue(for: "number").value == 7)
        #expect(provider.document == nil)
        #expect(FlagsLoader(Flags.self, providers: [provider]).number == 7)
    }

    @Test("gives the details of its provider with a value in force that is the provider's")
    func details() throws {
        struct Detailed: FlagProvider {
            let name = "remote"
            let document: FlagDocument? = FlagDocument(["number": 2])
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { document?.value(for: key) }
            func observe(_ observer: FlagProviderObserver) -> Bool { true }
            func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
                DetailedFlagValue(
                    value: value(for: key), details: FlagResolutionDetails(variant: "two", reason: .static))
            }
        }
        let healthy = launch()
        #expect(healthy.guarding(MemoryProvider(name: "remote", values: ["number": 1])).value(for: "number") == 1)
        healthy.markHealthy()
        #expect(launch().guarding(Detailed()).detailedValue(for: "number").details?.variant == "two")
        for _ in 0..<3 { try die(under: ["number": 2]) }
        let held = launch().guarding(Detailed()).detailedValue(for: "number")
        #expect(held == DetailedFlagValue(value: 1))
    }

    @Test("releases what it held back when it is told to")
    func release() throws {
        for _ in 0..<3 { try die(under: ["number": 2]) }
        let launches = launch()
        #expect(launches.guarding(MemoryProvider(name: "remote", values: ["number": 2])).value(for: "number") == nil)
        launches.releaseAll()
        launches.end()
        let next = launch()
        #expect(next.guarding(MemoryProvider(name: "remote", values: ["number": 2])).value(for: "number") == 2)
    }
}
