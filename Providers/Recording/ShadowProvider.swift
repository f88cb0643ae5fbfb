import Synchronization
public import TacklineCore

/// A provider beside which another one is asked, compared and never believed: before you move from one vendor to another, or from
/// one document to a new one.
///
/// ```swift
/// let remote = ShadowProvider(old, shadow: new, sampling: 0.1)
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])
/// print(remote.report)
/// ```
///
/// In everything it is the provider that is believed. The shadow is asked when a flag asks that one, and for all those flags when
/// the shadow tells a change; flags keep their values, so a read costs nothing more. What it says goes into the report alone, as
/// a short text. Both must keep to what ``/TacklineCore/FlagProvider`` asks of a provider: a shadow that blocks or traps does so here.
public final class ShadowProvider<Believed: FlagProvider, Shadow: FlagProvider>: FlagProvider {
    /// The provider whose values count.
    public let believed: Believed
    /// The provider that is compared with it.
    public let shadow: Shadow
    private let sampling: Double
    private let maximumFlags: Int
    private let randomNumber: @Sendable () -> Double
    private let state = Mutex(ShadowReport())
    private let observer: FlagProviderObserver

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - believed: The provider whose values count.
    ///   - shadow: The provider that is compared with it. One that counts whom it shows what counts these questions, too.
    ///   - sampling: Which part of the questions is compared, from 0 to 1.
    ///   - maximumFlags: How many flags the report has at most.
    ///   - randomNumber: Draws the sample: gives numbers from 0 to 1.
    public init(
        _ believed: Believed, shadow: Shadow, sampling: Double = 1, maximumFlags: Int = 1000,
        randomNumber: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.believed = believed
        self.shadow = shadow
        self.sampling = sampling
        self.maximumFlags = maximumFlags
        self.randomNumber = randomNumber
        let (observer, notices) = FlagProviderObserver.makeStream()
        self.observer = observer
        _ = shadow.observe(observer)
        Task { [weak self] in
            for await _ in notices {
                guard let self else { return }
                self.compareAll()
            }
        }
    }

    /// What was seen so far.
    public var report: ShadowReport { state.withLock { $0 } }

    /// Forgets what was seen.
    public func resetReport() {
        let old = state.withLock { report in
            defer { report = ShadowReport() }
            return report
        }
        withExtendedLifetime(old) {}
    }

    /// Compares every flag of the report now, whatever the sample.
    public func compareAll() {
        for key in state.withLock({ Array($0.entries.keys) }) { compare(key, with: believed.value(for: key)) }
    }

    private func compare(_ key: FlagKeyPath, with value: EncodedFlagValue?) {
        if shadow.status == .notReady { return state.withLock { $0.notReady += 1 } }
        let other = shadow.value(for: key)
        let differs = !Self.agree(value, other)
        let old = state.withLock { report -> ShadowReport.Entry? in
            let old = report.entries[key]
            guard old != nil || report.entries.count < maximumFlags else {
                report.leftOut += 1
                return nil
            }
            report.entries[key, default: ShadowReport.Entry()].note(differs, value, other)
            return old
        }
        // The values of the last difference are released here, since a read takes the lock.
        withExtendedLifetime(old) {}
    }

    /// Numbers of equal value agree: a flag takes either.
    private static func agree(_ left: EncodedFlagValue?, _ right: EncodedFlagValue?) -> Bool {
        switch (left, right) {
        case (.integer(let integer)?, .double(let double)?), (.double(let double)?, .integer(let integer)?):
            Int128(exactly: double) == integer
        default: left == right
        }
    }

    // MARK: The provider that is believed

    /// That of the provider that is believed.
    public var name: String { believed.name }

    /// That of the provider that is believed.
    public var status: FlagProviderStatus { believed.status }

    /// The value of the provider that is believed.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        let value = believed.value(for: key)
        if randomNumber() < sampling {
            compare(key, with: value)
        } else {
            state.withLock { $0.unsampled += 1 }
        }
        return value
    }

    /// Returns the value and the details of the provider that is believed.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue { believed.detailedValue(for: key) }

    /// Adds an observer of the provider that is believed.
    public func observe(_ observer: FlagProviderObserver) -> Bool { believed.observe(observer) }

    /// The provider that is believed.
    public var wrappedProviders: [any FlagProvider] { [believed] }
}

extension ShadowReport.Entry {
    fileprivate mutating func note(_ differs: Bool, _ value: EncodedFlagValue?, _ other: EncodedFlagValue?) {
        comparisons += 1
        disagrees = differs
        guard differs else { return }
        disagreements += 1
        believed = value.map { "\($0)" }
        shadow = other.map { "\($0)" }
    }
}

extension ShadowProvider: WritableFlagProvider where Believed: WritableFlagProvider {
    /// Sets a value of the provider that is believed.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        try believed.setValue(value, for: key)
    }

    /// Sets a value of the provider that is believed, with the given durability.
    public func setValue(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, durability: FlagWriteDurability
    ) throws(FlagProviderError) {
        try believed.setValue(value, for: key, durability: durability)
    }
}
