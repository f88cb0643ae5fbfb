/// What a slot asks when it has no answer: the heart of a loader, which lies in a higher layer.
package protocol FlagOwner: AnyObject, Sendable {
    /// Resolves the flag with the given ordinal, reporting what has to be reported.
    ///
    /// Runs code of providers and of computed flags, so nothing may be locked.
    func resolve<Value: FlagValue>(_ declaration: FlagDeclaration<Value>, ordinal: Int) -> FlagAnswer<Value>

    /// A flag was read while reads are registered with Observation, and its value was not at hand.
    func flagIsObserved(_ ordinal: Int)
}

/// Leads from slots to their owner without keeping it alive; all slots of a loader share one.
package final class FlagOwnerReference: Sendable {
    // Unsafe only to the compiler: written by the initializer alone, and loading a weak reference is atomic. (`weak let` says
    // so, from Swift 6.3.)
    nonisolated(unsafe) package private(set) weak var owner: (any FlagOwner)?

    package init(_ owner: any FlagOwner) {
        self.owner = owner
    }
}

/// A resolved value, and whether it may be kept.
package struct FlagAnswer<Value: FlagValue>: Sendable {
    package let value: Value
    /// The neutral form where the resolver has it at hand; equal ones share their storage.
    package let encoded: EncodedFlagValue?
    /// Whether the value stands until the slot is invalidated.
    package let isLasting: Bool

    package init(value: Value, encoded: EncodedFlagValue?, isLasting: Bool) {
        self.value = value
        self.encoded = encoded
        self.isLasting = isLasting
    }
}
