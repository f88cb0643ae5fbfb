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

// MARK: Timestamps

/// The conversion between dates and texts in RFC 3339 format, to the millisecond, for the years 1 to 9999.
///
/// The calendar is Foundation's, which is the Julian one before 15 October 1582: `Date.distantPast` is
/// `0001-01-01T00:00:00Z`.
package enum FlagTimestamp {
    /// The milliseconds of the years 1 to 9999, relative to the reference date 2001-01-01T00:00:00Z.
    private static let range = -63_114_076_800_000.0..<252_423_993_600_000.0

    /// Returns the date in RFC 3339 format in UTC, such as `2026-11-21T08:00:00.25Z`.
    ///
    /// - Throws: ``FlagValueError`` for a date outside the years 1 to 9999.
    package static func text(of date: Date) throws(FlagValueError) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        guard range.contains(milliseconds) else {
            throw .encoding(Date.self, detail: "the date is outside the years 1 to 9999")
        }
        // Half a millisecond more, because the style cuts off what is finer.
        let rounded = Date(timeIntervalSinceReferenceDate: (milliseconds + 0.5) / 1000)
        var text = rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).dropLast()
        while text.hasSuffix("0") { text.removeLast() }
        return (text.hasSuffix(".") ? text.dropLast() : text) + "Z"
    }

    /// Returns the date of a text in RFC 3339 format, or `nil` if the text is not valid.
    ///
    /// The text can have any offset from UTC. `T` and `Z` can be in upper or lower case. The fraction is rounded down to
    /// milliseconds. The result is `nil` for a leap second, which a `Date` can't represent, for a date outside the
    /// years 1 to 9999 in UTC, and for a space instead of `T`, which the RFC leaves to applications.
    package static func date(from text: String) -> Date? {
        let form = #/(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+\-]([01]\d|2[0-3]):([0-5]\d))/#
        guard text.utf8.count <= 64, let parts = text.wholeMatch(of: form.asciiOnlyDigits())?.output else { return nil }
        // The style takes 30 February and 25 o'clock, for times of the next month and the next day.
        let (style, whole) = (Date.ISO8601FormatStyle(), "\(parts.1)T\(parts.2)Z")
        guard let date = try? style.parse(whole), date.formatted(style) == whole else { return nil }
        func number(_ digits: Substring?) -> Double { digits.flatMap { Double($0) } ?? 0 }
        let fraction = number("\(parts.3?.dropFirst() ?? "")000".prefix(3))
        let offset = (parts.4.first == "-" ? -60_000 : 60_000) * (number(parts.5) * 60 + number(parts.6))
        let milliseconds = date.timeIntervalSinceReferenceDate * 1000 + fraction - offset
        return range.contains(milliseconds) ? Date(timeIntervalSinceReferenceDate: milliseconds / 1000) : nil
    }
}
