import TacklineCore

extension FlagReference {
    private var declaration: any FlagDeclarationProtocol { loaded.flags[ordinal].declaration }

    /// The default as it stands in the source; `null` if it has no neutral form.
    var declaredDefault: EncodedFlagValue { FlagReference.declaredDefault(of: declaration) }

    /// Returns the form in which the flag's type itself would write a value.
    ///
    /// - Throws: `FlagValueError` if the type refuses it.
    func normalized(_ value: EncodedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        try FlagReference.normalized(value, for: declaration)
    }

    private static func declaredDefault<Declaration: FlagDeclarationProtocol>(
        of declaration: Declaration
    ) -> EncodedFlagValue {
        (try? declaration.defaultValue.encoded) ?? .null
    }

    private static func normalized<Declaration: FlagDeclarationProtocol>(
        _ value: EncodedFlagValue, for declaration: Declaration
    ) throws(FlagValueError) -> EncodedFlagValue {
        try Declaration.Value(encoded: value).encoded
    }
}
