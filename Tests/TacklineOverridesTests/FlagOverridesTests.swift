import Foundation
import TacklineCore
import TacklineComposition
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import Testing

struct OverriddenFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout") var newCheckout: Bool
    @Flag(default: 3, description: "How often to try") var maxAttempts: UInt8
    @Flag(default: "calm", description: "A mood") var mood: String?
}

/// Takes one value.
private final class FailingStorage: WritableFlagProvider {
    private let memory = MemoryProvider()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        guard self.value(for: key) == nil else { throw FlagError(.inputOutput, provider: name, reason: "it is full") }
        memory.setValue(value, for: key)
    }
}

@Suite("Overrides", .hangLimit)
struct FlagOverridesTests {
    let storage = MemoryProvider(name: "storage")
    let remote = MemoryProvider(name: "remote", values: ["max_attempts": 5])

    private func overrides(_ storage: (any WritableFlagProvider)? = nil) -> FlagOverrides {
        FlagOverrides(storage: storage ?? self.storage, environment: .nonProduction)
    }

    @Test("are in force at once, are listed, and can be cleared one by one or all together")
    func changes() throws {
        let overrides = overrides()
        let flags = FlagsLoader(
            OverriddenFlags.self, environment: .nonProduction, providers: [overrides, remote])
        #expect(!flags.newCheckout && flags.maxAttempts == 5)
        try flags.$newCheckout.setValue(true, in: overrides)
        try overrides.setValue(9, for: "max_attempts")
        try flags.$mood.setValue(nil, providers: [FlagOverrides.self])
        #expect(flags.newCheckout && flags.maxAttempts == 9 && flags.mood == nil)
        #expect(overrides.overrides.map(\.key.text) == ["max_attempts", "mood", "new_checkout"])
        // One value of the storage has all of them, after a relaunch too.
        #expect(storage.document.map { Array($0.root.keys) } == [FlagOverrides.storageKey.text])
        #expect(self.overrides().overrides == overrides.overrides)
        remote.setValue(7, for: "max_attempts")
        #expect(flags.maxAttempts == 9)
        #expect(remote.document?.root == ["max_attempts": 7])
        try overrides.setValue(nil, for: "max_attempts")
        #expect(flags.maxAttempts == 7 && flags.newCheckout)
        try overrides.setValue(nil, for: "mood")
        try overrides.setValue(nil, for: "new_checkout")
        #expect(storage.document?.root.isEmpty == true)
        try overrides.setValue(true, for: "new_checkout")
        try overrides.removeAll()
        #expect(!flags.newCheckout && flags.mood == "calm")
        #expect(overrides.overrides.isEmpty && storage.document?.root.isEmpty == true)
    }

    @Test("keep what they had when the storage fails")
    func failure() throws {
        let overrides = overrides(FailingStorage())
        try overrides.setValue(1, for: "a")
        #expect(throws: FlagError.self) { try overrides.setValue(2, for: "a") }
        #expect(throws: FlagError.self) { try overrides.removeAll() }
        #expect(throws: FlagError.self) { try overrides.setValue(2, for: "b") }
        #expect(overrides.overrides == [FlagOverrides.Entry(key: "a", value: 1)])
        #expect(overrides.value(for: "a") == 1)
    }

    @Test("that cannot be read are never overwritten, and the status and each write say what to do, in the same words")
    func unreadable() throws {
        let damaged: [(EncodedFlagValue, String)] = [
            ("nonsense", #"expected an object, found the string "something else""#),
            (
                ["format": "x", "overrides": [], "version": 1],
                #"expected "format": "tackline-overrides" and "version": 1"#
            ),
            (
                ["format": "tackline-overrides", "overrides": [["key": "a", "valeu": 1]], "version": 1],
                "expected an object with key and value, found the array [\"key\", \"valeu\"] at \"0\""
            ),
        ]
        for (value, reason) in damaged {
            let storage = MemoryProvider(values: [FlagOverrides.storageKey.text: value])
            let overrides = overrides(storage)
            let error = try #require(throws: FlagError.self) { try overrides.setValue(true, for: "new_checkout") }
            #expect(error.code == .unreadable && overrides.status == .failed(error))
            let start = "Provider \"overrides\": the stored overrides can't be read: \(reason)"
            #expect(error.message.hasPrefix(start), "\(error)")
            #expect(error.message.hasSuffix("Correct them in their storage, or discard them with removeAll()."))
            #expect(storage.value(for: FlagOverrides.storageKey) == value)
            try overrides.removeAll()
            try overrides.setValue(true, for: "new_checkout")
            #expect(overrides.status == .ready && overrides.value(for: "new_checkout") == true)
        }
    }

    @Test("of a group have the values of its flags, below those of single flags")
    func groups() throws {
        let overrides = overrides()
        try overrides.setValue(["a": 1, "b": 2], for: "group")
        try overrides.setValue(3, for: "group/b")
        #expect(overrides.value(for: "group/a") == 1 && overrides.value(for: "group/b") == 3)
        #expect(overrides.value(for: FlagKeyPath("group.a", separator: ".")) == 1)
        #expect(overrides.document.map { ["group/a", "group/b"].map($0.value) } == [1, 3])
    }

    @Test("have a fingerprint of the values in force, and none without any")
    func fingerprint() throws {
        let (first, second) = (overrides(), overrides(MemoryProvider()))
        #expect(first.fingerprint == nil)
        try first.setValue(true, for: "a")
        try second.setValue(true, for: "a")
        #expect(first.fingerprint != nil && first.fingerprint == second.fingerprint)
        try first.setValue(false, for: "a")
        #expect(first.fingerprint != nil && first.fingerprint != second.fingerprint)
    }

    @Test("refuse values that JSON cannot hold, and texts without a type")
    func unsupported() {
        let overrides = overrides()
        let values: [EncodedFlagValue] = [
            .double(.nan), .array([.double(.infinity)]), .unparsed("5"),
        ]
        for value in values {
            let error = #expect(throws: FlagError.self) { try overrides.setValue(value, for: "a") }
            #expect(error?.code == .unsupportedValue)
        }
        // Not described: Foundation traps when it describes this date.
        var code: FlagError.Code?
        do throws(FlagError) {
            try overrides.setValue(.date(Date(timeIntervalSince1970: .nan)), for: "a")
        } catch {
            code = error.code
        }
        #expect(code == .unsupportedValue)
        #expect(storage.document?.root.isEmpty == true)
    }

    @Test("are refused outside of the bounds of their flag, with an end or without, and with an end that has passed")
    func bounds() throws {
        struct Bounded: FlagCollectionProtocol {
            @Flag(default: 0.5, bounds: .range(0...1)) var share: Double
            @Flag(default: nil, bounds: .matching("[a-z]+"), description: FlagMetadata(tags: ["secret"]))
            var token: String?
        }
        let overrides = overrides()
        let flags = FlagsLoader(Bounded.self, environment: .nonProduction, providers: [overrides])
        for end in [nil, Date.distantFuture] {
            let refusal = try #require(throws: FlagError.self) {
                try overrides.setValue(7.5, for: flags.$share, expires: end)
            }
            #expect(refusal.code == .unsupportedValue && refusal.key == "share")
            #expect(refusal.message.contains("expected a value from 0.0 to 1.0, found the number 7.5"), "\(refusal)")
            let secret = try #require(throws: FlagError.self) {
                try overrides.setValue("S3CR3T", for: flags.$token, expires: end)
            }
            #expect(!"\(secret)".contains("S3CR3T"))
        }
        for seconds in [0, -Double.infinity, .infinity, .nan] {
            let end = Date(timeIntervalSinceReferenceDate: seconds)
            let refusal = #expect(throws: FlagError.self) { try overrides.setValue(1, for: flags.$share, expires: end) }
            #expect(refusal?.code == .unsupportedValue && refusal?.message.contains("an end to come") == true)
        }
        #expect(overrides.overrides.isEmpty)
        try overrides.setValue(1, for: flags.$share)
        try overrides.setValue(nil, for: flags.$token, expires: .distantFuture)
        #expect(flags.share == 1 && overrides.overrides.map(\.expires) == [nil, .distantFuture])
        let unbound = #expect(throws: FlagError.self) { try overrides.setValue(1, for: Bounded().$share) }
        #expect(unbound?.code == .unboundFlag)
    }
}
