import TacklineCore

extension UntypedFlagHandle {
    /// The default as it stands in the source; `null` if it has no neutral form.
    var declaredDefault: EncodedFlagValue { declaration.encode(declaration.defaultValue) ?? .null }
}
