#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFormats

// Foundation: `Data` is what servers give, `Date` what documents expire at.

/// A document that was accepted, with what is needed to ask for a newer one. An object, so that which one it is can be told
/// without comparing what it holds.
final class RemoteDocument: Sendable {
    /// What it holds, ready to be put in force.
    let content: PreparedFlagDocument
    /// Where it came from.
    let url: URL
    /// The bytes as they came.
    let body: Data
    let revision: RemoteJSONRevision
    /// The value of `Last-Modified`.
    let lastModified: String?
    /// What the ``PayloadVerifier`` asked to be kept.
    let signature: String?
    /// When it must not be believed any more.
    let expires: Date?
    /// A hash of the document itself, whoever has signed it.
    let contentChecksum: UInt64
    /// Where the server tells changes, by what the document said.
    let stream: URL?

    init(
        content: PreparedFlagDocument, url: URL, body: Data, revision: RemoteJSONRevision, lastModified: String? = nil,
        signature: String? = nil, expires: Date? = nil, contentChecksum: UInt64? = nil,
        stream: URL? = nil
    ) {
        self.content = content
        self.url = url
        self.body = body
        self.revision = revision
        self.lastModified = lastModified
        self.signature = signature
        self.expires = expires
        self.stream = stream
        self.contentChecksum = contentChecksum ?? revision.checksum
    }
}

/// Which edition of the document this is.
public struct RemoteJSONRevision: Sendable, Hashable, CustomStringConvertible {
    /// The document's `$version`, or `nil` if it has none.
    public var version: Int128?
    /// The `ETag` with which it came, or `nil` if it had none that is usable.
    public var entityTag: String?
    /// A hash of the document's bytes (FNV-1a, 64 bits). Equal bytes have equal ones.
    public var checksum: UInt64

    /// The version where there is one, else the tag, else the checksum.
    public var description: String {
        if let version { return "version \(version)" }
        return entityTag ?? "#\(String(checksum, radix: 16))"
    }
}

/// The `ETag` of an answer (RFC 9110, section 8.8.3).
enum EntityTag {
    /// Returns the tag exactly as it was sent, a weak one included, or `nil` if it is not one well-formed tag.
    ///
    /// Two tags in one answer are none: nobody can know which of them belongs to the body.
    static func parse(_ field: String?) -> String? {
        guard let field else { return nil }
        let opaque = field.utf8.starts(with: "W/".utf8) ? field.utf8.dropFirst(2) : field.utf8[...]
        guard opaque.count >= 2, opaque.count <= 1024, opaque.first == quote, opaque.last == quote else { return nil }
        let inner = opaque.dropFirst().dropLast()
        return inner.allSatisfy { $0 >= 0x21 && $0 != quote && $0 != 0x7F } ? field : nil
    }

    private static let quote = UInt8(ascii: "\"")
}

/// The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991).
///
/// It finds every flipped bit and makes file names; it keeps nobody from forging anything, which ``PayloadVerifier`` is
/// for.
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
