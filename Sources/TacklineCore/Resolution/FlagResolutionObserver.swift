import Synchronization

/// An observer of the values that reads are given.
///
/// ```swift
/// import Tackline
///
/// struct Printer: FlagResolutionObserver {
///     func flagWasResolved(_ flag: ResolvedFlag) { print(flag.key, flag.source) }
/// }
///
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides], observers: [Printer()])
/// ```
///
/// Exposures, metrics and traces are recorded by such observers. A loader without observers pays nothing for them.
public protocol FlagResolutionObserver: Sendable {
    /// Receives a value that was not at hand when a flag was read, before the read returns it.
    ///
    /// The value may come from a provider, from the flag's closure, from a test's scope, or be the default. Each value
    /// is passed on once and not at each read: again only after it was another one, after the subject of its provider
    /// changed, or if its provider's answers may differ from task to task (``FlagProviderKind/taskDependent``).
    /// Explanations, resolutions, snapshots and browsers inspect values and pass on none; the sequence
    /// `values` of a flag gives out values as a read does.
    ///
    /// It is called during the read, on any thread and under no lock, so it must return at once. Reads of flags in it
    /// are not passed on to any observer.
    func flagWasResolved(_ flag: ResolvedFlag)
}

/// A flag's value as a read is given it, and its source.
public struct ResolvedFlag: Sendable {
    /// The flag's key.
    public let key: FlagKeyPath
    /// The value, or `nil` if encoding it throws.
    public let value: EncodedFlagValue?
    /// The source of the value.
    public let source: FlagSource
    /// The provider's details about the value, or `nil` if there are none.
    public let details: FlagResolutionDetails?
    /// The flag's metadata.
    public let metadata: FlagMetadata

    /// Creates a value as an observer receives it, for tests of observers.
    public init(
        key: FlagKeyPath, value: EncodedFlagValue?, source: FlagSource, details: FlagResolutionDetails? = nil,
        metadata: FlagMetadata = FlagMetadata()
    ) {
        self.key = key
        self.value = value
        self.source = source
        self.details = details
        self.metadata = metadata
    }
}

/// The observers of a loader, and the last answer that was passed on for each flag.
package final class ResolutionObservers: Sendable {
    private struct Answer: Equatable {
        let value: EncodedFlagValue?
        let source: FlagSource
        let details: FlagResolutionDetails?
        /// The number of changes of the subject before the flag was resolved.
        let subject: UInt64
    }

    private let observers: [any FlagResolutionObserver]
    private let last = Mutex([Int: Answer]())
    private static let silence = ThreadLocal<Silence>()

    private final class Silence {}

    /// - Returns: `nil` if there are no observers.
    package init?(_ observers: [any FlagResolutionObserver]) {
        guard !observers.isEmpty else { return nil }
        self.observers = observers
    }

    /// Whether reads on the current thread are passed on to nobody: in a call of an observer, and while a value is
    /// inspected.
    static var areSilent: Bool { silence.value != nil }

    /// Calls a closure whose reads are passed on to nobody.
    @inline(never) static func silently<Success>(_ body: () -> Success) -> Success {
        silence.withValue(Silence(), body)
    }

    /// Calls a closure that inspects a flag. Reads of other flags that it needs are inspections, too.
    static func inspecting<Success>(_ query: FlagQuery, _ body: () -> Success) -> Success {
        query.mayReadFlags && !areSilent ? silently(body) : body()
    }

    /// Passes an answer on, unless it is equal to the last one.
    ///
    /// - Parameter isForTask: Whether the answer may be that of the current task only, so that it is always passed on.
    func pass(_ flag: ResolvedFlag, _ ordinal: Int, subject: UInt64, isForTask: Bool) {
        let answer = Answer(value: flag.value, source: flag.source, details: flag.details, subject: subject)
        let old = last.withLock { $0.updateValue(answer, forKey: ordinal) }
        guard isForTask || old != answer else { return }
        Self.silently { for observer in observers { observer.flagWasResolved(flag) } }
    }
}

extension LoaderCore {
    /// Resolves a flag for a read and passes the answer to the loader's observers.
    func resolve(_ ordinal: Int, for observers: ResolutionObservers) -> FlagStep {
        let chain = chain
        // Before the providers are asked, so that a value for a former subject isn't taken for one of the present.
        let subject = chain.links.reduce(0) { $0 &+ $1.observer.subjectNumber }
        var step = resolvedStep(ordinal)
        guard !ResolutionObservers.areSilent else {
            // A cached value would be at hand for the next read, which would not be passed on.
            step.isLasting = false
            return step
        }
        let value = step.value ?? declarations[ordinal].defaultValue
        var details = step.details
        var isForTask = false
        if case .provider(let link) = step.origin {
            isForTask = link.kind.contains(.taskDependent)
            let answer = link.provider.inspectedValue(for: index.keyPaths[ordinal])
            if answer.value == step.encoded { details = answer.details }
        }
        let flag = ResolvedFlag(
            key: index.keyPaths[ordinal], value: encode(value, of: ordinal) ?? step.encoded, source: step.source,
            details: details, metadata: metadata(of: ordinal))
        observers.pass(flag, ordinal, subject: subject, isForTask: isForTask)
        return step
    }
}
