public import TacklineFoundation

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
    /// The `keyid` of this key's signatures: the key in base64, or its text if that is not a key. Two texts for one key have
    /// the same.
    public let id: String
    /// The 32 bytes of the key; `nil` if the text is not a key that can be trusted.
    public let bytes: Data?

    /// Creates a key from base64 in either alphabet.
    public init(_ text: String) {
        bytes = Base64.data(text).flatMap { $0.count == 32 && !Self.hasSmallOrder($0) ? $0 : nil }
        id = bytes?.base64EncodedString() ?? text
    }

    /// The first halves of the points of small order on the curve of Ed25519, in each of their encodings (libsodium's
    /// `ge25519_has_small_order` compares the same ones whole). Everybody can make a signature that is valid for such a key.
    /// A real key begins so with a probability of 2^-125.
    private static let smallOrder: [[UInt8]] = [
        [0] + repeated(0), [1] + repeated(0), [0xEC] + repeated(0xFF), [0xED] + repeated(0xFF), [0xEE] + repeated(0xFF),
        [0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0],
        [0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F],
    ]

    private static func repeated(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 15) }

    private static func hasSmallOrder(_ key: Data) -> Bool { smallOrder.contains { key.starts(with: $0) } }

    /// Creates a key from its 32 bytes, which are no point of small order.
    public init(bytes: Data) { self.init(bytes.base64EncodedString()) }

    /// Creates a key from base64.
    public init(stringLiteral text: String) { self.init(text) }

    /// The same as ``id``.
    public var description: String { id }
}

/// An algorithm that checks signatures. ``DocumentTrust`` uses Ed25519 by default.
package protocol SignatureAlgorithm: Sendable {
    /// Returns whether the owner of a public key has signed exactly the bytes of a message. The arguments may be any bytes.
    /// Return `false` for bytes that are not a signature or not a key.
    func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool
}
