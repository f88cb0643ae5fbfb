package import Foundation
package import TacklineCore
import TacklineSigning

// Foundation: `Data` is the body of an answer.

/// Makes a ``RemoteDocument`` from bytes, or throws the reason why it can't.
package struct RemoteDocumentReader: Sendable {
    private let configuration: RemoteJSONProvider.Configuration
    private let trust: DocumentTrust?
    /// Checks a document in its format, and prepares its content.
    private let prepare: @Sendable (FlagDocument, Data) throws(FlagError) -> PreparedFlagDocument

    package init(
        _ configuration: RemoteJSONProvider.Configuration, bootstrap: FlagDocument = FlagDocument(),
        prepare: @escaping @Sendable (FlagDocument, Data) throws(FlagError) -> PreparedFlagDocument
    ) {
        self.configuration = configuration
        self.prepare = prepare
        var trust = configuration.trust
        if case .integer(let shipped)? = bootstrap.root["$version"] {
            let minimum = max(trust?.minimumVersion ?? shipped, shipped)
            trust?.minimumVersion = minimum
        }
        self.trust = trust
    }

    private var format: FlagDocumentFormat { configuration.format }

    /// Reads and verifies a document. It changes nothing.
    ///
    /// - Parameter header: Returns a header field of the answer.
    /// - Throws: `FlagError`, whose message continues "the document was rejected: ".
    func read(_ body: Data, header: (String) -> String?) throws(FlagError) -> RemoteDocument {
        let signature = configuration.signatureField.flatMap(header)
        var (payload, signers) = try opened(body, signature: signature)
        var document = try parsed(payload)
        let terms = try DocumentTerms(document.root)
        if let trust { try trust.checkTerms(document.root, at: .distantPast) }
        try terms.checkExpiry(at: configuration.wallClock())
        var kept = body
        var stream: URL?
        if let takeStream = configuration.dialect.takeStream {
            let count = document.root.count
            stream = takeStream(&document)
            // The stream's URL may contain a credential, so it is not written to the disk.
            if document.root.count != count {
                kept = (try? FlagJSONWriter(layout: .compact).data(of: .object(document.root))) ?? Data()
                payload = kept
            }
        } else {
            try checkKind(document.root, isVersioned: terms.version != nil)
        }
        if format.holdsValues { document.root = document.root.filter { !$0.key.hasPrefix("$") } }
        let content: PreparedFlagDocument
        do throws(FlagError) {
            content = try prepare(document, payload)
        } catch {
            throw rejection("it is not a document in the format \(format.name): \(error.reason)")
        }
        return RemoteDocument(
            content: content, body: kept, payload: payload, version: terms.version,
            validators: DocumentValidators(
                entityTag: EntityTag.parse(header("ETag")), lastModified: header("Last-Modified")),
            signature: signature,
            signers: signers, expires: terms.expires, stream: stream)
    }

    private func rejection(_ reason: String) -> FlagError { FlagError(.rejected, reason) }

    /// Returns the document in what came, and the identifiers of the trusted keys that have signed it.
    private func opened(_ body: Data, signature: String?) throws(FlagError) -> (payload: Data, signers: [String]) {
        var payload = body
        do {
            if let verify = configuration.verify { payload = try verify(body, signature) }
        } catch {
            throw rejection("verify refused it: \(error)")
        }
        // A network with a login page answers every request with that page.
        let content = payload.starts(with: [0xEF, 0xBB, 0xBF]) ? payload.dropFirst(3) : payload
        if content.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "<") {
            throw rejection("it is a web page and not JSON; the network may require a login")
        }
        guard let trust else { return (payload, []) }
        return try trust.openedDocument(payload, maximumBytes: configuration.effectiveMaximumBodyBytes)
    }

    private func parsed(_ payload: Data) throws(FlagError) -> FlagDocument {
        var limits = FlagJSONReader.Limits()
        limits.maximumBytes = configuration.effectiveMaximumBodyBytes
        do throws(FlagJSONError) {
            return try format.document(json: payload, limits: limits)
        } catch {
            throw rejection(error.description)
        }
    }

    /// Refuses what a server or a proxy says in place of a document. A document with a `$version` is always meant.
    private func checkKind(_ root: [String: EncodedFlagValue], isVersioned: Bool) throws(FlagError) {
        let words: Set<String> = [
            "code", "detail", "details", "error", "errorCode", "errors", "message", "path", "reason", "requestId",
            "status",
            "statusCode", "success", "timestamp", "title", "traceId", "type",
        ]
        let names = Set(root.keys.filter { !$0.hasPrefix("$") })
        let advice = "to withdraw all values, send a document that has only a $version"
        if !isVersioned, format.holdsValues {
            if names.isEmpty { throw rejection("it is empty; \(advice)") }
            if names.isSubset(of: words), !names.isDisjoint(with: ["error", "errorCode", "errors", "message"]) {
                throw rejection(
                    "it is an error message and no document of flags; correct the server, or add a $version")
            }
        }
        guard case .object(let flags)? = root["flags"] else { return }
        if !isVersioned, !format.holdsValues, flags.isEmpty {
            throw rejection("it has no definition; to withdraw all, give it a $version")
        }
        let hasDefinitions = flags.values.allSatisfy {
            if case .object(let flag) = $0 { flag["variants"] != nil } else { false }
        }
        if format.holdsValues, !flags.isEmpty, hasDefinitions {
            throw rejection("it has definitions with rules and no values; create the provider with format: .flagd")
        }
    }
}
