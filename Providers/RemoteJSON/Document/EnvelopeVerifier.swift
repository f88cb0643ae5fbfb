#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFormats
import TacklineSigning

// Foundation: `Data` is what servers give.

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
