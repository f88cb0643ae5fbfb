import Foundation
import TacklineCore
import TacklineSigning

// Foundation: `Data` is the body of an answer, `Date` the expiry of a document.

/// An accepted document with the validators for the next request. It is an object, so that two documents can be
/// distinguished without comparing their contents.
final class RemoteDocument: Sendable {
    /// The content, ready to be put in force.
    let content: PreparedFlagDocument
    /// The URL from which the document came.
    let url: URL
    /// The bytes as they are kept in the cache: as the server sent them, or without the URL of the stream.
    let body: Data
    let revision: RemoteJSONRevision
    /// The value of `Last-Modified`.
    let lastModified: String?
    /// The signature that the ``PayloadVerifier`` needs to check the cached document.
    let signature: String?
    /// The trusted keys that have signed it; none where documents need not be signed.
    let signers: Set<TrustedKey>
    /// When it must not be believed any more.
    let expires: Date?
    /// A hash of the document without its signatures.
    let contentChecksum: UInt64
    /// The URL of the change stream that the document named.
    let stream: URL?

    init(
        content: PreparedFlagDocument, url: URL, body: Data, revision: RemoteJSONRevision, lastModified: String? = nil,
        signature: String? = nil, signers: Set<TrustedKey> = [], expires: Date? = nil, contentChecksum: UInt64? = nil,
        stream: URL? = nil
    ) {
        self.content = content
        self.url = url
        self.body = body
        self.revision = revision
        self.lastModified = lastModified
        self.signature = signature
        self.signers = signers
        self.expires = expires
        self.stream = stream
        self.contentChecksum = contentChecksum ?? revision.checksum
    }
}

/// The edition of a document.
public struct RemoteJSONRevision: Sendable, Hashable, CustomStringConvertible {
    /// The document's `$version`, or `nil` if it has none.
    public var version: Int128?
    /// The `ETag` of the answer, or `nil` if it had no usable one.
    public var entityTag: String?
    /// A hash of the document's bytes (FNV-1a, 64 bits). Equal bytes have equal checksums.
    public var checksum: UInt64

    /// The version if there is one, otherwise the tag, otherwise the checksum.
    public var description: String {
        if let version { return "version \(version)" }
        return entityTag ?? "#\(String(checksum, radix: 16))"
    }
}

/// The `ETag` of an answer (RFC 9110, section 8.8.3).
enum EntityTag {
    /// Returns the tag exactly as it was sent, a weak one included, or `nil` if it is not one tag.
    ///
    /// Some servers leave out the quotation marks, and recognize their tag only without them. Two tags in one answer are
    /// invalid, because either may belong to the body.
    static func parse(_ field: String?) -> String? {
        guard let field, (1...1024).contains(field.utf8.count) else { return nil }
        let opaque = field.utf8.starts(with: "W/".utf8) ? field.utf8.dropFirst(2) : field.utf8[...]
        let isQuoted = opaque.count >= 2 && opaque.first == quote && opaque.last == quote
        let inner = isQuoted ? opaque.dropFirst().dropLast() : opaque
        let isTag = inner.allSatisfy { $0 >= 0x21 && $0 != quote && $0 != 0x7F && (isQuoted || $0 != comma) }
        return isTag && (isQuoted || !inner.isEmpty) ? field : nil
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
}

/// The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991).
///
/// It detects corruption and makes file names. It doesn't protect against forgery; ``PayloadVerifier`` does.
struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// Sixteen hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
