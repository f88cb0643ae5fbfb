/// An encoded value that a flag's type refuses, or a value that cannot be encoded.
///
/// Prints as a sentence without its full stop:
/// `expected an integer from 0 to 255, found the integer 300 at "limits/2"`.
public struct FlagValueError: Error, Sendable, Hashable {
    /// What the type takes, as it reads in a sentence: "an integer from 0 to 255".
    public var expected: String
    /// What was there. `null` if the error comes from encoding and there was no encoded value yet.
    public var found: EncodedFlagValue
    /// Where inside the value, from the outermost member or index inwards: `["limits", "2"]`. Empty for the value itself.
    public var path: [String]
    /// What `expected` and `found` do not say, such as the words of an error that a hand-written `init(from:)` threw;
    /// `nil` if they say it all.
    public var detail: String?
    /// Whether the error comes from making the encoded form, so that there is nothing that was found.
    var isAboutEncoding = false

    /// Makes an error for a value that is refused.
    public init(expected: String, found: EncodedFlagValue, path: [String] = [], detail: String? = nil) {
        self.expected = expected
        self.found = found
        self.path = path
        self.detail = detail
    }

    /// An error for a value that has no encoded form.
    static func encoding(_ type: Any.Type, path: [String], detail: String) -> FlagValueError {
        var error = FlagValueError(
            expected: "a value of type \(type) that can be encoded",
            found: .null,
            path: path,
            detail: detail
        )
        error.isAboutEncoding = true
        return error
    }

    /// The same error as seen from one level further out.
    func nested(in component: String) -> FlagValueError {
        var error = self
        error.path.insert(component, at: 0)
        return error
    }
}

extension FlagValueError: CustomStringConvertible {
    /// The message, of bounded length whatever was found.
    public var description: String {
        var text = "expected \(expected)"
        if !isAboutEncoding {
            text += ", found \(found.phrase)"
        }
        if !path.isEmpty {
            text += " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))"
        }
        if let detail {
            text += ": \(detail)"
        }
        return text
    }
}
