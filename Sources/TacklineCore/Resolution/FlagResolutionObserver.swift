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
    /// is passed on once and not at each read: again only after it was another one, in a new session, after the subject
    /// of its provider changed, or if its provider's answers may differ from task to task
    /// (``FlagProviderKind/taskDependent``). An observer can ask for them again
    /// (``ObservedLoader/passValuesAgain()``).
    /// Explanations, resolutions, snapshots and browsers inspect values and pass on none; the sequence
    /// `values` of a flag gives out values as a read does.
    ///
    /// It is called during the read, on any thread and under no lock, so it must return at once. Reads of flags in it
    /// are not passed on to any observer.
    func flagWasResolved(_ flag: ResolvedFlag)

    /// Receives the beginning of a new session (``FlagsLoader/beginSession()``), before values are passed on again. The
    /// default does nothing.
    func sessionBegan()

    /// Receives a loader when it is made, before it passes on any value. The default does nothing.
    ///
    /// Keep the argument to ask for values again; it doesn't keep the loader. No lock is held during the call.
    func loaderWasMade(_ loader: ObservedLoader)
}

extension FlagResolutionObserver {
    /// Does nothing.
    public func sessionBegan() {}

    /// Does nothing.
    public func loaderWasMade(_ loader: ObservedLoader) {}
}

/// A loader as one of its observers sees it.
public struct ObservedLoader: Sendable {
    /// The keys of the loader's flags, in the order of their properties.
    public let keys: [FlagKeyPath]
    private let passAgain: @Sendable () -> Bool

    /// Creates a loader for tests of observers.
    ///
    /// - Parameters:
    ///   - keys: The keys of its flags.
    ///   - passAgain: The closure that ``passValuesAgain()`` calls.
    public init(keys: [FlagKeyPath], passAgain: @escaping @Sendable () -> Bool) {
        self.keys = keys
        self.passAgain = passAgain
    }

    /// Passes each flag's value on to this observer once more, at the next read of the flag, although it is the same.
    ///
    /// An observer that wants to know whether flags are still read calls this now and then, such as once an hour. In
    /// between, a read whose value is at hand costs nothing more. Pinned values stay pinned, other observers are passed
    /// nothing, and nothing is announced. Call it from any thread.
    ///
    /// - Returns: `false` if the loader is gone.
    /// - Complexity: O(*n*) in the number of flags, each of which is resolved again when it is read.
    @discardableResult
    public func passValuesAgain() -> Bool { passAgain() }
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
    /// Whether the value may be that of the current task only.
    package private(set) var isForTask = false
    /// The declaration of the flag, or `nil` if a test has created the value.
    private var declaration: FlagDeclaration?

    /// Returns another value for the flag in the form that ``value`` has, or `nil` if the flag's type refuses it.
    package func encodedForm(of value: EncodedFlagValue) -> EncodedFlagValue? {
        guard let declaration else { return value }
        if case .null = value, !declaration.takesNull { return nil }
        guard let decoded = try? declaration.decode(value) else { return nil }
        return declaration.encode(decoded)
    }

    /// Creates a value of a flag's declaration.
    init(
        key: FlagKeyPath, value: EncodedFlagValue?, source: FlagSource, details: FlagResolutionDetails?,
        metadata: FlagMetadata, declaration: FlagDeclaration, isForTask: Bool
    ) {
        self.init(key: key, value: value, source: source, details: details, metadata: metadata)
        (self.declaration, self.isForTask) = (declaration, isForTask)
    }

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

extension ResolvedFlag: ReflectedAsDescription {
    /// The key, the value and its source: `allows_sson = true (provider "overrides")`.
    public var description: String { "\(key) = \(metadata.shown("\(value ?? .null)")) (\(source))" }
}

/// The observers of a loader, and the last answer that was passed on for each flag.
package final class ResolutionObservers: Sendable {
    private struct Answer: Equatable {
        let value: EncodedFlagValue?
        let source: FlagSource
        let details: FlagResolutionDetails?
        /// The number of sessions and changes of the subject before the flag was resolved.
        let subject: UInt64
    }

    private struct State {
        var last: [Int: Answer] = [:]
        /// The flags whose values are passed on again at their next read, by the number of the observer.
        var due: [Int: Set<Int>] = [:]
    }

    private let observers: [any FlagResolutionObserver]
    private let state = Mutex(State())
    /// The number of sessions that have begun.
    private let sessions = Atomic<UInt64>(0)
    private static let silence = ThreadLocal<Silence>()

    private final class Silence {}

    package init(_ observers: [any FlagResolutionObserver]) { self.observers = observers }

    /// Whether observers are not notified of reads on the current thread: during a call of an observer, and while a
    /// value is inspected.
    static var areSilent: Bool { silence.value != nil }

    /// Calls a closure without notifying observers of the flags that it reads.
    @inline(never) static func silently<Success>(_ body: () -> Success) -> Success {
        silence.withValue(Silence(), body)
    }

    /// Calls a closure that inspects a flag. Reads of other flags that it needs are inspections, too.
    static func inspecting<Success>(_ query: FlagQuery, _ body: () -> Success) -> Success {
        query.mayReadFlags && !areSilent ? silently(body) : body()
    }

    var sessionNumber: UInt64 { sessions.load(ordering: .acquiring) }

    func beginSession() {
        sessions.add(1, ordering: .releasing)
        for observer in observers { observer.sessionBegan() }
    }

    /// Notifies the observers of their loader.
    func loaderWasMade(_ core: LoaderCore) {
        for (number, observer) in observers.enumerated() {
            observer.loaderWasMade(
                ObservedLoader(keys: core.index.keyPaths) { [weak core] in
                    guard let core else { return false }
                    core.passValuesAgain(to: number)
                    return true
                })
        }
    }

    /// Passes the next answer for each flag to an observer, whether or not it is equal to the last one.
    func passAgain(_ ordinals: Range<Int>, to number: Int) {
        state.withLock { $0.due[number] = Set(ordinals) }
    }

    /// Passes an answer on, unless it is equal to the last one and no observer has asked for it again.
    ///
    /// - Parameter isForTask: Whether the answer may be that of the current task only, so that it is always passed on.
    func pass(_ flag: ResolvedFlag, _ ordinal: Int, subject: UInt64, isForTask: Bool) {
        let answer = Answer(value: flag.value, source: flag.source, details: flag.details, subject: subject)
        let (old, asking) = state.withLock { state in
            let asking = state.due.isEmpty ? [] : state.due.keys.filter { state.due[$0]?.remove(ordinal) != nil }
            for number in asking where state.due[number]?.isEmpty == true { state.due[number] = nil }
            return (state.last.updateValue(answer, forKey: ordinal), asking)
        }
        let isNew = isForTask || old != answer
        guard isNew || !asking.isEmpty else { return }
        Self.silently {
            for (number, observer) in observers.enumerated() where isNew || asking.contains(number) {
                observer.flagWasResolved(flag)
            }
        }
    }
}

extension LoaderCore {
    /// Has the next read of each flag pass its value to an observer. Only the slots are invalidated: no value changes.
    fileprivate func passValuesAgain(to number: Int) {
        resolutionObservers?.passAgain(ordinals, to: number)
        for slot in slots { slot._withUnsafeGuaranteedRef { $0.invalidate(generation: generation) } }
    }

    /// Resolves a flag for a read and passes the answer to the loader's observers.
    func resolve(_ ordinal: Int, for observers: ResolutionObservers) -> FlagStep {
        let chain = chain
        // Before the providers are asked, so that a value for a former subject isn't taken for one of the present.
        let subject = chain.links.reduce(observers.sessionNumber) { $0 &+ $1.observer.subjectNumber }
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
            details: details, metadata: metadata(of: ordinal), declaration: declarations[ordinal],
            isForTask: isForTask)
        observers.pass(flag, ordinal, subject: subject, isForTask: isForTask)
        return step
    }
}
