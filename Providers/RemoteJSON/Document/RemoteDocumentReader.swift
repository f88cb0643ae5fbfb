import Foundation
import TacklineCore
import TacklineSigning

// Foundation: `Data` is the body of an answer, `Date` the expiry of a document.

/// Makes a ``RemoteDocument`` from bytes, or throws the reason why it can't.
struct RemoteDocumentReader: Sendable {
    private let configuration: RemoteJSONConfiguration
    private let limits: FlagJSONReader.Limits
    /// The store that prepares documents.
    private let store: any FlagDocumentStore
    /// The terms that a document must meet; `nil` if it need not be signed.
    let trust: DocumentTrust?

    init(_ configuration: RemoteJSONConfiguration, store: any FlagDocumentStore) {
        self.configuration = configuration
        self.store = store
        var limits = configuration.limits
        limits.maximumBytes = configuration.effectiveMaximumBodyBytes
        self.limits = limits
        trust = configuration.effectiveTrust
    }

    private var format: FlagDocumentFormat { configuration.format }

    /// Reads and verifies a document. It changes nothing.
    ///
    /// - Parameters:
    ///   - url: The URL from which the document came.
    ///   - current: The version in force. An older document is rejected.
    ///   - lead: The time by which the wall clock is ahead of the server's, if it is known.
    func read(
        _ body: Data,
        from url: URL,
        headers: HTTPTransportHeaders,
        current: Int128?,
        lead: Duration? = nil
    ) throws(RejectionError) -> RemoteDocument {
        try checkIsNotHTML(body, contentType: headers["Content-Type"])
        let signature = configuration.verifier?.signatureField.flatMap { headers[$0] }
        let (payload, signers) = try opened(body, signature: signature)
        var values = try values(of: payload)
        let count = values.root.count
        let stream = configuration.dialect?.takeStream(&values)
        // The stream's URL may contain a credential, so it is not written to the disk.
        let kept = values.root.count == count ? body : try bytes(of: values)
        let terms = try terms(in: values.root, current: current, lead: lead)
        let revision = RemoteJSONRevision(
            version: terms.version,
            entityTag: EntityTag.parse(headers["ETag"]),
            checksum: Checksum(kept).value
        )
        return RemoteDocument(
            content: try content(of: values, payload),
            url: url,
            body: kept,
            revision: revision,
            lastModified: headers["Last-Modified"],
            signature: signature,
            signers: signers,
            expires: terms.expires,
            contentChecksum: Checksum(payload).value,
            stream: stream
        )
    }

    /// Returns the document in what came, and the trusted keys that have signed it.
    private func opened(
        _ body: Data, signature: String?
    ) throws(RejectionError) -> (payload: Data, signers: Set<TrustedKey>) {
        let verifier = configuration.verifier
        do {
            guard let trust else { return (try verifier?.payload(of: body, signature: signature) ?? body, []) }
            // The application's own verifier checks the envelope.
            try verifier?.verify(body, signature: signature)
            return try trust.payloadAndSigners(of: SignedEnvelope(json: body, maximumBytes: limits.maximumBytes))
        } catch let error as DocumentTrustError {
            throw RejectionError(reason: error.reason)
        } catch {
            throw RejectionError(reason: "the verifier refused it: \(error)")
        }
    }

    /// Rejects web pages: a network with a login page answers every request with that page.
    private func checkIsNotHTML(_ body: Data, contentType: String?) throws(RejectionError) {
        let type = (contentType ?? "").lowercased()
        let content = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
        let first = content.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if type.hasPrefix("text/html") || type.hasPrefix("application/xhtml") || first == UInt8(ascii: "<") {
            throw RejectionError(reason: "it is a web page and not JSON; the network may require a login")
        }
    }

    private func values(of body: Data) throws(RejectionError) -> FlagDocument {
        do throws(FlagJSONError) {
            return try format.document(json: body, limits: limits)
        } catch {
            throw RejectionError(reason: error.description)
        }
    }

    private func bytes(of document: FlagDocument) throws(RejectionError) -> Data {
        do {
            return try FlagJSONWriter(layout: .compact).data(of: .object(document.root))
        } catch {
            throw RejectionError(reason: "it cannot be kept: \(error)")
        }
    }

    /// Prepares a document without the members at its top level whose name begins with `$`, since they describe the
    /// document.
    private func content(of document: FlagDocument, _ body: Data) throws(RejectionError) -> PreparedFlagDocument {
        var document = document
        do throws(FlagError) {
            if format.holdsValues { document.root = document.root.filter { !$0.key.hasPrefix("$") } }
            return try store.prepare(document, json: body)
        } catch {
            throw RejectionError(reason: "it is not a document in the format \(format.name): \(error.reason)")
        }
    }

    private func terms(
        in root: [String: EncodedFlagValue], current: Int128?, lead: Duration?
    ) throws(RejectionError) -> DocumentTerms {
        let terms: DocumentTerms
        do throws(DocumentTrustError) {
            terms = try DocumentTerms(root)
        } catch {
            throw RejectionError(reason: error.reason)
        }
        if let current, let version = terms.version, version < current {
            throw RejectionError(
                reason: "its $version \(version) is older than \(current), which is in force; raise it", isOlder: true)
        }
        do throws(DocumentTrustError) {
            try trust?.checkTerms(root, at: .distantPast)
            try checkExpiry(terms, lead: lead)
        } catch {
            throw RejectionError(reason: error.reason)
        }
        return terms
    }

    /// Checks the expiry. A clock that lags behind the server's is corrected by the difference. If a clock that is
    /// ahead of it makes a document expire, the error says so.
    private func checkExpiry(_ terms: DocumentTerms, lead: Duration?) throws(DocumentTrustError) {
        let lead = lead ?? .zero
        do throws(DocumentTrustError) {
            try terms.checkExpiry(at: configuration.wallClock().addingTimeInterval(max(0, -(lead / .seconds(1)))))
        } catch {
            guard lead > ClockComparison.tolerance else { throw error }
            throw DocumentTrustError(.expiry, "\(error.reason), by a clock that is \(ClockComparison.text(lead))")
        }
    }
}

/// The reason why a document in an answer is not accepted.
struct RejectionError: Error {
    /// The text after "the document was rejected: ".
    var reason: String
    /// Whether the document's version is older than the one in force.
    var isOlder = false
}
