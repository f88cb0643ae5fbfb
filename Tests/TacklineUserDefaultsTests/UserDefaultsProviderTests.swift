import Foundation
import TacklineCore
import TacklineTesting
import TacklineTestSupport
import Testing

@testable import TacklineUserDefaults

@Suite("A user defaults provider", .hangLimit)
final class UserDefaultsProviderTests {
    let suite = "tackline-\(UUID().uuidString)"

    deinit {
        UserDefaults.standard.removePersistentDomain(forName: suite)
        UserDefaults(suiteName: suite)?.synchronize()
    }

    private var defaults: UserDefaults {
        get throws { try #require(UserDefaults(suiteName: suite)) }
    }

    @Test("gives back every type of value")
    func everyType() throws {
        let cases: [EncodedFlagValue] = [
            true, false, 0, .integer(Int128(Int64.min)), .integer(Int128(UInt64.max)), 0.1, 1e300,
            .double(.leastNonzeroMagnitude), .double(-.infinity), "", "text", "größe 🚩", "$$date x", "a\r\n",
            .data(Data()), .data(Data([0, 255])), .date(Date(timeIntervalSinceReferenceDate: -1e9)), [], [:],
            [1, 1.5, true, "x", [[:]]], ["a": ["b/c": 2, "": 1]],
        ]
        for value in cases {
            let provider = UserDefaultsProvider(suiteName: suite, prefix: "flags.")
            try provider.setValue(value, for: "group/x")
            #expect(provider.value(at: "group/x") == value, "\(value)")
            #expect(try defaults.object(forKey: "flags.group/x") != nil, "\(value)")
            #expect(UserDefaultsProvider(suiteName: suite, prefix: "flags.").value(at: "group/x") == value, "\(value)")
            try provider.setValue(nil, for: "group/x")
            #expect(try defaults.object(forKey: "flags.group/x") == nil, "\(value)")
        }
    }

    @Test("gives back a date to the millisecond, and refuses null with the next step")
    func dates() throws {
        let provider = UserDefaultsProvider(suiteName: suite)
        let date = Date(timeIntervalSinceReferenceDate: 0.25)
        try provider.setValue(.date(date), for: "x")
        #expect(try provider.value(at: "x").map { try Date(encoded: $0) } == date)
        let error = #expect(throws: FlagError.self) { try provider.setValue(["a": .null], for: "x") }
        #expect(error?.code == .unsupportedValue && error?.message.contains("reset the flag instead") == true)
        #expect(provider.value(at: "x") != nil)
    }

    #if !canImport(ObjectiveC)
        @Test("refuses texts and keys of which Foundation would lose a part on this system")
        func damagedTexts() throws {
            let values: [EncodedFlagValue] = ["\u{FEFF}x", ["\u{FEFF}x"], ["\u{FEFF}k": "v"], "a\u{0}b", "\u{FFFE}"]
            for value in values {
                let provider = UserDefaultsProvider(suiteName: suite)
                #expect(throws: FlagError.self) { try provider.setValue(value, for: "x") }
                #expect(provider.value(at: "x") == nil)
            }
        }
    #endif

    @Test("reads what other code wrote, and the kind of each value")
    func foreignValues() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        try defaults.set(true, forKey: "bool")
        try defaults.set(1, forKey: "integer")
        try defaults.set(1.0, forKey: "double")
        try defaults.set(Float(1.5), forKey: "float")
        try defaults.set("text", forKey: "string")
        try defaults.set(Data([1]), forKey: "data")
        try defaults.set(date, forKey: "date")
        try defaults.set([1, 2.0, true, "x"] as [Any], forKey: "array")
        try defaults.set(["inner": ["deep": 1], "other": false] as [String: Any], forKey: "group")
        let provider = UserDefaultsProvider(suiteName: suite)
        #expect(provider.value(at: "bool") == true)
        #expect(provider.value(at: "integer") == 1)
        #expect(provider.value(at: "double") == 1.0)
        #expect(provider.value(at: "float") == 1.5)
        #expect(provider.value(at: "string") == "text")
        #expect(provider.value(at: "data") == .data(Data([1])))
        #expect(provider.value(at: "date") == .date(date))
        #expect(provider.value(at: "array") == [1, 2.0, true, "x"])
        #expect(provider.value(at: "group/inner/deep") == 1)
        #expect(provider.value(at: "absent") == nil)
        // A nested value is replaced, and removed, where it stands.
        try provider.setValue(2, for: "group/inner/deep")
        let group = try #require(try defaults.dictionary(forKey: "group"))
        #expect((group["inner"] as? [String: Any])?["deep"] as? Int == 2)
        try provider.setValue(nil, for: "group/inner/deep")
        #expect(provider.value(at: "group") == ["other": false])
    }

    @Test("writes objects that other code reads")
    func writtenObjects() throws {
        let provider = UserDefaultsProvider(suiteName: suite)
        try provider.setValue(true, for: "bool")
        try provider.setValue(7, for: "integer")
        try provider.setValue(["a", "b"], for: "array")
        #expect(try defaults.bool(forKey: "bool"))
        #expect(try defaults.integer(forKey: "integer") == 7)
        #expect(try defaults.stringArray(forKey: "array") == ["a", "b"])
    }

    @Test("sees at once what other code changes, and tells that it has changed a value itself")
    func changes() async throws {
        let provider = UserDefaultsProvider(suiteName: suite)
        #expect(provider.value(at: "x") == nil)
        try defaults.set(1, forKey: "x")
        #expect(provider.value(at: "x") == 1)
        let (observer, notices) = FlagProviderObserver.makeStream()
        let announcesAll = provider.observe(observer)
        #if canImport(ObjectiveC)
            #expect(announcesAll)
        #else
            #expect(!announcesAll, "changes by other code are not announced here")
        #endif
        try provider.setValue(true, for: "new")
        var iterator = notices.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == .reset)
        withExtendedLifetime(observer) {}
    }

    @Test("of an App Group without entitlement keeps nothing, and says so; other suites need none")
    func missingEntitlement() throws {
        let group = "group.\(suite)"
        let provider = UserDefaultsProvider(name: "shared", suiteName: group, prefix: "") { _ in false }
        let message = """
            this process may not use the App Group "\(group)", so no other process would see its values. \
            Give each target that uses it
            """
        guard case .failed(let failure) = provider.status else {
            Issue.record("\(provider.status)")
            return
        }
        #expect(failure.description.contains(message), "\(failure)")
        let error = #expect(throws: FlagError.self) { try provider.setValue(true, for: "x") }
        #expect(error?.description.contains(message) == true)
        #expect(provider.value(at: "x") == nil)
        #expect(UserDefaults(suiteName: group)?.object(forKey: "x") == nil)
        #expect(UserDefaultsProvider(name: "own", suiteName: suite, prefix: "") { _ in false }.status == .ready)
    }

    private static func withLock<Result>(of provider: UserDefaultsProvider, _ body: () -> Result) -> Result {
        provider.writers.lock()
        defer { provider.writers.unlock() }
        return body()
    }

    @Test("keeps the rules for providers")
    func conformance() async throws {
        let suite = suite
        var conformance = FlagProviderConformance {
            UserDefaultsProvider(suiteName: suite, prefix: UUID().uuidString)
        }
        conformance.concurrentWrites = 100
        conformance.isSame = { written, read in
            switch written {
            case .unparsed(let text): read == .string(text)
            case .date(let date): (try? Date(encoded: read)) == date
            default: written.withWholeNumbers == read.withWholeNumbers
            }
        }
        // For the file itself, Foundation lets reads wait now and then on Linux.
        conformance.stuckWrite = { provider, whileStuck in
            guard let provider = provider as? UserDefaultsProvider else { return }
            try await Self.withLock(of: provider) {
                let write = startThread { try provider.setValue(1, for: "stuck") }
                whileStuck()
                return write
            }.value
        }
        await conformance.expectConformance()
    }
}
