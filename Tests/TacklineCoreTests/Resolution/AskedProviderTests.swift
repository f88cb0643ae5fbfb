import Synchronization
import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

/// A provider without notices that counts how often it is asked.
private final class CountingProvider: FlagProvider {
    let traits: FlagProviderTraits
    let name: String
    private let value: EncodedFlagValue?
    private let asked = Atomic<Int>(0)

    init(_ name: String, traits: FlagProviderTraits = [], value: EncodedFlagValue? = nil) {
        (self.name, self.traits, self.value) = (name, traits, value)
    }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        asked.add(1, ordering: .relaxed)
        return value
    }

    /// Returns the number of questions since the last call.
    func takeCount() -> Int { asked.exchange(0, ordering: .relaxed) }
}

private struct CountedFlags: FlagCollectionProtocol {
    @Flag(default: 0) var live: Int
    @Flag(default: 0, updatePolicy: .session) var pinned: Int
}

@Suite("A provider in a chain")
struct AskedProviderTests {
    @Test("is asked at most once in one resolution, and not at all behind the answer")
    func questions() {
        let override = CountingProvider("override", traits: .override)
        let answering = CountingProvider("answering", value: 5)
        let behind = CountingProvider("behind", value: 6)
        let flags = FlagsLoader(
            CountedFlags.self, environment: .nonProduction, providers: [override, answering, behind])
        func counts() -> [Int] { [override.takeCount(), answering.takeCount(), behind.takeCount()] }
        #expect(flags.live == 5 && counts() == [1, 1, 0])
        #expect(flags.$live.resolution().value == 5 && counts() == [1, 1, 0])
        #expect(flags.$live.explain().value == 5 && counts() == [1, 1, 1])
        #expect(flags.pinned == 5)
        _ = counts()
        #expect(flags.pinned == 5 && counts() == [1, 0, 0])
        #expect(flags.$pinned.explain().value == 5 && counts() == [1, 1, 1])
    }

    @Test("makes flags that depend on it resolve at each read if it does not notify observers")
    func withoutNotices() {
        let (first, last) = (MemoryProvider(name: "first"), MemoryProvider(name: "last", values: ["live": 7]))
        let middle = CountingProvider("middle")
        let flags = FlagsLoader(CountedFlags.self, providers: [first, middle, last])
        #expect(flags.live == 7 && flags.live == 7 && middle.takeCount() == 2)
        last.setValue(8, for: "live")
        #expect(flags.live == 8 && middle.takeCount() == 1)
        first.setValue(1, for: "live")
        #expect(flags.live == 1 && flags.live == 1 && middle.takeCount() == 0)
        first.setValue(nil, for: "live")
        #expect(flags.live == 8 && middle.takeCount() == 1)
    }

    @Test("is asked again by every flag after a reset notice")
    func reset() {
        final class Resettable: FlagProvider {
            let store = FlagProviderStore()
            let number = Atomic<Int>(1)
            func value(for key: FlagKeyPath) -> EncodedFlagValue? {
                .integer(Int128(number.load(ordering: .acquiring)))
            }
            func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
        }
        let provider = Resettable()
        let flags = FlagsLoader(CountedFlags.self, providers: [provider])
        #expect(flags.live == 1 && flags.pinned == 1)
        provider.number.store(2, ordering: .releasing)
        provider.store.announceReset()
        #expect(flags.live == 2 && flags.pinned == 1)
    }

    @Test("is excluded by its own type, and not by that of a provider which wraps it")
    func excludedType() {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: 0, excludedProviders: [MemoryProvider.self]) var number: Int
        }
        let memory = MemoryProvider(values: ["number": 5])
        #expect(FlagsLoader(Flags.self, providers: [memory]).number == 0)
        #expect(FlagsLoader(Flags.self, providers: [WrappingProvider(wrappedProviders: [memory])]).number == 5)
    }

    @Test("is found as a copy, or else by its type and name, if it is a value that can't be compared")
    func instances() throws {
        struct Plain: FlagProvider {
            let name: String
            let number: EncodedFlagValue
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { number }
        }
        let flags = FlagsLoader(
            CountedFlags.self, providers: [Plain(name: "a", number: 1), Plain(name: "b", number: 2)])
        #expect(flags.$live.flagValue(from: Plain(name: "b", number: 0)) == 2)
        #expect(flags.$live.flagValue(from: Plain(name: "c", number: 0)) == nil)
        struct Region: WritableFlagProvider {
            let isDefault: Bool
            let store = FlagProviderStore()
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
            func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
        }
        let regions = [Region(isDefault: true), Region(isDefault: false)]
        let ofRegions = FlagsLoader(CountedFlags.self, providers: regions)
        try ofRegions.$live.setValue(3, in: regions[1])
        #expect(regions.map { $0.value(for: "live") } == [nil, 3])
        #expect(ofRegions.$live.flagValue(from: regions[1]) == 3 && ofRegions.$live.flagValue(from: regions[0]) == nil)
        #expect(throws: FlagError.self) { try ofRegions.$live.setValue(4, in: Region(isDefault: true)) }
        struct Made: FlagProvider {
            let make: @Sendable () -> EncodedFlagValue?
            func value(for key: FlagKeyPath) -> EncodedFlagValue? { make() }
        }
        let made = [Made { 1 }, Made { 2 }]
        #expect(FlagsLoader(CountedFlags.self, providers: made).$live.flagValue(from: made[1]) == nil)
    }

    @Test("may be added by a closure that reads flags")
    func readingClosure() {
        let flags = FlagsLoader(CountedFlags.self, providers: [MemoryProvider(values: ["live": 5])])
        flags.updateProviders { chain in
            chain.insert(MemoryProvider(name: "copy", values: ["live": .integer(Int128(flags.live + 1))]), at: 0)
        }
        #expect(flags.live == 6)
    }
}
