import TacklineCore

extension UntypedFlagHandle {
    /// The declared default, or `null` if it can't be encoded.
    var declaredDefault: EncodedFlagValue { declaration.encode(declaration.defaultValue) ?? .null }
}
