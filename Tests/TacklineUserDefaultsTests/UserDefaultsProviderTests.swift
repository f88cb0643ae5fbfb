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

    @Test("gives back every type of value, a date to the millisecond, and refuses null with the next step")
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
        let provider = UserDefaultsProvider(suiteName: suite)
        let date = Date(timeIntervalSinceReferenceDate: 0.25)
        try provider.setValue(.date(date), for: "x")
        #expect(try provider.value(at: "x").map { try Date(encoded: $0) } == date)
        let error = #expect(throws: FlagError.self) { try provider.setValue(["a": .null], for: "x") }
        #expect(error?.code == .unsupportedValue && error?.message.contains("reset the flag instead") == true)
        #expect(provider.value(at: "x") != nil)
    }

    @Test("gives any value back as it was, or refuses it")
    func arbitraryValues() throws {
        var (arbitrary, kept) = (ArbitraryValues(seed: 1), 0)
        for _ in 0..<200 {
            let value = arbitrary.propertyListValue()
            guard (try? UserDefaultsProvider(suiteName: suite).setValue(value, for: "x")) != nil else { continue }
            kept += 1
            #expect(UserDefaultsProvider(suiteName: suite).value(at: "x") == value, "\(value)")
        }
        #expect(kept > 100)
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

    @Test("reads what other code wrote, and the kind of each value, and writes objects that other code reads")
    func foreignValues() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        let objects: [(String, Any, EncodedFlagValue)] = [
            ("bool", true, true), ("integer", 1, 1), ("double", 1.0, 1.0), ("float", Float(1.5), 1.5),
            ("string", "text", "text"), ("data", Data([1]), .data(Data([1]))), ("date", date, .date(date)),
            ("array", [1, 2.0, true, "x"] as [Any], [1, 2.0, true, "x"]),
            ("group", ["inner": ["deep": 1], "other": false], ["inner": ["deep": 1], "other": false]),
        ]
        let provider = UserDefaultsProvider(suiteName: suite)
        for (name, object, value) in objects {
            #expect(provider.value(at: name) == nil)
            try defaults.set(object, forKey: name)
            #expect(provider.value(at: name) == value, "\(name)")
        }
        // A nested value is replaced, and removed, where it stands.
        #expect(provider.value(at: "group/inner/deep") == 1)
        try provider.setValue(2, for: "group/inner/deep")
        let group = try #require(try defaults.dictionary(forKey: "group"))
        #expect((group["inner"] as? [String: Any])?["deep"] as? Int == 2)
        try provider.setValue(nil, for: "group/inner/deep")
        #expect(provider.value(at: "group") == ["other": false])
        try provider.setValue(false, for: "bool")
        try provider.setValue(7, for: "integer")
        try provider.setValue(["a", "b"], for: "array")
        #expect(try !defaults.bool(forKey: "bool") && defaults.integer(forKey: "integer") == 7)
        #expect(try defaults.stringArray(forKey: "array") == ["a", "b"])
    }

    @Test("announces that it has changed a value itself, and elsewhere than on Linux what other code changes")
    func changes() async throws {
        let provider = UserDefaultsProvider(suiteName: suite)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #if canImport(ObjectiveC)
            #expect(provider.observe(observer))
        #else
            #expect(!provider.observe(observer))
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
        let message = "this process can't use user defaults of the suite \"\(group)\". Give each target that uses"
        let error = try #require(throws: FlagError.self) { try provider.setValue(true, for: "x") }
        #expect(error.description.contains(message) && "\(provider.status)".contains(message))
        #expect(provider.value(at: "x") == nil)
        #expect(UserDefaults(suiteName: group)?.object(forKey: "x") == nil)
        #expect(UserDefaultsProvider(name: "own", suiteName: suite, prefix: "") { _ in false }.status == .ready)
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

    private static func withLock<Result>(of provider: UserDefaultsProvider, _ body: () -> Result) -> Result {
        provider.writers.lock()
        defer { provider.writers.unlock() }
        return body()
    }
}
