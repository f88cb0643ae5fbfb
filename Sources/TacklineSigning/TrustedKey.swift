#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what keys are made of.

/// A public key whose owner may sign documents: 32 bytes, written in base64 as `tackline keygen` prints them.
///
/// ```swift
/// let release: TrustedKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
/// ```
///
/// A text that is no key is told when it is used: a ``DocumentTrust`` with such a key refuses every document and says why.
public struct TrustedKey: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The key as it was written.
    public let text: String
    /// Its 32 bytes, or `nil` if the text is no key.
    public let bytes: Data?

    /// Takes a key in base64, in either alphabet.
    public init(_ text: String) {
        self.text = text
        bytes = Base64.data(text).flatMap { $0.count == 32 ? $0 : nil }
    }

    /// Takes the 32 bytes of a key.
    public init(bytes: Data) {
        self.init(bytes.base64EncodedString())
    }

    /// Takes a key in base64.
    public init(stringLiteral text: String) { self.init(text) }

    /// What signatures of this key have as their `keyid`: the key in base64, or its text if that is no key.
    public var id: String { bytes?.base64EncodedString() ?? text }

    /// The same as ``id``.
    public var description: String { id }

    /// Whether both are the same key, however it is written.
    public static func == (left: TrustedKey, right: TrustedKey) -> Bool { left.id == right.id }

    /// Hashes what makes keys equal.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// How signatures are checked. ``DocumentTrust`` uses Ed25519 unless told otherwise.
public protocol SignatureAlgorithm: Sendable {
    /// Returns whether a signature is by the owner of a key and over exactly these bytes. Any bytes may come in; those that are
    /// no signature, or no key, are answered with `false`.
    ///
    /// - Parameters:
    ///   - signature: The signature.
    ///   - message: What should have been signed.
    ///   - key: The public key.
    func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool
}
