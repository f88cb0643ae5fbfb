package import Foundation
package import TacklineCore
import TacklineSigning

/// The place of a document, and to whom it belongs.
package struct RemoteTarget: Sendable, Equatable {
    package var url: URL
    /// The identity of the user, if the URL doesn't contain it.
    package var subject: String?
    /// The body of a POST request; `nil` for a GET request. Documents for one subject and different bodies are about the
    /// same user.
    package var body: Data?
    /// The name of the user in evaluations. It is no part of the identity.
    package var label: String?

    package init(url: URL, subject: String? = nil, body: Data? = nil) {
        (self.url, self.subject, self.body) = (url, subject, body)
    }

    /// A hash of the body.
    var requestHash: String? { body.map { Checksum($0).text } }

    /// Returns whether the documents belong to the same user. Subjects are compared by their bytes: two users can have
    /// names that `String` takes for equal.
    func hasSameSubject(as other: RemoteTarget) -> Bool {
        url == other.url && subject.map { Array($0.utf8) } == other.subject.map { Array($0.utf8) }
    }

    package static func == (left: RemoteTarget, right: RemoteTarget) -> Bool {
        left.hasSameSubject(as: right) && left.body == right.body
    }
}

/// An accepted document.
package struct RemoteDocument: Sendable {
    /// The content, ready to be put in force.
    let content: PreparedFlagDocument
    /// The bytes as they are kept in the cache: as the server sent them, or without the URL of the stream.
    let body: Data
    /// The header fields of a conditional request, which name the document: with its `ETag`, or else its `Last-Modified`.
    package let conditions: [String: String]
    /// The identifiers of the trusted keys that have signed it, sorted; none where documents need not be signed.
    let signers: [String]
    /// Its version and its expiry.
    let terms: DocumentTerms
    /// The URL of the stream that the document named.
    let stream: URL?
    /// A hash of the parsed content without `$version`.
    let fingerprint: UInt64

    /// The edition, for people to read.
    var revision: String {
        terms.version.map { "version \($0)" } ?? conditions["If-None-Match"] ?? "#\(Checksum(fingerprint).text)"
    }
}

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
        (self.configuration, self.prepare) = (configuration, prepare)
        var trust = configuration.trust
        if case .integer(let shipped)? = bootstrap.root["$version"] {
            let minimum = max(trust?.minimumVersion ?? shipped, shipped)
            trust?.minimumVersion = minimum
        }
        self.trust = trust
    }

    /// Reads and verifies a document. It changes nothing.
    ///
    /// - Parameter header: Returns a header field of the answer.
    /// - Throws: `FlagError`, whose message continues "the document was rejected: ".
    func read(_ body: Data, header: (String) -> String?) throws(FlagError) -> RemoteDocument {
        let format = configuration.format
        let (payload, signers) = try opened(body)
        var document: FlagDocument
        do throws(FlagJSONError) {
            document = try format.document(json: payload, maximumBytes: configuration.effectiveMaximumBodyBytes)
        } catch {
            throw FlagError(.rejected, error.description)
        }
        let terms = try DocumentTerms(document.root)
        _ = try trust?.checkTerms(document.root, at: .distantPast)
        try terms.checkExpiry(at: configuration.wallClock())
        // The stream's URL may contain a credential, so it is not written to the disk.
        let stream = configuration.dialect.takeStream?(&document)
        func json(_ root: [String: EncodedFlagValue]) -> Data? {
            try? FlagJSONWriter(layout: .compact).data(of: .object(root))
        }
        let kept = configuration.isEvaluating ? json(document.root) ?? Data() : body
        let fingerprint = Checksum(json(document.root.filter { $0.key != "$version" }) ?? payload).value
        if !configuration.isEvaluating, let reason = refusal(of: document.root, isVersioned: terms.version != nil) {
            throw FlagError(.rejected, reason)
        }
        if format.holdsValues { document.root = document.root.filter { !$0.key.hasPrefix("$") } }
        let content: PreparedFlagDocument
        do throws(FlagError) {
            content = try prepare(document, payload)
        } catch {
            throw FlagError(.rejected, "it is not a document in the format \(format.name): \(error.reason)")
        }
        var conditions: [String: String] = [:]
        conditions["If-None-Match"] = Self.entityTag(header("ETag"))
        if conditions.isEmpty { conditions["If-Modified-Since"] = header("Last-Modified") }
        return RemoteDocument(
            content: content, body: kept, conditions: conditions, signers: signers, terms: terms, stream: stream,
            fingerprint: fingerprint)
    }

    /// Returns the document in what came, and the identifiers of the trusted keys that have signed it.
    private func opened(_ body: Data) throws(FlagError) -> (payload: Data, signers: [String]) {
        // A network with a login page answers every request with that page.
        if body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "<") {
            throw FlagError(.rejected, "it is a web page and not JSON; the network may require a login")
        }
        return try trust?.openedDocument(body, maximumBytes: configuration.effectiveMaximumBodyBytes) ?? (body, [])
    }

    /// The members of error messages.
    private static let errorMembers: Set<String> = [
        "code", "detail", "details", "error", "errorCode", "errors", "message", "path", "reason", "requestId", "status",
        "statusCode", "success", "timestamp", "title", "traceId", "type",
    ]

    /// Returns the reason why this is what a server or a proxy says in place of a document; `nil` if it is not. A document
    /// with a `$version` is always meant.
    private func refusal(of root: [String: EncodedFlagValue], isVersioned: Bool) -> String? {
        let names = root.keys.filter { !$0.hasPrefix("$") }
        var flags: [String: EncodedFlagValue]?
        if case .object(let members)? = root["flags"] { flags = members }
        guard configuration.format.holdsValues else {
            return flags?.isEmpty == true && !isVersioned
                ? "it has no definition; to withdraw all, give it a $version" : nil
        }
        let areDefinitions = flags?.values.allSatisfy {
            if case .object(let flag) = $0 { flag["variants"] != nil } else { false }
        }
        if areDefinitions == true, flags?.isEmpty == false {
            return "it has definitions with rules and no values; create the provider with format: .flagd"
        }
        if isVersioned { return nil }
        if names.isEmpty { return "it is empty; to withdraw all values, send a document that has only a $version" }
        let isError = names.contains { ["error", "errorCode", "errors", "message"].contains($0) }
        return isError && Self.errorMembers.isSuperset(of: names)
            ? "it is an error message and no document of flags; correct the server, or add a $version" : nil
    }

    /// Returns an `ETag` exactly as it was sent, a weak one included and one without quotation marks, which some servers
    /// require; `nil` if it is not one tag. Two tags in one answer are invalid, because either may belong to the body.
    private static func entityTag(_ field: String?) -> String? {
        field.flatMap { $0.isEmpty || $0.contains(",") || $0.utf8.count > 1024 ? nil : $0 }
    }
}

/// The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991).
///
/// It detects corruption and makes file names. It doesn't protect against forgery; signatures do.
package struct Checksum {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    init(_ value: UInt64) { self.value = value }

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
