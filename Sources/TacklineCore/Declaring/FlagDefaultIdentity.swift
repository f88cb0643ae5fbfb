/// The type and the default of a flag, in a form that is compared without running code of the type.
package struct FlagDefaultIdentity: Sendable {
    private let type: ObjectIdentifier
    /// The bits of a trivial default of up to a word.
    private let bits: UInt?
    /// The neutral form of any other default; `nil` if a hand-written `encode(to:)` throws.
    private let encoded: EncodedFlagValue?

    package init<Value: FlagValue>(of value: Value) {
        type = ObjectIdentifier(Value.self)
        if FlagSlot.isWord(Value.self) {
            var word: UInt = 0
            unsafe withUnsafeMutableBytes(of: &word) { unsafe $0.storeBytes(of: value, as: Value.self) }
            bits = word
            encoded = nil
        } else {
            bits = nil
            encoded = try? value.encoded
        }
    }

    /// Whether the type is the same, and the default as far as that can be told.
    func isSame(as other: FlagDefaultIdentity) -> Bool {
        guard type == other.type else { return false }
        if let bits { return bits == other.bits }
        return encoded != nil && encoded == other.encoded
    }

    /// Identifies the type.
    var typeID: ObjectIdentifier { type }
}
