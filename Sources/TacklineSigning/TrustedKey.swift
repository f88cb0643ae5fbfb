#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: keys consist of `Data`.

/// A public key whose owner may sign documents: 32 bytes, written in base64 as `tackline keygen` prints them.
///
/// ```swift
/// let release: TrustedKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
/// ```
///
/// An invalid text is reported when the key is used: a ``DocumentTrust`` with such a key refuses every document and
/// names the text.
public struct TrustedKey: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the key as it was written.
    public let text: String
    /// The 32 bytes of the key; `nil` if the text is not a key.
    public let bytes: Data?

    /// Creates a key from base64 in either alphabet.
    public init(_ text: String) {
        self.text = text
        bytes = Base64.data(text).flatMap { $0.count == 32 ? $0 : nil }
    }

    /// Creates a key from its 32 bytes.
    public init(bytes: Data) {
        self.init(bytes.base64EncodedString())
    }

    /// Creates a key from base64.
    public init(stringLiteral text: String) { self.init(text) }

    /// The `keyid` of this key's signatures: the key in base64, or its text if that is not a key.
    public var id: String { bytes?.base64EncodedString() ?? text }

    /// The same as ``id``.
    public var description: String { id }

    /// Returns whether both are the same key, even if they are written differently.
    public static func == (left: TrustedKey, right: TrustedKey) -> Bool { left.id == right.id }

    /// Hashes ``id``.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// An algorithm that checks signatures. ``DocumentTrust`` uses Ed25519 by default.
public protocol SignatureAlgorithm: Sendable {
    /// Returns whether the owner of a key has signed exactly these bytes. The arguments may be any bytes. Return
    /// `false` for bytes that are not a signature or not a key.
    ///
    /// - Parameters:
    ///   - signature: The signature.
    ///   - message: The bytes that should have been signed.
    ///   - key: The public key.
    func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool
}
