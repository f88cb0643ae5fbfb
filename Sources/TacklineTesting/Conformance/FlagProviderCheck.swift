/// One rule that the conformance suite checks.
public enum FlagProviderCheck: String, Sendable, Hashable, CaseIterable {
    /// The name is not empty and does not change.
    case name
    /// A key that the provider does not hold is answered with `nil`, whatever it looks like.
    case absentKeys
    /// The values that a fresh provider was said to hold are there.
    case heldValues
    /// A value is found under its flat key and in nested objects, wherever it was written.
    case flatAndNestedKeys
    /// What the whole document answers is what the provider answers.
    case document
    /// A value of any type comes back as it was written, or is refused with nothing changed: Booleans, integers and doubles at
    /// their limits, texts, bytes, dates, lists, objects, a text that may stand for anything, and `null`. Only a plain `true` must
    /// be taken.
    case everyValueType
    /// A removed value is gone, and nothing else is.
    case removal
    /// A write or a removal through one flag changes what no other flag's key reads: of a flag and a group with one name,
    /// and of keys that differ only in their Unicode normalization.
    case neighbours
    /// Every change is announced with its old and new value, before the write returns.
    case completeNotices
    /// Writing the value that is there announces nothing.
    case unchangedValues
    /// Each observer is told everything, and one that goes harms no other.
    case everyObserver
    /// Observers are not kept alive.
    case weakObservers
    /// Readers among concurrent writers only ever see values that somebody wrote.
    case concurrentReadsAndWrites
    /// The notices of concurrent writers come in the order of the changes.
    case orderOfNotices
    /// After many concurrent writers, the last notice tells the value that is there.
    case lastNotice
    /// Reads do not wait for a write that is stuck.
    case readsDoNotWait
}

extension FlagProviderCheck: CustomStringConvertible {
    /// The name of the case.
    public var description: String { rawValue }
}
