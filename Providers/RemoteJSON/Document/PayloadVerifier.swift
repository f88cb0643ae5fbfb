#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Data` is what servers give.

/// Decides whether a document comes from whom it should: checks a signature, for example.
///
/// It is asked after the document has been parsed and before any of its values is used, for a document from the cache
/// just as for one from the server. It may be called from any task.
public protocol PayloadVerifier: Sendable {
    /// The name of the header field that carries the signature, or `nil` if the body needs none.
    ///
    /// Its value is kept in the cache beside the body.
    var signatureField: String? { get }

    /// Checks a document.
    ///
    /// - Parameters:
    ///   - body: The bytes exactly as the server sent them.
    ///   - signature: The value of ``signatureField``, or `nil` if the answer did not have it.
    /// - Throws: Any error to refuse the document; its description goes into the log.
    func verify(_ body: Data, signature: String?) throws
}

extension PayloadVerifier {
    /// `nil`: the body is checked without a header field.
    public var signatureField: String? { nil }
}
