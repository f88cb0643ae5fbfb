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

    init(
        content: PreparedFlagDocument, url: URL, body: Data, revision: RemoteJSONRevision, lastModified: String? = nil,
        signature: String? = nil, expires: Date? = nil, contentChecksum: UInt64? = nil
    ) {
        self.content = content
        self.url = url
        self.body = body
        self.revision = revision
        self.lastModified = lastModified
        self.signature = signature
        self.expires = expires
        self.contentChecksum = contentChecksum ?? revision.checksum
    }
}
