/// An error for an encoded value that a flag's type refuses, or for a value that can't be encoded.
///
/// The description is a sentence without its full stop:
///
/// ```swift
/// import Tackline
///
/// do {
///     _ = try [String: [UInt8]](encoded: ["limits": [1, 2, 300]])
/// } catch {
///     print(error)  // expected an integer from 0 to 255, found the integer 300 at "limits/2"
/// }
/// ```
public struct FlagValueError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The values that the type accepts, as a phrase such as "an integer from 0 to 255".
    public var expected: String
    /// The refused value, or `nil` if the error comes from encoding.
    public var found: EncodedFlagValue?
    /// The keys and indices that lead from the whole value to the refused part, such as `["limits", "2"]`.
    ///
    /// The path is empty if the whole value is refused.
    public var path: [String]
    /// Further information about the cause, or `nil` if there is none.
    ///
    /// An example is the description of an error that a custom `init(from:)` throws.
    public var detail: String?
    /// Whether a launch guard holds the value back. The flag's type may accept it.
    public private(set) var isHeldBack = false

    /// Creates an error for a refused value.
    ///
    /// - Parameters:
    ///   - expected: The values that the type accepts, as a phrase such as "an integer from 0 to 255".
    ///   - found: The refused value, or `nil` if the error comes from encoding.
    ///   - path: The keys and indices that lead to the refused value. The default is the whole value.
    ///   - detail: Further information about the cause, or `nil`.
    public init(expected: String, found: EncodedFlagValue?, path: [String] = [], detail: String? = nil) {
        self.expected = expected
        self.found = found
        self.path = path
        self.detail = detail
    }

    /// Returns an error for a value that can't be encoded.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The keys and indices that lead to the part that can't be encoded.
    ///   - detail: The reason, and what to do about it.
    package static func encoding(_ type: Any.Type, path: [String] = [], detail: String) -> FlagValueError {
        FlagValueError(expected: "a value of type \(type) that can be encoded", found: nil, path: path, detail: detail)
    }

    /// Returns the error without the value, if it is that of a secret flag.
    package func withoutValue(if isSecret: Bool) -> FlagValueError {
        guard isSecret else { return self }
        var error = self
        (error.found, error.path, error.detail) = (found.map { _ in "a secret" }, [], isHeldBack ? detail : nil)
        return error
    }

    /// Returns an error for a value that a launch guard holds back.
    ///
    /// - Parameter reason: The reason, as a phrase without a full stop.
    static func heldBack(_ value: EncodedFlagValue, reason: String) -> FlagValueError {
        var error = FlagValueError(expected: "another value", found: value, detail: reason)
        error.isHeldBack = true
        return error
    }

    /// Returns a copy of the error with `component` inserted at the beginning of ``path``.
    package func nested(in component: String) -> FlagValueError {
        var error = self
        error.path.insert(component, at: 0)
        return error
    }

    /// The message, with ``expected``, ``found``, ``path`` and ``detail``. The refused value is shortened.
    public var description: String {
        if isHeldBack, let detail { return detail }
        var text = "expected \(expected)"
        if let found { text += ", found \(found.phrase)" }
        if !path.isEmpty { text += " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))" }
        if let detail { text += ": \(detail)" }
        return text
    }
}
