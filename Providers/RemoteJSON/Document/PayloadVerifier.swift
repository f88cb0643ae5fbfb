public import Foundation
import TacklineCore
import TacklineSigning

// Foundation: `Data` is the body of an answer.

/// A check of a document's origin, such as its signature.
///
/// A document is checked before any of it is read, whether it comes from the cache or from the server. The functions
/// may be called from any task. For Ed25519 signatures in envelopes use ``RemoteJSONConfiguration/trust``; a verifier
/// is for other schemes.
public protocol PayloadVerifier: Sendable {
    /// The name of the header field with the signature, or `nil` if the body needs none.
    ///
    /// The cache keeps its value with the body.
    var signatureField: String? { get }

    /// Checks a document.
    ///
    /// - Parameters:
    ///   - body: The bytes exactly as the server sent them.
    ///   - signature: The value of ``signatureField``, or `nil` if the answer did not have it.
    /// - Throws: Any error to refuse the document; its description goes into the log.
    func verify(_ body: Data, signature: String?) throws

    /// Checks a body and returns the document in it, for schemes that wrap the document. By default the body is the
    /// document, and ``verify(_:signature:)`` checks it.
    ///
    /// - Parameters:
    ///   - body: The bytes exactly as the server sent them. The cache keeps them.
    ///   - signature: The value of ``signatureField``, or `nil` if the answer did not have it.
    /// - Returns: The document as JSON.
    /// - Throws: Any error to refuse the document; its description goes into the log.
    func payload(of body: Data, signature: String?) throws -> Data
}

extension PayloadVerifier {
    /// The field of the signature: `nil`, so the body is checked without a header field.
    public var signatureField: String? { nil }

    /// Verifies the body, which is the document.
    public func payload(of body: Data, signature: String?) throws -> Data {
        try verify(body, signature: signature)
        return body
    }
}

extension RemoteJSONConfiguration {
    /// The application's trust, whose lowest accepted version is raised to that of the bootstrap if that is higher.
    var effectiveTrust: DocumentTrust? {
        guard var trust else { return nil }
        if case .integer(let shipped)? = bootstrap.root["$version"] {
            trust.minimumVersion = max(trust.minimumVersion ?? shipped, shipped)
        }
        return trust
    }
}
