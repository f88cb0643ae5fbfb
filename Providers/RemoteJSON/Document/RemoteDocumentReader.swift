#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFormats

// Foundation: `Data` is what servers give, `Date` what documents expire at.

/// Makes a ``RemoteDocument`` of bytes, or says what is wrong with them.
struct RemoteDocumentReader: Sendable {
    var limits: FlagJSONReader.Limits
    var format: FlagDocumentFormat
    /// Prepares documents.
    var store: any FlagDocumentStore
    var verifier: (any PayloadVerifier)?
    /// The time by the clock on the wall.
    var now: @Sendable () -> Date

    /// Reads and verifies a document; nothing is changed by it.
    ///
    /// - Parameters:
    ///   - url: Where it came from.
    ///   - current: The version in force, which the document must not be older than.
    func read(
        _ body: Data,
        from url: URL,
        headers: HTTPHeaders,
        current: Int128?
    ) throws(RejectionError) -> RemoteDocument {
        try checkIsNotHTML(body, contentType: headers["Content-Type"])
        let values = try values(of: body)
        let version = try version(in: values.root, current: current)
        try checkExpiry(in: values.root)
        let signature = verifier?.signatureField.flatMap { headers[$0] }
        do {
            try verifier?.verify(body, signature: signature)
        } catch {
            throw RejectionError(reason: "the verifier refused it: \(error)")
        }
        let revision = RemoteJSONRevision(
            version: version,
            entityTag: EntityTag.parse(headers["ETag"]),
            checksum: Checksum(body).value
        )
        return RemoteDocument(
            content: try content(of: values, body),
            url: url,
            body: body,
            revision: revision,
            lastModified: headers["Last-Modified"],
            signature: signature
        )
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

    private func version(in root: [String: EncodedFlagValue], current: Int128?) throws(RejectionError) -> Int128? {
        guard let value = root["$version"] else { return nil }
        guard case .integer(let version) = value else {
            throw RejectionError(reason: "its $version is \(value), where an integer is expected")
        }
        if let current, version < current {
            throw RejectionError(reason: "its $version \(version) is older than \(current), which is in force")
        }
        return version
    }

    private func checkExpiry(in root: [String: EncodedFlagValue]) throws(RejectionError) {
        guard let value = root["$expires"] else { return }
        guard let expiry = try? Date(encoded: value) else {
            throw RejectionError(reason: "its $expires is \(value), where a date in the form of RFC 3339 is expected")
        }
        guard expiry > now() else {
            throw RejectionError(reason: "it expired at \(value)")
        }
    }
}
