extension String: FlagValue, PlainFlagValue {
    /// Takes a string or an untyped text, which is kept as it is, blanks included.
    ///
    /// - Throws: ``FlagValueError`` for anything else, also for a number.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        switch encoded {
        case .string(let value), .unparsed(let value): self = value
        default: throw FlagValueError(expected: "a string", found: encoded)
        }
    }

    /// ``EncodedFlagValue/string(_:)``.
    public var encoded: EncodedFlagValue { .string(self) }
}
