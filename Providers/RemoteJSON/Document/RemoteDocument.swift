#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Data` is what servers give.

/// A document that was accepted, with what is needed to ask for a newer one.
struct RemoteDocument: Sendable {
    /// What it holds, ready to be put in force.
    var content: PreparedFlagDocument
    /// Where it came from.
    var url: URL
    /// The bytes as they came.
    var body: Data
    var revision: RemoteJSONRevision
    /// The value of `Last-Modified`.
    var lastModified: String?
    /// What the ``PayloadVerifier`` asked to be kept.
    var signature: String?
}
