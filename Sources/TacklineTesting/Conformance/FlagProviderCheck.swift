/// A rule that the conformance suite checks.
public enum FlagProviderCheck: String, Sendable, Hashable, CaseIterable {
    /// The name is not empty and doesn't change.
    case name
    /// Reads return immediately, even while a write is stuck. If they don't, the checks after this one are left out.
    case readsDoNotWait
    /// The provider returns `nil` for a key that it doesn't hold, whatever the key's form.
    case absentKeys
    /// The provider holds the values that a fresh provider should hold.
    case heldValues
    /// A value is found under its flat key and in nested objects, regardless of how it was written.
    case flatAndNestedKeys
    /// The document and the provider have the same values.
    case document
    /// A value of any type is read as it was written, or the write throws and changes nothing. The check covers
    /// Booleans, integers and doubles at their limits, texts, bytes, dates, lists, objects, unparsed text, and `null`.
    /// Only a plain `true` must be accepted.
    case everyValueType
    /// A removal removes the value, and no other one.
    case removal
    /// Observers are notified of every change once, with its old and new value, before the write returns.
    case completeNotices
    /// Writing the present value causes no notice.
    case unchangedValues
    /// Each observer receives every notice, also after another one was deallocated.
    case everyObserver
    /// The provider doesn't retain observers.
    case weakObservers
    /// Reads during writes return only values that were written.
    case concurrentReadsAndWrites
    /// A changed value can be read by the time its notice is sent.
    case readableChanges
    /// The notices of concurrent writers arrive in the order of the changes.
    case orderOfNotices
    /// After many concurrent writes, the last notice has the present value.
    case lastNotice
    /// A refresh returns the keys whose values it changed and notifies observers of them, and of no others.
    case refreshedKeys
}

extension FlagProviderCheck: CustomStringConvertible {
    /// The name of the case.
    public var description: String { rawValue }
}
