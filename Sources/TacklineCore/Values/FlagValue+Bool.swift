extension Bool: FlagValue, PlainFlagValue {
    /// Takes a Boolean, or the untyped text `true`, `yes`, `on`, `1`, `false`, `no`, `off` or `0` in any case.
    ///
    /// - Throws: ``FlagValueError`` for anything else: the integer 1, the string "true", a text with blanks around it.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        switch encoded {
        case .bool(let value):
            self = value
        case .unparsed(let text):
            switch text.utf8.count > 5 ? "" : text.lowercased() {
            case "true", "yes", "on", "1": self = true
            case "false", "no", "off", "0": self = false
            default: throw FlagValueError(expected: "true, false, yes, no, on, off, 1 or 0", found: encoded)
            }
        default:
            throw FlagValueError(expected: "true or false", found: encoded)
        }
    }

    /// ``EncodedFlagValue/bool(_:)``.
    public var encoded: EncodedFlagValue { .bool(self) }
}
