import Synchronization
public import TacklineCore

/// A comparison of a provider with another one that is never used: before you move from one vendor to another, or from one
/// document to a new one.
///
/// ```swift
/// let comparison = FlagShadow(of: old, by: new, sampling: 0.1)
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, old], observers: [comparison])
/// print(comparison.report)
/// ```
///
/// It is an observer of a loader and no provider of it. When a read is given a value that was not at hand, both providers
/// are compared for this flag: on the thread and in the task of the read, so in the context of a server's request. Both are
/// inspected, which a vendor doesn't count as a use, and the old one only if another source has answered. When the shadow
/// changes or becomes ready, the flags that were read are compared again, except for those whose values depend on the task.
/// Both providers must keep to what ``/TacklineCore/FlagProvider`` asks of one: a shadow that blocks makes the read wait.
public final class FlagShadow: FlagResolutionObserver {
    private let believed: any FlagProvider
    private let shadow: any FlagProvider
    private let id: String
    private let sampling: Double
    private let maximumFlags: Int
    private let randomNumber: @Sendable () -> Double
    private let isTaskDependent: Bool
    private let state = Mutex(State())
    private let observer: FlagProviderObserver

    private struct State {
        var report = ShadowReport()
        /// The flags that are compared again when the shadow changes, as they were read.
        var flags: [FlagKeyPath: FlagResolution<EncodedFlagValue>] = [:]
        /// The flags that were read while the shadow was not ready.
        var waiting: Set<FlagKeyPath> = []
    }

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - believed: The provider that is used. It is in the loader's chain.
    ///   - id: Its id in the chain, or `nil` if that is its name.
    ///   - shadow: The provider that is compared with it. It is in no chain.
    ///   - sampling: The part of the reads that is compared, from 0 to 1.
    ///   - maximumFlags: The maximum number of flags in the report.
    ///   - randomNumber: Returns the numbers from 0 to 1 that draw the sample.
    public init(
        of believed: any FlagProvider, withID id: String? = nil, by shadow: any FlagProvider, sampling: Double = 1,
        maximumFlags: Int = 1000, randomNumber: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.believed = believed
        self.id = id ?? believed.name
        self.shadow = shadow
        self.sampling = sampling
        self.maximumFlags = maximumFlags
        self.randomNumber = randomNumber
        isTaskDependent =
            shadow.effectiveTraits.contains(.taskDependent) || believed.effectiveTraits.contains(.taskDependent)
        let (observer, notices) = FlagProviderObserver.makeStream()
        self.observer = observer
        _ = shadow.observe(observer)
        Task.detached { [weak self] in
            for await _ in notices {
                guard let self else { return }
                self.compareAll()
            }
        }
    }

    /// The comparisons so far. Flags that wait for the shadow are compared now if it is ready.
    public var report: ShadowReport {
        let waiting = state.withLock { state in state.waiting.compactMap { state.flags[$0] } }
        if !waiting.isEmpty, shadow.status != .notReady { for flag in waiting { compareLater(flag) } }
        return state.withLock { state in
            var report = state.report
            report.waiting = state.waiting.count
            return report
        }
    }

    /// Begins a new report.
    public func resetReport() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        // Values are released here, since a read takes the lock.
        withExtendedLifetime(old) {}
    }

    /// Compares every flag that was read, whatever the sample, except for those whose values depend on the task.
    public func compareAll() {
        guard shadow.status != .notReady else { return }
        for flag in state.withLock({ Array($0.flags.values) }) { compareLater(flag) }
    }

    /// Compares the flag if it is in the sample.
    public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
        guard randomNumber() < sampling else { return state.withLock { $0.report.unsampled += 1 } }
        let dependsOnTask = isTaskDependent || flag.isForTask
        var old: FlagResolution<EncodedFlagValue>?
        defer { withExtendedLifetime(old) {} }
        let isNotReady = shadow.status == .notReady
        let isCompared = state.withLock { state -> Bool in
            let isKnown = state.flags[flag.key] != nil || state.report.entries[flag.key] != nil
            guard isKnown || max(state.flags.count, state.report.entries.count) < maximumFlags else {
                state.report.leftOut += 1
                return false
            }
            if dependsOnTask {
                if isNotReady { state.report.uncompared += 1 }
                return !isNotReady
            }
            old = state.flags.updateValue(flag, forKey: flag.key)
            if isNotReady { state.waiting.insert(flag.key) }
            return !isNotReady
        }
        guard isCompared else { return }
        let isBelieved = if case .provider(let source) = flag.source { source == id } else { false }
        compare(flag, isBelieved ? .value(flag.value) : answer(of: believed, for: flag))
    }

    /// Compares a flag in another task than that of the read, with what the providers say now.
    private func compareLater(_ flag: FlagResolution<EncodedFlagValue>) {
        compare(flag, answer(of: believed, for: flag))
    }

    private func compare(_ flag: FlagResolution<EncodedFlagValue>, _ believed: Answer) {
        let shadow = answer(of: shadow, for: flag)
        let isSecret = flag.metadata.isSecret
        let texts = (believed: believed.text(isSecret: isSecret), shadow: shadow.text(isSecret: isSecret))
        state.withLock { state in
            state.waiting.remove(flag.key)
            guard state.report.entries[flag.key] != nil || state.report.entries.count < maximumFlags else { return }
            state.report.entries[flag.key, default: ShadowReport.Entry()].note(
                differs: !believed.agrees(with: shadow), texts, subject: flag.evaluation?.subject)
        }
    }

    private func answer(of provider: any FlagProvider, for flag: FlagResolution<EncodedFlagValue>) -> Answer {
        guard let value = provider.evaluation(for: flag.key).value else { return .none }
        return flag.encodedForm(of: value).map { .value($0) } ?? (value == .null ? .none : .refused(value))
    }

    /// The answer of a provider, as the flag's type takes it.
    private enum Answer {
        case none
        case value(EncodedFlagValue)
        case refused(EncodedFlagValue)

        /// Numbers of equal value agree, whichever their kinds.
        func agrees(with other: Answer) -> Bool {
            switch (self, other) {
            case (.none, .none): true
            case (.value(.integer(let integer)), .value(.double(let double))),
                (.value(.double(let double)), .value(.integer(let integer))):
                Int128(exactly: double) == integer
            case (.value(let left), .value(let right)): left == right
            case (.refused, .refused), (.refused, .none), (.none, .refused): true
            default: false
            }
        }

        func text(isSecret: Bool) -> String? {
            switch self {
            case .none: nil
            case .value(let value): isSecret ? "a secret" : "\(value)"
            case .refused(let value): isSecret ? "a refused secret" : "refused: \(value)"
            }
        }
    }
}

extension ShadowReport.Entry {
    fileprivate mutating func note(
        differs: Bool, _ texts: (believed: String?, shadow: String?), subject: String?
    ) {
        comparisons += 1
        disagrees = differs
        guard differs else { return }
        disagreements += 1
        believed = texts.believed
        shadow = texts.shadow
        self.subject = subject
    }
}
