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

/// Keeps values until the test lets it fail.
final class FailingStorage: WritableFlagProvider {
    private let memory = MemoryProvider()
    let switches = MemoryProvider()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        if switches.value(for: "fails") == true {
            throw FlagError(.inputOutput, provider: name, reason: "the disk is full")
        }
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

    @Test("survive a relaunch, in one value of their storage")
    func relaunch() throws {
        try overrides().setValue(true, for: "new_checkout")
        try overrides().setValue(nil, for: "nothing")
        try overrides().setValue(.null, for: "mood")
        #expect(storage.document.map { Array($0.root.keys) } == [FlagOverrides.storageKey.text])
        let flags = FlagsLoader(
            OverriddenFlags.self, environment: .nonProduction, providers: [overrides()])
        #expect(flags.newCheckout && flags.mood == nil)
    }

    @Test("keep what they had when the storage fails")
    func failure() throws {
        let storage = FailingStorage()
        let overrides = overrides(storage)
        try overrides.setValue(1, for: "a")
        storage.switches.setValue(true, for: "fails")
        #expect(throws: FlagError.self) { try overrides.setValue(2, for: "a") }
        #expect(throws: FlagError.self) { try overrides.removeAll() }
        #expect(throws: FlagError.self) {
            try overrides.importBundle(try overrides.exportBundle(), replacing: true);
            try overrides.setValue(2, for: "b")
        }
        #expect(overrides.overrides == [FlagOverride(key: "a", value: 1)])
        #expect(overrides.value(for: "a") == 1)
    }

    @Test("that cannot be read are reported in the status and never overwritten")
    func unreadable() throws {
        let storage = MemoryProvider(values: [FlagOverrides.storageKey.text: "nonsense"])
        let overrides = overrides(storage)
        guard case .failed(let error) = overrides.status else {
            Issue.record("The status is \(overrides.status).")
            return
        }
        #expect(error.code == .unreadable)
        #expect(throws: FlagError.self) { try overrides.setValue(true, for: "new_checkout") }
        #expect(storage.value(for: FlagOverrides.storageKey) == "nonsense")
        try overrides.removeAll()
        try overrides.setValue(true, for: "new_checkout")
        #expect(overrides.status == .ready && overrides.value(for: "new_checkout") == true)
    }

    @Test("follow what others write to the storage")
    func following() async throws {
        let overrides = overrides()
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(overrides.observe(observer))
        try self.overrides().setValue(true, for: "new_checkout")
        for await notice in notices {
            #expect(notice == .changed([FlagProviderChange(key: "new_checkout", old: nil, new: true)]))
            break
        }
        #expect(overrides.value(for: "new_checkout") == true)
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
        #expect(throws: FlagError.self) {
            try overrides.setValue(1, for: "a", expires: Date(timeIntervalSinceReferenceDate: .infinity))
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

    @Test("of many threads are all kept")
    func threads() async throws {
        let overrides = overrides()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { try? overrides.setValue(.integer(Int128(number)), for: FlagKeyPath("key \(number)")) }
            }
        }
        #expect(overrides.overrides.count == 50)
        #expect(self.overrides().overrides == overrides.overrides)
    }

    @Test("with an end are refused where they are outside of the bounds of their flag")
    func bounds() throws {
        struct Bounded: FlagCollectionProtocol {
            @Flag(default: 3, bounds: .range(1...10)) var attempts: Int
            @Flag(default: nil, bounds: .matching("[a-z]+"), description: FlagMetadata(tags: ["secret"]))
            var token: String?
        }
        let overrides = overrides()
        let flags = FlagsLoader(Bounded.self, environment: .nonProduction, providers: [overrides])
        let refusal = try #require(throws: FlagError.self) {
            try overrides.setValue(11, for: flags.$attempts, expires: .distantFuture)
        }
        #expect("\(refusal)".contains("expected a value from 1 to 10, found the integer 11"))
        let secret = try #require(throws: FlagError.self) {
            try overrides.setValue("S3CR3T", for: flags.$token, expires: .distantFuture)
        }
        #expect(!"\(secret)".contains("S3CR3T"))
        #expect(overrides.overrides.isEmpty)
        try overrides.setValue(10, for: flags.$attempts, expires: .distantFuture)
        try overrides.setValue(nil, for: flags.$token, expires: .distantFuture)
        #expect(flags.attempts == 10 && overrides.overrides.count == 2)
        try overrides.setValue(99, for: "attempts", expires: .distantFuture)
        #expect(flags.attempts == 3)
    }
}
