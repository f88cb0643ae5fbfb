package import Foundation
import TacklineCore
import TacklineSigning

/// The place of a document, and to whom it belongs.
package struct RemoteTarget: Sendable, Equatable {
    package var url: URL
    /// The identity of the user, if the URL doesn't contain it.
    package var subject: String?
    /// The body of a POST request; `nil` for a GET request. Documents for one subject and different bodies are about the
    /// same user.
    package var body: Data?
    /// The name of the user in evaluations and fingerprints, at first the subject. It is no part of the identity.
    package var label: String?
    /// The member of a document in which its store finds the name.
    package static let labelMember = "$subject"

    package init(url: URL, subject: String? = nil, body: Data? = nil) {
        (self.url, self.subject, self.body, label) = (url, subject, body, subject)
    }

    /// A hash of the body.
    var requestHash: String? { body.map { checksum($0) } }

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
    /// The bytes as they are kept in the cache: as the server sent them, or without the URLs of streams.
    let body: Data
    /// The signature for ``RemoteJSONProvider/Configuration/verify``.
    let signature: String?
    /// The header fields of a conditional request, which name the document.
    package let conditions: [String: String]
    /// The identifiers of the trusted keys that have signed it, sorted; none where documents need not be signed.
    let signers: [String]
    /// Its version and its expiry.
    let terms: DocumentTerms
    /// The URL of the stream that the document named.
    let stream: URL?
    /// A hash of the parsed content without `$version`; `nil` if there is no content.
    let fingerprint: UInt64?
    /// The time at which the server sent or last confirmed it.
    var confirmedAt = Duration.zero
    /// Whether it comes from the cache, and the server has not confirmed it.
    var isFromCache = false
    /// Whether it answers a request with the body of the target. If not, it is stale.
    var isForTarget = true

    /// The edition, for people to read.
    var revision: String {
        terms.version.map { "version \($0)" } ?? conditions["If-None-Match"]
            ?? "#\(String(fingerprint ?? 0, radix: 16))"
    }
}

extension DocumentFetcher {
    /// Reads and verifies a document. It changes nothing.
    ///
    /// - Throws: `FlagError`, whose message continues "the document was rejected: ".
    func read(
        _ body: Data, signature: String?, for target: RemoteTarget, conditions: [String: String]
    ) throws(FlagError) -> RemoteDocument {
        let format = configuration.format
        let maximumBytes = configuration.effectiveMaximumBodyBytes
        let verified: Data
        do { verified = try configuration.verify?(body, signature) ?? body } catch {
            throw FlagError(.rejected, "verify refused it: \(error.publicText)")
        }
        // A network with a login page answers every request with that page.
        if verified.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "<") {
            throw FlagError(.rejected, "it is a web page and not JSON; the network may require a login")
        }
        let (payload, signers) = try trust?.openedDocument(verified, maximumBytes: maximumBytes) ?? (verified, [])
        var document: FlagDocument
        do throws(FlagJSONError) {
            document = try format.document(json: payload, maximumBytes: maximumBytes)
        } catch {
            throw FlagError(.rejected, error.description)
        }
        let terms = try DocumentTerms(document.root)
        _ = try trust?.checkTerms(document.root, at: .distantPast)
        try terms.checkExpiry(at: configuration.wallClock())
        // The URLs of streams may contain credentials, so they are not written to the disk.
        let stream = configuration.takeStream?(&document)
        var kept = body
        if configuration.isEvaluating {
            kept = (try? FlagJSONWriter(layout: .compact).data(of: .object(document.root))) ?? Data()
            document.root[RemoteTarget.labelMember] = target.label.map { .string($0) }
        } else if let reason = refusal(of: document.root, isVersioned: terms.version != nil) {
            throw FlagError(.rejected, reason)
        }
        let fingerprint = document.fingerprint
        if format.holdsValues { document.root = document.root.filter { !$0.key.hasPrefix("$") } }
        let content: PreparedFlagDocument
        do throws(FlagError) {
            content = try prepare(document, payload)
        } catch {
            throw FlagError(.rejected, "it is not a document in the format \(format.name): \(error.reason)")
        }
        return RemoteDocument(
            content: content, body: kept, signature: signature, conditions: conditions, signers: signers, terms: terms,
            stream: stream, fingerprint: fingerprint)
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
}

/// The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991), as sixteen hexadecimal digits.
///
/// It detects corruption and makes file names. It doesn't protect against forgery; signatures do.
package func checksum(_ bytes: some Sequence<UInt8>) -> String {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
