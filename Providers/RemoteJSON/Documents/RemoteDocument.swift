package import Foundation
import Synchronization
package import TacklineCore
import TacklineSigning

// Foundation: `Data` is the body of an answer, `Date` the expiry of a document.

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

    /// Returns whether the documents belong to the same user. Subjects are compared by their bytes: two users can have
    /// names that `String` takes for equal.
    func hasSameSubject(as other: RemoteTarget) -> Bool {
        url == other.url && subject.map { Array($0.utf8) } == other.subject.map { Array($0.utf8) }
    }

    package static func == (left: RemoteTarget, right: RemoteTarget) -> Bool {
        left.hasSameSubject(as: right) && left.body == right.body
    }
}

/// The header fields of a conditional request, which name the document that is known.
package struct DocumentValidators: Sendable {
    /// The `ETag`, if the answer had a usable one.
    var entityTag: String?
    var lastModified: String?
}

/// An accepted document. It is an object, so that two documents can be distinguished without comparing their contents.
package final class RemoteDocument: Sendable {
    /// The content, ready to be put in force.
    package let content: PreparedFlagDocument
    /// The bytes as they are kept in the cache: as the server sent them, or without the URL of the stream.
    let body: Data
    /// The document without its signatures.
    let payload: Data
    package let validators: DocumentValidators
    /// The signature for ``RemoteJSONProvider/Configuration/verify``.
    let signature: String?
    /// The identifiers of the trusted keys that have signed it, sorted; none where documents need not be signed.
    let signers: [String]
    /// Its version and its expiry.
    let terms: DocumentTerms
    /// The URL of the stream that the document named.
    let stream: URL?
    private let hash = Mutex<UInt64?>(nil)

    fileprivate init(
        content: @escaping PreparedFlagDocument, body: Data, payload: Data, validators: DocumentValidators,
        signature: String?, signers: [String], terms: DocumentTerms, stream: URL?
    ) {
        (self.content, self.body, self.payload, self.validators) = (content, body, payload, validators)
        (self.signature, self.signers, self.terms, self.stream) = (signature, signers, terms, stream)
    }

    var version: Int128? { terms.version }

    /// The edition, for people to read.
    var revision: String { version.map { "version \($0)" } ?? validators.entityTag ?? "#\(Checksum(payload).text)" }

    /// A hash of the parsed content without `$version`, worked out when it is first asked for.
    var fingerprint: UInt64 {
        hash.withLock { hash in
            if let hash { return hash }
            var members: [String: EncodedFlagValue] = [:]
            if case .object(let root)? = try? FlagJSONReader().read(payload) { members = root }
            members["$version"] = nil
            let text = try? FlagJSONWriter(layout: .compact).bytes(of: .object(members))
            let new = Checksum(text ?? Array(payload)).value
            hash = new
            return new
        }
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
        let signature = configuration.signatureField.flatMap(header)
        var (payload, signers) = try opened(body, signature: signature)
        var document = try rejecting { () throws(FlagJSONError) in
            try format.document(json: payload, maximumBytes: configuration.effectiveMaximumBodyBytes)
        } reason: {
            $0.description
        }
        let terms = try DocumentTerms(document.root)
        if let trust { try trust.checkTerms(document.root, at: .distantPast) }
        try terms.checkExpiry(at: configuration.wallClock())
        var (kept, stream) = (body, URL?.none)
        if let takeStream = configuration.dialect.takeStream {
            let count = document.root.count
            stream = takeStream(&document)
            // The stream's URL may contain a credential, so it is not written to the disk.
            if document.root.count != count {
                payload = (try? FlagJSONWriter(layout: .compact).data(of: .object(document.root))) ?? Data()
                kept = payload
            }
        } else {
            try checkKind(document.root, isVersioned: terms.version != nil)
        }
        if format.holdsValues { document.root = document.root.filter { !$0.key.hasPrefix("$") } }
        let content = try rejecting { () throws(FlagError) in
            try prepare(document, payload)
        } reason: {
            "it is not a document in the format \(format.name): \($0.reason)"
        }
        let validators = DocumentValidators(
            entityTag: EntityTag.parse(header("ETag")), lastModified: header("Last-Modified"))
        return RemoteDocument(
            content: content, body: kept, payload: payload, validators: validators, signature: signature,
            signers: signers, terms: terms, stream: stream)
    }

    private func rejecting<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value, reason: (Failure) -> String
    ) throws(FlagError) -> Value {
        do throws(Failure) { return try body() } catch { throw FlagError(.rejected, reason(error)) }
    }

    /// Returns the document in what came, and the identifiers of the trusted keys that have signed it.
    private func opened(_ body: Data, signature: String?) throws(FlagError) -> (payload: Data, signers: [String]) {
        let payload = try rejecting { () throws(any Error) in
            try configuration.verify?(body, signature) ?? body
        } reason: {
            "verify refused it: \($0)"
        }
        // A network with a login page answers every request with that page.
        let content = payload.starts(with: [0xEF, 0xBB, 0xBF]) ? payload.dropFirst(3) : payload
        if content.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "<") {
            throw FlagError(.rejected, "it is a web page and not JSON; the network may require a login")
        }
        guard let trust else { return (payload, []) }
        return try trust.openedDocument(payload, maximumBytes: configuration.effectiveMaximumBodyBytes)
    }

    /// The members of error messages, of which one at least has to be among the first four.
    private static let errorMembers = [
        "error", "errorCode", "errors", "message", "code", "detail", "details", "path", "reason", "requestId", "status",
        "statusCode", "success", "timestamp", "title", "traceId", "type",
    ]

    /// Refuses what a server or a proxy says in place of a document. A document with a `$version` is always meant.
    private func checkKind(_ root: [String: EncodedFlagValue], isVersioned: Bool) throws(FlagError) {
        let (holdsValues, names) = (configuration.format.holdsValues, root.keys.filter { !$0.hasPrefix("$") })
        let isError =
            names.allSatisfy(Self.errorMembers.contains) && names.contains(where: Self.errorMembers.prefix(4).contains)
        var flags: [String: EncodedFlagValue]?
        if case .object(let members)? = root["flags"] { flags = members }
        let areDefinitions = flags?.values.allSatisfy {
            if case .object(let flag) = $0 { flag["variants"] != nil } else { false }
        }
        let reason: String? =
            switch (holdsValues, isVersioned) {
            case (true, false) where names.isEmpty:
                "it is empty; to withdraw all values, send a document that has only a $version"
            case (true, false) where isError:
                "it is an error message and no document of flags; correct the server, or add a $version"
            case (true, _) where areDefinitions == true && flags?.isEmpty == false:
                "it has definitions with rules and no values; create the provider with format: .flagd"
            case (false, false) where flags?.isEmpty == true:
                "it has no definition; to withdraw all, give it a $version"
            default: nil
            }
        if let reason { throw FlagError(.rejected, reason) }
    }
}

/// The `ETag` of an answer (RFC 9110, section 8.8.3).
enum EntityTag {
    /// Returns the tag exactly as it was sent, a weak one included, or `nil` if it is not one tag.
    ///
    /// Some servers leave out the quotation marks, and recognize their tag only without them. Two tags in one answer are
    /// invalid, because either may belong to the body.
    static func parse(_ field: String?) -> String? {
        let tag = #/(W/)?("[^"\u{0}-\u{20}\u{7F}]*"|(?!W/$)[^",\u{0}-\u{20}\u{7F}]+)/#.matchingSemantics(.unicodeScalar)
        guard let field, field.utf8.count <= 1024, (try? tag.wholeMatch(in: field)) != nil else { return nil }
        return field
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

    /// Sixteen hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
