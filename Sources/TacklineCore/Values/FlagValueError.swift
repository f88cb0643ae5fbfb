/// An encoded value that a flag's type refuses, or a value that cannot be encoded.
///
/// Prints as a sentence without its full stop:
/// `expected an integer from 0 to 255, found the integer 300 at "limits/2"`.
public struct FlagValueError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What the type takes, worded for a sentence: "an integer from 0 to 255".
    public var expected: String
    /// The value that was refused; null if the error comes from encoding, where there is none.
    public var found: EncodedFlagValue
    /// Where inside the value, from the outermost member or index inwards: `["limits", "2"]`. Empty for the value
    /// itself.
    public var path: [String]
    /// More about the cause, such as the text of an error that a hand-written `init(from:)` threw; `nil` if there is
    /// nothing to add.
    public var detail: String?
    /// Whether the error comes from encoding, so that ``found`` means nothing.
    private var isAboutEncoding = false

    /// Makes an error for a value that is refused.
    public init(expected: String, found: EncodedFlagValue, path: [String] = [], detail: String? = nil) {
        self.expected = expected
        self.found = found
        self.path = path
        self.detail = detail
    }

    package static func encoding(_ type: Any.Type, path: [String], detail: String) -> FlagValueError {
        let expected = "a value of type \(type) that can be encoded"
        var error = FlagValueError(expected: expected, found: .null, path: path, detail: detail)
        error.isAboutEncoding = true
        return error
    }

    static let innerNull = "an optional cannot hold a value that is null, which would come back as nil; use nil itself"

    /// Returns the error with a component before its path.
    package func nested(in component: String) -> FlagValueError {
        var error = self
        error.path.insert(component, at: 0)
        return error
    }

    /// The message. Its length is bounded, however large the value is.
    public var description: String {
        var text = "expected \(expected)"
        if !isAboutEncoding { text += ", found \(found.phrase)" }
        if !path.isEmpty { text += " at \(EncodedFlagValue.quoted(path.joined(separator: "/")))" }
        if let detail { text += ": \(detail)" }
        return text
    }
}

// MARK: Errors of Codable types

extension FlagValueError {
    /// Converts what an `init(from:)` threw.
    init(_ error: any Error, decoding type: Any.Type, from root: EncodedFlagValue) {
        switch error {
        case let error as FlagValueError: self = error
        case DecodingError.keyNotFound(let key, let context):
            self.init(
                expected: "a member \(EncodedFlagValue.quoted(key.stringValue))",
                found: root.value(at: context.codingPath), path: context.codingPath.map(\.stringValue))
        case DecodingError.typeMismatch(let wanted, let context), DecodingError.valueNotFound(let wanted, let context):
            self.init(context, decoding: wanted, from: root)
        case DecodingError.dataCorrupted(let context): self.init(context, decoding: type, from: root)
        default: self.init(expected: "a value of type \(type)", found: root, detail: String(describing: error))
        }
    }

    private init(_ context: DecodingError.Context, decoding type: Any.Type, from root: EncodedFlagValue) {
        self =
            FlagValueError.inner(context.underlyingError, at: context.codingPath)
            ?? FlagValueError(
                expected: "a value of type \(type)", found: root.value(at: context.codingPath),
                path: context.codingPath.map(\.stringValue), detail: context.debugDescription)
    }

    /// Converts what an `encode(to:)` threw.
    init(_ error: any Error, encoding type: Any.Type) {
        switch error {
        case let error as FlagValueError: self = error
        case EncodingError.invalidValue(_, let context):
            self =
                FlagValueError.inner(context.underlyingError, at: context.codingPath)
                ?? .encoding(type, path: context.codingPath.map(\.stringValue), detail: context.debugDescription)
        default: self = .encoding(type, path: [], detail: String(describing: error))
        }
    }

    /// The error that a part threw, with the path from the root; `nil` if it is not a ``FlagValueError``.
    private static func inner(_ error: (any Error)?, at path: [any CodingKey]) -> FlagValueError? {
        guard var inner = error as? FlagValueError else { return nil }
        inner.path = path.map(\.stringValue) + inner.path
        return inner
    }
}

extension EncodedFlagValue {
    /// The value at a path, or the innermost one on the way to it.
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
