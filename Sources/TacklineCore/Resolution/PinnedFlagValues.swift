#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
import Synchronization

/// A value that a flag keeps until a new session begins, or for as long as its loader exists (``FlagUpdatePolicy``).
package final class PinnedFlagValue: Sendable {
    package let value: ErasedFlagValue
    /// The encoded form, or `nil` if encoding the value throws.
    package let encoded: EncodedFlagValue?
    /// The source of the value at the time when it was pinned.
    package let source: FlagSource
    package let evaluation: FlagEvaluation?
    /// Whether the value was made of that of a secret flag.
    let isSecret: Bool
    package let since = Date()
    /// The number of the session or launch that the value is pinned for.
    let session: UInt64
    /// The subjects that the value was resolved for.
    let subjects: AskedSubjects

    init(
        _ value: ErasedFlagValue, encoded: EncodedFlagValue?, source: FlagSource, evaluation: FlagEvaluation?,
        isSecret: Bool, session: UInt64, subjects: AskedSubjects
    ) {
        self.value = value
        self.encoded = encoded
        self.source = source
        self.evaluation = evaluation
        self.isSecret = isSecret
        self.session = session
        self.subjects = subjects
    }
}

/// The subjects of the providers that were asked for a value, as of the time before they were asked.
///
/// A provider advances the number of its subject under its lock, where no pinned value may be released. So the values
/// that were made for the former subject are not removed: they have the wrong number.
struct AskedSubjects: Sendable {
    /// The observers are kept, even after the chain was replaced, as long as a pinned value depends on them.
    private let numbers: [(observer: FlagProviderObserver, number: UInt64)]

    init(of links: some Collection<FlagChain.Link>) {
        numbers = links.map { ($0.observer, $0.observer.subjectNumber) }
    }

    private init(_ numbers: [(observer: FlagProviderObserver, number: UInt64)]) { self.numbers = numbers }

    /// Whether no provider has changed its subject since.
    var areCurrent: Bool { numbers.allSatisfy { $0.observer.subjectNumber == $0.number } }

    /// Returns the subjects of the first providers.
    func prefix(_ count: Int) -> AskedSubjects { AskedSubjects(Array(numbers.prefix(count))) }
}

/// The pinned values of a loader. Call the methods from any thread.
package final class PinnedFlagValues: Sendable {
    /// The numbers of the current session and launch.
    ///
    /// A number is advanced and the flags are invalidated under one lock, so a thread that saw the new session never
    /// reads a value of an earlier one. This lock is not that of the values: it is taken under the locks of providers,
    /// where no value may be released.
    private let numbers = Mutex((session: 0 as UInt64, launch: 0 as UInt64))
    private let values = Mutex([Int: PinnedFlagValue]())

    /// Returns the value that is pinned for the current session and the current subject, or `nil`.
    package func value(of declaration: FlagDeclaration, _ ordinal: Int) -> PinnedFlagValue? {
        guard declaration.updatePolicy != .live else { return nil }
        // The session is read under the lock, so a flag that is pinned in two consecutive sessions never seems
        // unpinned.
        return values.withLock { values in
            guard let pinned = values[ordinal] else { return nil }
            return pinned.session == session(for: declaration.updatePolicy) && pinned.subjects.areCurrent ? pinned : nil
        }
    }

    /// Pins a value, unless the flag is pinned already.
    ///
    /// - Returns: The value that is pinned now, or `nil` if the session of the new value is over or its subject has
    ///   changed.
    func pin(_ new: PinnedFlagValue, of declaration: FlagDeclaration, _ ordinal: Int) -> PinnedFlagValue? {
        let (current, replaced) = values.withLock { values -> (PinnedFlagValue?, PinnedFlagValue?) in
            let session = session(for: declaration.updatePolicy)
            if let known = values[ordinal], known.session == session, known.subjects.areCurrent { return (known, nil) }
            guard new.session == session, new.subjects.areCurrent else { return (nil, nil) }
            return (new, values.updateValue(new, forKey: ordinal))
        }
        // Released here, outside the lock, because a value may own an object whose deinitializer reads flags.
        withExtendedLifetime(replaced) {}
        return current
    }

    /// Removes the pinned value of a flag. The next read pins it again.
    ///
    /// - Parameter invalidate: Invalidates the flag, under the lock.
    func remove(_ ordinal: Int, invalidate: () -> Void) {
        let removed = values.withLock { values in
            defer { invalidate() }
            return values.removeValue(forKey: ordinal)
        }
        withExtendedLifetime(removed) {}
    }

    // MARK: Sessions

    /// Returns the number of the current session or launch.
    func session(for policy: FlagUpdatePolicy) -> UInt64 {
        numbers.withLock { policy == .session ? $0.session : $0.launch }
    }

    /// Ends the values that are pinned for a session.
    ///
    /// - Parameter invalidate: Invalidates their flags, under the lock.
    func beginSession(invalidate: () -> Void) {
        numbers.withLock {
            $0.session += 1
            invalidate()
        }
    }

    /// Ends all pinned values.
    ///
    /// - Parameter invalidate: Invalidates all flags, under the lock.
    func endAll(invalidate: () -> Void) {
        numbers.withLock {
            $0.session += 1
            $0.launch += 1
            invalidate()
        }
    }
}
