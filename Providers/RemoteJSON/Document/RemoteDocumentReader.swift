#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFormats
import TacklineSigning

// Foundation: `Data` is what servers give, `Date` what documents expire at.

/// Makes a ``RemoteDocument`` of bytes, or says what is wrong with them.
struct RemoteDocumentReader: Sendable {
    var limits: FlagJSONReader.Limits
    var format: FlagDocumentFormat
    /// Prepares documents.
    var store: any FlagDocumentStore
    var verifier: (any PayloadVerifier)?
    /// What a document must say about itself; `nil` where it need not be signed.
    var trust: DocumentTrust?
    /// Takes out of a document where its server tells changes.
    var takeStream: (@Sendable (inout FlagDocument) -> URL?)?
    /// The time by the clock on the wall.
    var now: @Sendable () -> Date

    init(_ configuration: RemoteJSONConfiguration, store: any FlagDocumentStore) {
        limits = configuration.limits
        limits.maximumBytes = configuration.effectiveMaximumBodyBytes
        format = configuration.format
        self.store = store
        verifier = configuration.effectiveVerifier
        trust = configuration.effectiveTrust
        takeStream = configuration.dialect?.takeStream
        now = configuration.wallClock
    }

    /// Reads and verifies a document; nothing is changed by it.
    ///
    /// - Parameters:
    ///   - url: Where it came from.
    ///   - current: The version in force, which the document must not be older than.
    ///   - lead: How far the clock on the wall is ahead of the server's, where that is known.
    func read(
        _ body: Data,
        from url: URL,
        headers: HTTPTransportHeaders,
        current: Int128?,
        lead: Duration? = nil
    ) throws(RejectionError) -> RemoteDocument {
        try checkIsNotHTML(body, contentType: headers["Content-Type"])
        let signature = verifier?.signatureField.flatMap { headers[$0] }
        let payload = try payload(of: body, signature: signature)
        var values = try values(of: payload)
        let count = values.root.count
        let stream = takeStream?(&values)
        // The stream's URL may let its bearer in, so no disk has it.
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
            expires: terms.expires,
            contentChecksum: Checksum(payload).value,
            stream: stream
        )
    }

    private func payload(of body: Data, signature: String?) throws(RejectionError) -> Data {
        do {
            return try verifier?.payload(of: body, signature: signature) ?? body
        } catch let error as DocumentTrustError {
            throw RejectionError(reason: error.reason)
        } catch {
            throw RejectionError(reason: "the verifier refused it: \(error)")
        }
    }

    /// A network that wants people to log in answers everything with a page of its own.
    private func checkIsNotHTML(_ body: Data, contentType: String?) throws(RejectionError) {
        let type = (contentType ?? "").lowercased()
        let content = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
        let first = content.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if type.hasPrefix("text/html") || type.hasPrefix("application/xhtml") || first == UInt8(ascii: "<") {
            throw RejectionError(reason: "it is a web page and no JSON; the network may want somebody to log in")
        }
    }

    private func values(of body: Data) throws(RejectionError) -> FlagDocument {
        do {
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

    /// Members at the top whose name begins with `$` speak about the document, and about how to read it.
    private func content(of document: FlagDocument, _ body: Data) throws(RejectionError) -> PreparedFlagDocument {
        var document = document
        if format.holdsValues { document.removeMembers { $0.hasPrefix("$") } }
        do throws(FlagDocumentError) {
            return try store.prepare(document, json: body)
        } catch {
            throw RejectionError(reason: "it is no document in the format \(format.name): \(error.reason)")
        }
    }

    private func terms(
        in root: [String: EncodedFlagValue], current: Int128?, lead: Duration?
    ) throws(RejectionError) -> DocumentTerms {
        do throws(DocumentTrustError) {
            let terms = try DocumentTerms(root)
            if let current, let version = terms.version, version < current {
                throw DocumentTrustError(
                    .version, "its $version \(version) is older than \(current), which is in force")
            }
            try trust?.checkTerms(root, at: .distantPast)
            try checkExpiry(terms, lead: lead)
            return terms
        } catch {
            throw RejectionError(reason: error.reason)
        }
    }

    /// A clock that lags behind the server's gives an old document no more time; one that is ahead of it refuses documents, and
    /// then that is said.
    private func checkExpiry(_ terms: DocumentTerms, lead: Duration?) throws(DocumentTrustError) {
        let lead = lead ?? .zero
        do throws(DocumentTrustError) {
            try terms.checkExpiry(at: now().addingTimeInterval(max(0, -(lead / .seconds(1)))))
        } catch {
            guard lead > ClockComparison.tolerance else { throw error }
            throw DocumentTrustError(.expiry, "\(error.reason), by a clock that is \(ClockComparison.text(lead))")
        }
    }
}

/// Why an answer with a document is not accepted.
struct RejectionError: Error {
    /// As it goes on after "the document was rejected: ".
    var reason: String
}
