/// A strict reader of JSON (RFC 8259).
///
/// ```swift
/// let value = try FlagJSONReader().read(#"{"attempts": 3}"#)   // ["attempts": 3]
/// ```
///
/// The reader converts exactly or refuses:
///
/// - A number with a fraction or an exponent is a `double`, rounded to the nearest one; any other number is an
///   `integer`. `-0` is the double -0.0, because no integer has a negative zero.
/// - An integer outside the range of `Int128` is an error. So is a number whose nearest `Double` is infinite. A number
///   too small for `Double` is zero.
/// - A key that occurs twice in an object is an error.
/// - Comments, trailing commas, NaN, invalid UTF-8, unpaired surrogates, control characters in strings and content
///   after the value are errors. A UTF-8 byte order mark is skipped. UTF-16 and UTF-32 are recognized and refused.
///
/// No input traps or exhausts the stack. Reading takes O(*n*) time in the number of bytes.
package struct FlagJSONReader: Sendable {
    /// The limits of an acceptable document.
    package struct Limits: Sendable, Hashable {
        /// The maximum nesting depth of arrays and objects. The default is 64; a value above 160 means 160.
        package var maximumDepth = EncodedFlagValue.maximumDepth
        /// The maximum size of the document in bytes. The default is 64 MiB.
        ///
        /// The resulting value can take about thirty times as much memory as the document.
        package var maximumBytes = 64 << 20

        /// Creates the default limits.
        package init() {}
    }

    /// The limits of an acceptable document.
    package var limits: Limits
    /// Whether the document must be an object. If `false`, it can be any value.
    package var requiresObject: Bool

    /// Creates a reader.
    package init(limits: Limits = Limits(), requiresObject: Bool = false) {
        self.limits = limits
        self.requiresObject = requiresObject
    }

    /// Reads a document from UTF-8 bytes, without copying those of an array or of `Data`.
    ///
    /// - Throws: ``FlagJSONError`` for the first error in the document.
    package func read(_ bytes: some Sequence<UInt8>) throws(FlagJSONError) -> EncodedFlagValue {
        // A result, because the closure of neither method throws a typed error.
        func result(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<EncodedFlagValue, FlagJSONError> {
            Result { () throws(FlagJSONError) in
                var parser = FlagJSONParser(bytes: bytes, limits: limits)
                return try parser.readDocument(requiresObject: requiresObject)
            }
        }
        if let result = bytes.withContiguousStorageIfAvailable(result) { return try result.get() }
        return try Array(bytes).withUnsafeBufferPointer(result).get()
    }

    /// Reads a document from a string.
    ///
    /// - Throws: ``FlagJSONError`` for the first error in the document.
    package func read(_ text: String) throws(FlagJSONError) -> EncodedFlagValue { try read(text.utf8) }
}

/// An error in a JSON document.
///
/// An example of a description is
/// `line 3, column 7 at "flags/a": a comma stands before the closing brace; remove the comma`.
package struct FlagJSONError: Error, Sendable, Hashable {
    /// The kind of an error.
    package enum Code: String, Sendable, Hashable {
        case empty, tooLarge, notUTF8, unexpectedEnd, unexpectedCharacter, trailingComma, comment
        case invalidNumber, numberOutOfRange, invalidEscape, loneSurrogate, controlCharacter
        case duplicateKey, tooDeep, keyTooLong, notAnObject
    }

    /// The kind of the error.
    package var code: Code
    /// The line of the error, counted from 1. A line ends with a line feed.
    package var line: Int
    /// The column of the error in Unicode scalars, counted from 1. A byte order mark isn't counted.
    package var column: Int
    /// The keys and indices that lead to the error, from the outermost container inwards: `["flags", "a", "0"]`.
    package var path: [String]
    /// A description of the problem and, after a semicolon, of its fix.
    package var message: String
}

extension FlagJSONError: CustomStringConvertible {
    /// The line, column, path and message of the error. Long paths are shortened.
    package var description: String {
        let place = path.isEmpty ? "" : " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))"
        return "line \(line), column \(column)\(place): \(message)"
    }
}

extension EncodedFlagValue {
    /// Returns the value itself, or the result of parsing it as JSON if it is an unparsed text.
    ///
    /// - Parameter expected: The phrase for the error message: "an array", "an object" or "JSON".
    /// - Throws: ``FlagValueError`` if the text is not valid JSON.
    func parsingJSON(expecting expected: String) throws(FlagValueError) -> EncodedFlagValue {
        guard case .unparsed(let text) = self else { return self }
        do throws(FlagJSONError) {
            return try FlagJSONReader().read(text)
        } catch {
            let expected = expected == "JSON" ? expected : expected + " in JSON"
            throw FlagValueError(expected: expected, found: self, detail: error.description)
        }
    }
}
