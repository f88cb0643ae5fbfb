extension EncodedFlagValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `nil` is ``null``.
    public init(nilLiteral: ()) {
        self = .null
    }

    /// `true` and `false` are ``bool(_:)``.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// `1` is ``integer(_:)``.
    public init(integerLiteral value: Int128) {
        self = .integer(value)
    }

    /// `1.0` is ``double(_:)``.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }

    /// `"on"`, with or without interpolations, is ``string(_:)``, never ``unparsed(_:)``.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// `[1, true]` is ``array(_:)``.
    public init(arrayLiteral elements: EncodedFlagValue...) {
        self = .array(elements)
    }

    /// `["attempts": 3]` is ``object(_:)``. Of members with the same key the last one counts.
    public init(dictionaryLiteral members: (String, EncodedFlagValue)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
    }
}
