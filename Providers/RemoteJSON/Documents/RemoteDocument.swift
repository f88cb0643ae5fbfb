package import Foundation
import Synchronization
package import TacklineCore
import TacklineSigning

// Foundation: `Data` is the body of an answer, `Date` the expiry of a document.

/// The place of a document, and to whom it belongs.
package struct RemoteTarget: Sendable, Equatable {
    package var url: URL
    /// The identity of the user, if the URL doesn't contain it.
    package var subject: String?
    /// The body of a POST request; `nil` for a GET request. Documents for one subject and different bodies are about the
    /// same user.
    package var body: Data?
    /// The name of the user in evaluations. It is no part of the identity.
    package var label: String?

    package init(url: URL, subject: String? = nil, body: Data? = nil) {
        (self.url, self.subject, self.body) = (url, subject, body)
    }

    /// Returns whether the documents belong to the same user. Subjects are compared by their bytes: two users can have
    /// names that `String` takes for equal.
    func hasSameSubject(as other: RemoteTarget) -> Bool {
        url == other.url && subject.map { Array($0.utf8) } == other.subject.map { Array($0.utf8) }
    }

    package static func == (left: RemoteTarget, right: RemoteTarget) -> Bool {
        left.hasSameSubject(as: right) && left.body == right.body
    }
}

/// The header fields of a conditional request, which name the document that is known.
package struct DocumentValidators: Sendable {
    /// The `ETag`, if the answer had a usable one.
    var entityTag: String?
    var lastModified: String?
}

/// An accepted document. It is an object, so that two documents can be distinguished without comparing their contents.
package final class RemoteDocument: Sendable {
    /// The content, ready to be put in force.
    package let content: PreparedFlagDocument
    /// The bytes as they are kept in the cache: as the server sent them, or without the URL of the stream.
    let body: Data
    /// The document without its signatures.
    let payload: Data
    let version: Int128?
    package let validators: DocumentValidators
    /// The signature for ``RemoteJSONProvider/Configuration/verify``.
    let signature: String?
    /// The identifiers of the trusted keys that have signed it, sorted; none where documents need not be signed.
    let signers: [String]
    let expires: Date?
    /// The URL of the stream that the document named.
    let stream: URL?
    private let hash = Mutex<UInt64?>(nil)

    init(
        content: PreparedFlagDocument, body: Data, payload: Data, version: Int128?,
        validators: DocumentValidators, signature: String?, signers: [String], expires: Date?, stream: URL?
    ) {
        (self.content, self.body, self.payload, self.version) = (content, body, payload, version)
        (self.validators, self.signature) = (validators, signature)
        (self.signers, self.expires, self.stream) = (signers, expires, stream)
    }

    /// The edition, for people to read.
    var revision: String { version.map { "version \($0)" } ?? validators.entityTag ?? "#\(Checksum(payload).text)" }

    /// A hash of the parsed content without `$version`, worked out when it is first asked for.
    var fingerprint: UInt64 {
        hash.withLock { hash in
            if let hash { return hash }
            var members: [String: EncodedFlagValue] = [:]
            if case .object(let root)? = try? FlagJSONReader().read(payload) { members = root }
            members["$version"] = nil
            let text = try? FlagJSONWriter(layout: .compact).bytes(of: .object(members))
            let new = Checksum(text ?? Array(payload)).value
            hash = new
            return new
        }
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
        let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
        let opaque = field.utf8.starts(with: "W/".utf8) ? field.utf8.dropFirst(2) : field.utf8[...]
        let isQuoted = opaque.count >= 2 && opaque.first == quote && opaque.last == quote
        let inner = isQuoted ? opaque.dropFirst().dropLast() : opaque
        let isTag = inner.allSatisfy { $0 >= 0x21 && $0 != quote && $0 != 0x7F && (isQuoted || $0 != comma) }
        return isTag && (isQuoted || !inner.isEmpty) ? field : nil
    }
}

/// The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991).
///
/// It detects corruption and makes file names. It doesn't protect against forgery; signatures do.
package struct Checksum {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
