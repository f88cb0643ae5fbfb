/// A value of a flag of any type.
///
/// What follows changes deals in these and in no flag's own type, since code for any type, compiled once, takes several
/// times as long as code for one type: a consumer's own iterator gets its type back out.
struct TrackedFlagValue: Sendable {
    private let box: any Sendable
    /// What values are compared by; `nil` where a hand-written `encode(to:)` throws.
    let encoded: EncodedFlagValue?

    /// An optional that is put in an `any` by itself does not come out again as what it was.
    private struct Box<Value: FlagValue>: Sendable {
        let value: Value
    }

    init<Value: FlagValue>(_ value: Value) {
        box = Box(value: value)
        encoded = try? value.encoded
    }

    /// The value; `nil` for a type that is not its own.
    func value<Value: FlagValue>(as type: Value.Type) -> Value? {
        (box as? Box<Value>)?.value
    }

    /// Whether the values are equal. Those without a neutral form are never.
    func isSame(as other: TrackedFlagValue) -> Bool {
        encoded != nil && encoded == other.encoded
    }
}

extension FlagDeclarationProtocol {
    /// What the flag makes of a value that a provider gave; `nil` if nothing.
    func tracked(_ answer: EncodedFlagValue) -> TrackedFlagValue? {
        guard let value = try? FlagResolver<Value>.usable(answer) else { return nil }
        return TrackedFlagValue(value)
    }

    /// The value without providers, and where it comes from.
    func trackedDefault(_ loaded: LoadedFlags, ordinal: Int) -> TrackedFlagValue {
        guard let declaration = self as? FlagDeclaration<Value> else { return TrackedFlagValue(defaultValue) }
        return TrackedFlagValue(loaded.defaultValue(declaration, ordinal: ordinal))
    }

    /// The value that the flag computes now; `nil` if it leaves that to its providers.
    func trackedComputation(_ loaded: LoadedFlags, ordinal: Int) -> TrackedFlagValue? {
        guard let declaration = self as? FlagDeclaration<Value> else { return nil }
        return loaded.computedValue(declaration, ordinal: ordinal).map { TrackedFlagValue($0) }
    }

    /// What is held of the flag at present; `nil` if nothing is.
    func trackedHold(_ loaded: LoadedFlags, ordinal: Int) -> (value: TrackedFlagValue, source: FlagSource)? {
        guard updatePolicy != .live, let declaration = self as? FlagDeclaration<Value>,
            let hold = loaded.holds.hold(of: declaration, ordinal)
        else { return nil }
        return (TrackedFlagValue(hold.value), hold.source)
    }
}
