// Foundation: the types that conform here are Foundation's.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Data: FlagValue, PlainFlagValue {
    /// Takes data, or a string or untyped text that is base64 with its padding and without line breaks.
    ///
    /// - Throws: ``FlagValueError`` for anything else.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if case .data(let data) = encoded {
            self = data
        } else if let text = encoded.text, let data = Data(base64Encoded: text) {
            self = data
        } else {
            throw FlagValueError(expected: "data, or a string in base64", found: encoded)
        }
    }

    /// ``EncodedFlagValue/data(_:)``.
    public var encoded: EncodedFlagValue { .data(self) }
}

extension Date: FlagValue, PlainFlagValue {
    /// Takes a date, or a string or untyped text in the form of RFC 3339, such as `2026-11-21T08:00:00.25+01:00`.
    ///
    /// - Throws: ``FlagValueError`` for anything else: a number, a leap second, which a `Date` cannot hold, a date
    ///   outside the years 1 to 9999 in UTC.
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

    /// ``EncodedFlagValue/date(_:)``. The JSON writer refuses a date outside the years 1 to 9999.
    public var encoded: EncodedFlagValue { .date(self) }
}

extension URL: FlagValue, PlainFlagValue {
    /// Takes a string or untyped text that is a valid URL with a scheme.
    ///
    /// - Throws: ``FlagValueError`` for anything else: a relative reference, a text with characters that a URL may
    ///   hold only percent-encoded.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let text = encoded.text, let url = URL(string: text, encodingInvalidCharacters: false), url.scheme != nil
        else {
            throw FlagValueError(expected: "a string that is a URL with a scheme, like \"https://…\"", found: encoded)
        }
        self = url
    }

    /// The absolute text as ``EncodedFlagValue/string(_:)``.
    ///
    /// A URL relative to a base is read back as the absolute URL.
    ///
    /// - Throws: ``FlagValueError`` for a URL without a scheme, which would be refused when read back.
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
    /// Takes a string or untyped text of 36 characters, `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in either case.
    ///
    /// - Throws: ``FlagValueError`` for anything else.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let text = encoded.text, text.utf8.count == 36, let uuid = UUID(uuidString: text) else {
            throw FlagValueError(expected: "a string that is a UUID", found: encoded)
        }
        self = uuid
    }

    /// The text in upper case as ``EncodedFlagValue/string(_:)``.
    public var encoded: EncodedFlagValue { .string(uuidString) }
}
