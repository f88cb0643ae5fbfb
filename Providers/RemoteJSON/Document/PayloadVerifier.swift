#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import TacklineCore
import TacklineFormats
import TacklineSigning

// Foundation: `Data` is what servers give.

/// Decides whether a document comes from whom it should: checks a signature, for example.
///
/// It is asked before anything in the document is read, for one from the cache just as for one from the server. It may be
/// called from any task. For signatures of Ed25519 in envelopes there is ``RemoteJSONConfiguration/trust``; a verifier is for
/// other schemes.
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

    /// Checks what came and returns the document in it: for schemes in which a document comes inside of something else. By
    /// default what came is the document, and ``verify(_:signature:)`` checks it.
    ///
    /// - Parameters:
    ///   - body: The bytes exactly as the server sent them. They are what is kept in the cache.
    ///   - signature: The value of ``signatureField``, or `nil` if the answer did not have it.
    /// - Returns: The document as JSON.
    /// - Throws: Any error to refuse it; its description goes into the log.
    func payload(of body: Data, signature: String?) throws -> Data
}

extension PayloadVerifier {
    /// `nil`: the body is checked without a header field.
    public var signatureField: String? { nil }

    /// Verifies the body, which is the document.
    public func payload(of body: Data, signature: String?) throws -> Data {
        try verify(body, signature: signature)
        return body
    }
}

/// Takes documents out of signed envelopes, by ``RemoteJSONConfiguration/trust``.
struct EnvelopeVerifier: PayloadVerifier {
    let trust: DocumentTrust
    /// What the application wants checked besides: it sees the envelope.
    let other: (any PayloadVerifier)?
    let maximumBytes: Int

    var signatureField: String? { other?.signatureField }

    func verify(_ body: Data, signature: String?) throws {
        _ = try payload(of: body, signature: signature)
    }

    func payload(of body: Data, signature: String?) throws -> Data {
        try other?.verify(body, signature: signature)
        return try trust.open(body, maximumBytes: maximumBytes)
    }
}

extension RemoteJSONConfiguration {
    /// Everything that documents are checked with before they are read; `nil` for nothing.
    var effectiveVerifier: (any PayloadVerifier)? {
        guard let trust = effectiveTrust else { return verifier }
        return EnvelopeVerifier(trust: trust, other: verifier, maximumBytes: effectiveMaximumBodyBytes)
    }

    /// The lowest version that is accepted: what the application says, or what its bootstrap has if that is later.
    var effectiveTrust: DocumentTrust? {
        guard var trust else { return nil }
        if case .integer(let shipped)? = bootstrap.root["$version"] {
            trust.minimumVersion = max(trust.minimumVersion ?? shipped, shipped)
        }
        return trust
    }
}
