// `Data`, `Date`, `URL` and `UUID` are types of Foundation.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Data: FlagValue {
    /// Creates data from encoded data, or from a string or an unparsed text in base64 with padding and without line
    /// breaks.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if case .data(let data) = encoded {
            self = data
        } else if let text = encoded.text, let data = Data(base64Encoded: text), data.base64EncodedString() == text {
            // `Data.init(base64Encoded:)` accepts "====".
            self = data
        } else {
            throw FlagValueError(expected: "data, or a string in base64", found: encoded)
        }
    }

    /// The data as ``EncodedFlagValue/data(_:)``.
    public var encoded: EncodedFlagValue { .data(self) }
}

extension Date: FlagValue {
    /// Creates a date from an encoded date, or from a string or an unparsed text in RFC 3339 format.
    ///
    /// An example of the format is `2026-11-21T08:00:00.25+01:00`. Milliseconds are the smallest part. A number, a leap
    /// second and a date outside the years 1 to 9999 in UTC are refused.
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

extension URL: FlagValue {
    /// Creates a URL from a string or an unparsed text that is a valid URL with a scheme, so a relative reference is
    /// refused, and a text with characters that must be percent-encoded.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let text = encoded.text, let url = URL(string: text, encodingInvalidCharacters: false), url.scheme != nil
        else {
            throw FlagValueError(expected: "a string that is a URL with a scheme, like \"https://…\"", found: encoded)
        }
        self = url
    }

    /// The absolute string of the URL, as ``EncodedFlagValue/string(_:)``.
    ///
    /// - Throws: ``FlagValueError`` for a URL without a scheme, because decoding it would fail.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            let absolute = absoluteURL
            guard absolute.scheme != nil else {
                throw .encoding(URL.self, detail: "the URL has no scheme; make it absolute")
            }
            return .string(absolute.absoluteString)
        }
    }
}

extension UUID: FlagValue {
    /// Creates a UUID from a string or an unparsed text such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in upper or lower
    /// case.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let text = encoded.text, text.utf8.count == 36, let uuid = UUID(uuidString: text) else {
            throw FlagValueError(expected: "a string that is a UUID", found: encoded)
        }
        self = uuid
    }

    /// The text of the UUID in upper case, as ``EncodedFlagValue/string(_:)``.
    public var encoded: EncodedFlagValue { .string(uuidString) }
}
