import TacklineCore

extension FlagReference {
    /// The default as it stands in the source; `null` if it has no neutral form.
    var declaredDefault: EncodedFlagValue {
        func encoded<Flag: DeclaredFlag>(of flag: Flag) -> EncodedFlagValue? { try? flag.defaultValue.encoded }
        return encoded(of: declaration) ?? .null
    }
}
