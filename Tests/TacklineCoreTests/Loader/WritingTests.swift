import TacklineClosure
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

/// A provider that refuses every write.
private final class BrokenProvider: WritableFlagProvider {
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        throw FlagError(.inputOutput, provider: name, key: key, reason: "the disk is full")
    }
}

@Suite("A write", .hangLimit)
struct WritingTests {
    @Test("goes to the first writable provider, or the first of a type, and is in force if none before has a value")
    func targets() throws {
        let (first, second) = (MemoryProvider(name: "first"), MemoryProvider(name: "second"))
        let user = FlagsLoader(
            UserExperiments.self, providers: [ClosureProvider { _ in nil }, first, UnobservedProvider(), second])
        try user.$maxAttempts.setValue(4)
        #expect(user.maxAttempts == 4 && first.value(for: "max_attempts") == 4)
        try user.$maxAttempts.setValue(5, providers: [UnobservedProvider.self, MemoryProvider.self])
        #expect(user.maxAttempts == 5 && user.$maxAttempts.flagValue(from: UnobservedProvider.self) == 5)
        try user.$maxAttempts.setValue(9, in: second)
        #expect(user.maxAttempts == 5 && user.$maxAttempts.flagValue(from: second) == 9)
        user.$maxAttempts.setDefault(8)
        try user.$maxAttempts.resetValue()
        #expect(user.maxAttempts == 5 && user.$maxAttempts.defaultValue == 8)
        try user.$maxAttempts.resetValue(providers: [UnobservedProvider.self])
        #expect(user.maxAttempts == 9)
        try user.flag(at: "max_attempts")?.resetValue(inProviderNamed: "second")
        #expect(user.maxAttempts == 8)
    }

    @Test("is refused before anything changes if the value could not be read back")
    func unreadable() throws {
        let memory = MemoryProvider(values: ["raw": 1, "inner": 2, "silent": 3])
        let flags = FlagsLoader(Nulls.self, providers: [memory])
        let before = memory.document
        let error = #expect(throws: FlagError.self) { try flags.$raw.setValue(.null) }
        #expect(throws: FlagError.self) { try flags.$inner.setValue(.some(nil)) }
        #expect(throws: FlagError.self) { try flags.$silent.setValue(Silent()) }
        #expect(throws: FlagError.self) { try flags.$unencodable.setValue(Unencodable()) }
        #expect(throws: FlagError.self) { try flags.flag(at: "raw")?.setValue(.null) }
        #expect(memory.document == before)
        try flags.$inner.setValue(nil)
        #expect(memory.value(for: "inner") == .null && flags.inner == nil)
        #expect(
            error?.description == """
                Flag "raw" was not written. The value cannot be kept: expected anything but null, which means no \
                value here, found null. [refused-value]
                """)
    }

    @Test("to several providers stops at the first that fails, and lists those that took it")
    func partial() throws {
        let later = UnobservedProvider()
        let memory = MemoryProvider(name: "memory")
        let user = FlagsLoader(UserExperiments.self, providers: [memory, BrokenProvider(), later])
        let error = #expect(throws: FlagError.self) {
            try user.$allowsSSON.setValue(
                true, providers: [MemoryProvider.self, BrokenProvider.self, UnobservedProvider.self])
        }
        #expect(error?.writtenProviders == ["memory"])
        #expect(later.value(for: "sson") == nil)
        #expect(
            error?.description == """
                Flag "sson" was not written. Provider "BrokenProvider", flag "sson": the disk is full. Written before that: memory. \
                [input-output]
                """)
        try user.$allowsSSON.setValue(true, providers: [])
    }

    @Test("to a provider outside of the chain, or one that is not writable, throws before anything is written")
    func outside() {
        let memory = MemoryProvider(name: "memory")
        let user = FlagsLoader(
            UserExperiments.self, providers: [memory, ClosureProvider(name: "computed") { _ in nil }])
        let computed = FlagsLoader(UserExperiments.self, providers: [ClosureProvider { _ in nil }])
        let cases: [(FlagError.Code, () throws -> Void)] = [
            (.noWritableProvider, { try computed.$allowsSSON.setValue(true) }),
            (.noWritableProvider, { try FlagsLoader(Nulls.self, providers: [memory]).$excluding.setValue(1) }),
            (.unknownProvider, { try user.$allowsSSON.setValue(true, in: MemoryProvider(name: "other")) }),
            (.unknownProvider, { try user.$theme.resetValue(providers: [MemoryProvider.self, BrokenProvider.self]) }),
            (.notWritable, { try user.$allowsSSON.setValue(true, inProviderNamed: "computed") }),
            (.notWritable, { try user.flag(at: "sson")?.resetValue(inProviderNamed: "computed") }),
        ]
        for (code, write) in cases {
            let error = #expect(throws: FlagError.self) { try write() }
            #expect(error?.code == code && error?.writtenProviders == [])
        }
        #expect(memory.document?.root.isEmpty == true)
    }

    @Test("names the provider and the flag, whatever error the provider throws")
    func errorsOfProviders() {
        struct Offline: Error {}
        struct Provider: WritableFlagProvider {
            let error: any Error
            var name: String { "sdk" }
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { nil }
            func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws { throw error }
        }
        let advice = "Correct the cause, or use another provider."
        let cases: [(any Error, FlagError.Code, String)] = [
            (Offline(), .providerFailed, "it threw Offline(). \(advice)"),
            (CancellationError(), .cancelled, "it threw CancellationError(). \(advice)"),
            (FlagError(.network, "The server does not answer."), .network, "The server does not answer."),
        ]
        for (thrown, code, text) in cases {
            let flags = FlagsLoader(UserExperiments.self, providers: [Provider(error: thrown)])
            let error = #expect(throws: FlagError.self) { try flags.$allowsSSON.setValue(true) }
            #expect(error?.code == code && error?.provider == "sdk" && error?.key == "sson")
            #expect(error?.message == "Flag \"sson\" was not written. Provider \"sdk\", flag \"sson\": \(text)")
        }
    }

    @Test("to a flag whose computed value answers is kept and reported once, and counts when there is none")
    func computed() throws {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: 0) var other: Int
            @Flag(default: 0, computed: { (flags: Flags) in flags.other == 0 ? 7 : nil }) var number: Int
        }
        let (memory, issues) = (MemoryProvider(name: "memory"), IssueRecorder())
        let flags = FlagsLoader(Flags.self, providers: [memory], issueReporter: issues.reporter)
        for value in [1, 2] { try flags.$number.setValue(value) }
        #expect(flags.number == 7 && memory.value(for: "number") == 2)
        #expect(
            issues.issues.map(\.message) == [
                """
                Flag "number" was written to provider "memory", and the value has no effect at present, because the flag \
                computes its value. It counts while the computed value is nil. Set the flags that it is computed from.
                """
            ])
        try flags.$other.setValue(1)
        #expect(flags.number == 2)
        try flags.$number.resetValue()
        #expect(flags.number == 0 && issues.codes == [.computedFlagWritten])
    }

    @Test("to a provider without notices is in force at the next read and reaches consumers")
    func withoutNotices() async throws {
        let user = FlagsLoader(UserExperiments.self, providers: [UnobservedProvider()])
        var values = user.$maxAttempts.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == 3)
        try user.$maxAttempts.setValue(9)
        #expect(user.maxAttempts == 9)
        #expect(await values.next(isolation: #isolation) == 9)
    }

    @Test("of nil to an optional flag is a value, however it is written")
    func optional() throws {
        let top = MemoryProvider(name: "top")
        let user = FlagsLoader(
            UserExperiments.self, providers: [top, MemoryProvider(name: "bottom", values: ["nickname": "Al"])])
        let none: String? = nil
        for isWrittenByName in [true, false] {
            if isWrittenByName { try user.$nickname.setValue(none) } else { try user.$nickname.setValue(nil) }
            #expect(user.nickname == nil && top.value(for: "nickname") == .null)
            try user.$nickname.resetValue()
            #expect(user.nickname == "Al")
        }
    }

    @Test("of a default is read if no provider has a value, until the default is reset, also for an optional flag")
    func defaults() {
        let user = FlagsLoader(UserExperiments.self, providers: [MemoryProvider()])
        user.$maxAttempts.setDefault(8)
        #expect(user.maxAttempts == 8 && user.$maxAttempts.defaultValue == 8 && user.nickname == nil)
        #expect(FlagsLoader(UserExperiments.self, providers: []).maxAttempts == 3)
        user.$nickname.setDefault("Al")
        user.$maxAttempts.resetDefault()
        #expect(user.maxAttempts == 3 && user.nickname == "Al")
        user.$nickname.setDefault(nil)
        #expect(user.nickname == nil)
    }

    @Test("by path takes what the flag's type takes and refuses the rest before writing")
    func byPath() throws {
        let memory = MemoryProvider()
        let user = FlagsLoader(UserExperiments.self, providers: [memory])
        let flag = try #require(user.flag(at: "secrets/boom_feature"))
        try flag.setValue(.unparsed("yes"))
        #expect(user.secrets.boomFeature)
        #expect(memory.value(at: "secrets/boom_feature") == true)
        let error = #expect(throws: FlagError.self) { try flag.setValue(1) }
        #expect(
            error?.description == """
                Flag "secrets/boom_feature" was not written. The value cannot be kept: expected true or false, found the \
                integer 1. [refused-value]
                """)
        #expect(user.secrets.boomFeature)
        try flag.resetValue(inProviderNamed: "MemoryProvider")
        #expect(!user.secrets.boomFeature)
        #expect(user.flag(at: "no/such") == nil)
        #expect(flag.handle(as: Bool.self)?.value == false)
        #expect(flag.handle(as: Int.self) == nil)
    }
}

/// A writable provider that doesn't notify observers.
private final class UnobservedProvider: WritableFlagProvider {
    private let store = FlagProviderStore()
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
}

/// A type that can be decoded and not encoded.
struct Unencodable: Codable, FlagValue {
    struct NoEncoding: Error {}
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws { throw NoEncoding() }
}

/// A type that is encoded as null.
private struct Silent: Codable, FlagValue {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

private struct Nulls: FlagCollectionProtocol {
    @Flag(default: 0) var raw: EncodedFlagValue
    @Flag(default: 0) var inner: Int??
    @Flag(default: Silent()) var silent: Silent
    @Flag(default: Unencodable()) var unencodable: Unencodable
    @Flag(default: 0, excludedProviders: [MemoryProvider.self]) var excluding: Int
}
