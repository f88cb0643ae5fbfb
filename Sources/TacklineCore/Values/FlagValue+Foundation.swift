#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the types that conform here are Foundation's.

extension Data: FlagValue, PlainFlagValue {
    /// Takes data, or a string or untyped text that is base64 with its padding and without line breaks.
    ///
    /// - Throws: ``FlagValueError`` for anything else.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let data: Data? =
            switch encoded {
            case .data(let value): value
            case .string(let text), .unparsed(let text): Data(base64Encoded: text)
            default: nil
            }
        guard let data else {
            throw FlagValueError(expected: "data, or a string in base64", found: encoded)
        }
        self = data
    }

    /// ``EncodedFlagValue/data(_:)``.
    public var encoded: EncodedFlagValue { .data(self) }
}

extension Date: FlagValue, PlainFlagValue {
    /// Takes a date, or a string or untyped text in the form of RFC 3339, such as `2026-11-21T08:00:00.25+01:00`.
    ///
    /// - Throws: ``FlagValueError`` for anything else: a bare number, a leap second, which a `Date` cannot hold, a
    ///   moment outside the years 1 to 9999 in UTC.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let date: Date? =
            switch encoded {
            case .date(let value): value
            case .string(let text), .unparsed(let text): FlagTimestamp.date(from: text)
            default: nil
            }
        guard let date else {
            let expected = "a date, or a string in the form of RFC 3339, like \"2026-11-21T08:00:00Z\""
            throw FlagValueError(expected: expected, found: encoded)
        }
        self = date
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
        let url: URL? =
            switch encoded {
            case .string(let text), .unparsed(let text): URL(string: text, encodingInvalidCharacters: false)
            default: nil
            }
        guard let url, url.scheme != nil else {
            throw FlagValueError(expected: "a string that is a URL with a scheme, like \"https://…\"", found: encoded)
        }
        self = url
    }

    /// The absolute text as ``EncodedFlagValue/string(_:)``.
    ///
    /// A URL that was made relative to a base comes back as an absolute one to the same place.
    ///
    /// - Throws: ``FlagValueError`` for a URL without a scheme, since it would be refused when read back.
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
        let uuid: UUID? =
            switch encoded {
            case .string(let text), .unparsed(let text): text.utf8.count == 36 ? UUID(uuidString: text) : nil
            default: nil
            }
        guard let uuid else {
            throw FlagValueError(expected: "a string that is a UUID", found: encoded)
        }
        self = uuid
    }

    /// The text in upper case as ``EncodedFlagValue/string(_:)``.
    public var encoded: EncodedFlagValue { .string(uuidString) }
}
