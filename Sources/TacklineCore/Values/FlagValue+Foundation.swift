// `Data`, `Date`, `Decimal`, `URL` and `UUID` are types of Foundation.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Data: FlagValue, PlainFlagValue {
    /// Creates data from encoded data, or from a string or an unparsed text in base64.
    ///
    /// The text must have its padding and no line breaks.
    ///
    /// - Throws: ``FlagValueError`` for any other value.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if case .data(let data) = encoded {
            self = data
        } else if let text = encoded.text, let data = Data(base64Encoded: text) {
            self = data
        } else {
            throw FlagValueError(expected: "data, or a string in base64", found: encoded)
        }
    }

    /// The data as ``EncodedFlagValue/data(_:)``.
    public var encoded: EncodedFlagValue { .data(self) }
}

extension Date: FlagValue, PlainFlagValue {
    /// Creates a date from an encoded date, or from a string or an unparsed text in RFC 3339 format.
    ///
    /// An example of the format is `2026-11-21T08:00:00.25+01:00`.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as a number, a leap second, which a `Date` can't
    ///   represent, or a text with a date outside the years 1 to 9999 in UTC.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if case .date(let date) = encoded {
            self = date
        } else if let text = encoded.text, let date = FlagTimestamp.date(from: text) {
            self = date
        } else {
            let expected = "a date, or a string in the form of RFC 3339, like \"2026-11-21T08:00:00Z\""
            throw FlagValueError(expected: expected, found: encoded)
        }
    }

    /// The date as ``EncodedFlagValue/date(_:)``.
    ///
    /// The JSON writer refuses a date outside the years 1 to 9999.
    public var encoded: EncodedFlagValue { .date(self) }
}

extension Decimal: FlagValue, PlainFlagValue {
    /// Creates a decimal number from any number, or from an unparsed decimal text.
    ///
    /// A number of a file is taken digit by digit, so 9.99 is 9.99 and not the `Double` that is nearest to it. Digits after
    /// the 38th are rounded, as `JSONDecoder` rounds them.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as a string, NaN, or a number beyond the range of `Decimal`.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let text: String? =
            switch encoded {
            case .integer(let value): String(value)
            case .double(let value): value.isFinite ? value.exactText : nil
            case .decimal(let value): value.text
            case .unparsed(let text): Double(decimal: text) == nil ? nil : text
            default: nil
            }
        guard let text, let value = Decimal(string: text), !value.isNaN else {
            throw FlagValueError(expected: "a number that a Decimal holds", found: encoded)
        }
        self = value
    }

    /// The number as ``EncodedFlagValue/integer(_:)`` if it is whole, else as ``EncodedFlagValue/double(_:)`` or
    /// ``EncodedFlagValue/decimal(_:)``, so that files contain its digits.
    ///
    /// - Throws: ``FlagValueError`` for NaN.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            if let whole = Int128(decimal: description) { return .integer(whole) }
            // A whole number beyond `Int128` has neither a fraction nor an exponent.
            let text = description.utf8.contains(UInt8(ascii: ".")) ? description : description + ".0"
            guard !isNaN, let value = EncodedFlagValue(decimal: text) else {
                throw .encoding(Decimal.self, path: [], detail: "it is not a number")
            }
            return value
        }
    }
}

extension URL: FlagValue, PlainFlagValue {
    /// Creates a URL from a string or an unparsed text that is a valid URL with a scheme.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as a relative reference, or a text with characters that
    ///   must be percent-encoded in a URL.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let text = encoded.text, let url = URL(string: text, encodingInvalidCharacters: false), url.scheme != nil
        else {
            throw FlagValueError(expected: "a string that is a URL with a scheme, like \"https://…\"", found: encoded)
        }
        self = url
    }

    /// The absolute string of the URL, as ``EncodedFlagValue/string(_:)``.
    ///
    /// Decoding a URL that was relative to a base returns the absolute URL.
    ///
    /// - Throws: ``FlagValueError`` for a URL without a scheme, because decoding it would fail.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            let absolute = absoluteURL
            guard absolute.scheme != nil else {
                throw .encoding(URL.self, path: [], detail: "the URL has no scheme; make it absolute")
            }
            return .string(absolute.absoluteString)
        }
    }
}

extension UUID: FlagValue, PlainFlagValue {
    /// Creates a UUID from a string or an unparsed text such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    ///
    /// The text must have 36 characters. The hexadecimal digits may be in upper or lower case.
    ///
    /// - Throws: ``FlagValueError`` for any other value.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let text = encoded.text, text.utf8.count == 36, let uuid = UUID(uuidString: text) else {
            throw FlagValueError(expected: "a string that is a UUID", found: encoded)
        }
        self = uuid
    }

    /// The text of the UUID in upper case, as ``EncodedFlagValue/string(_:)``.
    public var encoded: EncodedFlagValue { .string(uuidString) }
}
