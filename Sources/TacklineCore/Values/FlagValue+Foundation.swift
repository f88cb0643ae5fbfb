public import TacklineFoundation

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

// MARK: Decimals and durations

extension Decimal: FlagValue {
    /// Creates a decimal number from a number, or from a string or an unparsed text that has the form of a JSON number.
    ///
    /// A number of a file has the digits of its nearest `Double`, so 9.99 is 9.99. Write a number of more than 15 digits
    /// as a string. One of more digits than a `Decimal` has room for, about 38, is refused.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let text: String? =
            switch encoded {
            case .integer(let value): String(value)
            case .double(let value): value.description
            default: encoded.text
            }
        func digits(_ text: String) -> Substring {
            var digits = text.prefix { $0 != "e" && $0 != "E" }.filter { $0 != "-" && $0 != "." }.drop { $0 == "0" }
            while digits.last == "0" { digits.removeLast() }
            return digits
        }
        // `Decimal.init(string:)` accepts "12abc", and rounds off the digits that it has no room for.
        guard let text, text.utf8.count <= 200,
            text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil,
            let value = Decimal(string: text), !value.isNaN, digits(value.description) == digits(text)
        else {
            throw FlagValueError(expected: "a number that a Decimal holds", found: encoded)
        }
        self = value
    }

    /// The number as ``EncodedFlagValue/integer(_:)`` or ``EncodedFlagValue/double(_:)`` if they hold it exactly, else as
    /// a string of its digits.
    ///
    /// - Throws: ``FlagValueError`` for NaN.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            if isNaN { throw .encoding(Decimal.self, detail: "it is not a number") }
            let text = description
            if let whole = Int128(text) { return .integer(whole) }
            if let number = Double(text), Decimal(string: number.description) == self { return .double(number) }
            return .string(text)
        }
    }
}

/// A duration is encoded as its number of seconds, as a `Decimal` is: 5 for five seconds, 0.25 for 250 milliseconds.
extension Duration: FlagValue {
    /// Creates a duration from a number of seconds that an `Int64` can hold, with up to 18 digits after the point.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard let number = try? Decimal(encoded: encoded),
            let attoseconds = Int128((number * Decimal(sign: .plus, exponent: 18, significand: 1)).description),
            Int64(exactly: attoseconds / 1_000_000_000_000_000_000) != nil
        else {
            throw FlagValueError(expected: "a number of seconds, with up to 18 digits after the point", found: encoded)
        }
        self.init(attoseconds: attoseconds)
    }

    /// The number of seconds. It never throws.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) { try (Decimal(string: "\(attoseconds)e-18") ?? .nan).encoded }
    }
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
