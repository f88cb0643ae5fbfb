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
    /// The refused value, or null if the error comes from encoding.
    public var found: EncodedFlagValue
    /// The keys and indices that lead from the whole value to the refused part, such as `["limits", "2"]`.
    ///
    /// The path is empty if the whole value is refused.
    public var path: [String]
    /// Further information about the cause, or `nil` if there is none.
    ///
    /// An example is the description of an error that a custom `init(from:)` throws.
    public var detail: String?
    // An error from encoding has no refused value, so its description omits `found`.
    private var comesFromEncoding = false
    /// Whether a launch guard holds the value back. The flag's type may accept it.
    public private(set) var isHeldBack = false

    /// Creates an error for a refused value.
    ///
    /// - Parameters:
    ///   - expected: The values that the type accepts, as a phrase such as "an integer from 0 to 255".
    ///   - found: The refused value.
    ///   - path: The keys and indices that lead to the refused value. The default is the whole value.
    ///   - detail: Further information about the cause, or `nil`.
    public init(expected: String, found: EncodedFlagValue, path: [String] = [], detail: String? = nil) {
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
    package static func encoding(_ type: Any.Type, path: [String], detail: String) -> FlagValueError {
        let expected = "a value of type \(type) that can be encoded"
        var error = FlagValueError(expected: expected, found: .null, path: path, detail: detail)
        error.comesFromEncoding = true
        return error
    }

    /// Returns the error without the value, if it is that of a secret flag.
    package func withoutValue(if isSecret: Bool) -> FlagValueError {
        guard isSecret else { return self }
        var error = FlagValueError(expected: expected, found: .string("a secret"), detail: isHeldBack ? detail : nil)
        error.isHeldBack = isHeldBack
        error.comesFromEncoding = comesFromEncoding
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

    static let nestedNull = "an optional cannot hold a value that is null, which would come back as nil; use nil itself"

    /// Returns a copy of the error with `component` inserted at the beginning of ``path``.
    package func nested(in component: String) -> FlagValueError {
        var error = self
        error.path.insert(component, at: 0)
        return error
    }

    /// The message, with ``expected``, ``found``, ``path`` and ``detail``. The refused value is shortened.
    public var description: String {
        var text = "expected \(expected)"
        if !comesFromEncoding { text += ", found \(found.phrase)" }
        if !path.isEmpty { text += " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))" }
        if let detail { text += ": \(detail)" }
        return text
    }
}

// MARK: Errors of Codable types

extension FlagValueError {
    /// Creates an error from one that an `init(from:)` threw.
    ///
    /// - Parameter root: The whole value that was decoded.
    init(_ error: any Error, decoding type: Any.Type, from root: EncodedFlagValue) {
        switch error {
        case let error as FlagValueError: self = error
        case DecodingError.keyNotFound(let key, let context):
            self.init(
                expected: "a member \(EncodedFlagValue.quoted(key.stringValue))",
                found: root.value(at: context.codingPath), path: context.codingPath.map(\.stringValue))
        case DecodingError.typeMismatch(let expectedType, let context),
            DecodingError.valueNotFound(let expectedType, let context):
            self.init(context, decoding: expectedType, from: root)
        case DecodingError.dataCorrupted(let context): self.init(context, decoding: type, from: root)
        default: self.init(expected: "a value of type \(type)", found: root, detail: String(describing: error))
        }
    }

    private init(_ context: DecodingError.Context, decoding type: Any.Type, from root: EncodedFlagValue) {
        self =
            FlagValueError.nestedError(context.underlyingError, at: context.codingPath)
            ?? FlagValueError(
                expected: "a value of type \(type)", found: root.value(at: context.codingPath),
                path: context.codingPath.map(\.stringValue), detail: context.debugDescription)
    }

    /// Creates an error from one that an `encode(to:)` threw.
    init(_ error: any Error, encoding type: Any.Type) {
        switch error {
        case let error as FlagValueError: self = error
        case EncodingError.invalidValue(_, let context):
            self =
                FlagValueError.nestedError(context.underlyingError, at: context.codingPath)
                ?? .encoding(type, path: context.codingPath.map(\.stringValue), detail: context.debugDescription)
        default: self = .encoding(type, path: [], detail: String(describing: error))
        }
    }

    /// Returns `error` with its path extended to the root, or `nil` if it is not a ``FlagValueError``.
    private static func nestedError(_ error: (any Error)?, at path: [any CodingKey]) -> FlagValueError? {
        guard var error = error as? FlagValueError else { return nil }
        error.path = path.map(\.stringValue) + error.path
        return error
    }
}

extension EncodedFlagValue {
    /// Returns the value at `path`, or the innermost existing value along it.
    fileprivate func value(at path: [any CodingKey]) -> EncodedFlagValue {
        var value = self
        for key in path {
            if case .object(let members) = value, let member = members[key.stringValue] {
                value = member
            } else if case .array(let elements) = value, let index = key.intValue, elements.indices.contains(index) {
                value = elements[index]
            } else {
                break
            }
        }
        return value
    }
}
