public import TacklineFoundation
public import TacklineCore

// Foundation: documents are `Data` and expire at a `Date`.

/// The keys that must sign a document and the terms that it must meet before its values are used.
///
/// ```swift
/// configuration.trust = DocumentTrust(keys: [release, security, spare], required: 2)
/// ```
///
/// A document arrives in an envelope (DSSE), as `tackline sign` and `DocumentSigningKey` make it. It is accepted if
/// ``required`` different ``keys`` have signed it, if it has the ``payloadType`` and a `$version` that is at least
/// ``minimumVersion``, and if its `$expires` has not passed. Providers also refuse a `$version` that is lower than an
/// earlier one by the same key. A document by another trusted key starts over, so that after the theft of a key the
/// versions that the thief chose do not count for the other keys.
public struct DocumentTrust: Sendable {
    /// The public keys, in any order. A key that occurs twice counts once.
    public var keys: [TrustedKey]
    /// The number of keys that must have signed.
    public var required: Int
    /// The type as which documents must have been signed: `application/vnd.tackline.flags+json`. If the same keys sign
    /// several documents, give each a type of its own, such as `application/vnd.example.flags.production+json`. A document
    /// for tests is then not accepted in production.
    public var payloadType = SignedEnvelope.flagsPayloadType
    /// The lowest `$version` that is accepted; `nil` for any. Use the version of the document in the app. The limit
    /// also applies if no later version is remembered, for example after the cache was deleted.
    public var minimumVersion: Int128?
    /// Whether a document without `$expires` is refused. If it is, an attacker who answers for the server cannot keep
    /// an app on an old document forever. The default is `false`.
    public var requiresExpiry = false

    private let algorithm: any SignatureAlgorithm

    package init(keys: [TrustedKey], required: Int = 1, algorithm: any SignatureAlgorithm) {
        (self.keys, self.required, self.algorithm) = (keys, required, algorithm)
    }

    // MARK: Opening

    /// Checks the signatures and the terms of a document, and returns it without its envelope.
    ///
    /// - Parameters:
    ///   - envelope: The envelope as JSON.
    ///   - now: The time that is compared with `$expires`.
    /// - Throws: ``/TacklineCore/FlagError`` with the code `untrusted-document`, or `invalid-trust` if the rule itself is
    ///   invalid.
    public func open(_ envelope: Data, at now: Date = Date()) throws(FlagError) -> Data {
        let (payload, _) = try openedDocument(envelope)
        try checkTerms(document(of: payload).root, at: now)
        return payload
    }

    /// Opens a signed document in the app's bundle, for the bootstrap of a provider.
    ///
    /// - Parameters:
    ///   - envelope: The envelope as JSON.
    ///   - format: The format of the document.
    /// - Throws: The errors of ``open(_:at:)``. A document that has expired is accepted, since it came with the app.
    public func document(
        in envelope: Data, format: FlagDocumentFormat = .values
    ) throws(FlagError) -> FlagDocument {
        let document = try document(of: openedDocument(envelope).payload, format)
        try checkTerms(document.root, at: .distantPast)
        return document
    }

    func document(of payload: Data, _ format: FlagDocumentFormat = .values) throws(FlagError) -> FlagDocument {
        do throws(FlagJSONError) {
            return try format.document(json: payload)
        } catch {
            throw FlagError(.untrustedDocument, "what was signed is not a document: \(error)")
        }
    }

    /// Checks the signatures of an envelope, and returns the document with the ids of the trusted keys that have signed it,
    /// sorted.
    ///
    /// - Complexity: At most ``SignedEnvelope/maximumSignatures`` times the number of keys checks of a signature.
    package func openedDocument(
        _ json: Data, maximumBytes: Int = 64 << 20
    ) throws(FlagError) -> (payload: Data, signers: [String]) {
        try openedDocument(SignedEnvelope(json: json, maximumBytes: maximumBytes))
    }

    package func openedDocument(_ envelope: SignedEnvelope) throws(FlagError) -> (payload: Data, signers: [String]) {
        let keys = try usableKeys()
        guard envelope.payloadType == payloadType else {
            let type = EncodedFlagValue.string(envelope.payloadType)
            throw FlagError(
                .untrustedDocument, "it was signed as \(type), where \"\(payloadType)\" is expected; sign it as that")
        }
        let message = envelope.signedBytes
        var signers: Set<TrustedKey> = []
        for signature in envelope.signatures where signers.count < keys.count {
            // The named key is tried first, and the others after it.
            let hinted = keys.filter { $0.id == signature.keyID } + keys.filter { $0.id != signature.keyID }
            let signer = hinted.first { key in
                !signers.contains(key) && algorithm.isValid(signature.bytes, of: message, by: key.bytes ?? Data())
            }
            if let signer { signers.insert(signer) }
        }
        guard signers.count >= required else {
            let found = signers.isEmpty ? "none" : "\(signers.count)"
            throw FlagError(
                .untrustedDocument,
                "\(found) of its \(envelope.signatures.count) signatures counts, where \(required) of "
                    + "\(keys.count) trusted keys must have signed; sign it with them")
        }
        return (envelope.payload, signers.map(\.id).sorted())
    }

    /// Returns the keys without duplicates. Throws if a key or the required number is invalid.
    private func usableKeys() throws(FlagError) -> [TrustedKey] {
        var known: Set<TrustedKey> = []
        let keys = keys.filter { known.insert($0).inserted }
        if let bad = keys.first(where: { $0.bytes == nil }) {
            throw FlagError(
                .invalidTrust,
                "\(EncodedFlagValue.string(bad.id)) is not a public key, which is 32 bytes in base64 and no point of small "
                    + "order; use the one that tackline keygen printed")
        }
        guard required >= 1, required <= keys.count else {
            throw FlagError(
                .invalidTrust,
                "no document can be signed by \(required) of \(keys.count) different keys; correct the number required")
        }
        return keys
    }

    // MARK: Terms

    /// Checks the terms in the members of a document's root object, and returns its `$version`.
    ///
    /// - Throws: `FlagError` if `$version` is missing or too low, if `$expires` has passed, or if it is
    ///   missing although ``requiresExpiry`` is `true`.
    @discardableResult
    package func checkTerms(_ root: [String: EncodedFlagValue], at now: Date) throws(FlagError) -> Int128 {
        let terms = try DocumentTerms(root)
        guard let version = terms.version else {
            throw FlagError(
                .untrustedDocument,
                "it has no $version, without which an old document could replace a newer one; add one, and sign again")
        }
        if let minimumVersion, version < minimumVersion {
            throw FlagError(
                .untrustedDocument,
                "its $version \(version) is older than \(minimumVersion), which the app was shipped with; raise it")
        }
        if requiresExpiry, terms.expires == nil {
            throw FlagError(
                .untrustedDocument,
                "it has no $expires, without which it would be valid for ever; add one, and sign again")
        }
        try terms.checkExpiry(at: now)
        return version
    }
}

#if !canImport(CryptoKit) && !Signing
    extension DocumentTrust {
        /// Creates a rule with Ed25519, which needs the package trait `Signing` here.
        @available(*, unavailable, message: "needs the trait: .package(url: …, traits: [\"Signing\"])")
        public init(keys: [TrustedKey], required: Int = 1) {
            self.init(keys: keys, required: 0, algorithm: NoAlgorithm())
        }
    }

    private struct NoAlgorithm: SignatureAlgorithm {
        func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool { false }
    }
#endif

/// The terms of a document: the members of its root object whose names begin with `$`.
package struct DocumentTerms: Sendable {
    /// The value of `$version`; `nil` if it is missing.
    package let version: Int128?
    /// The value of `$expires`; `nil` if it is missing.
    package let expires: Date?

    /// Reads the terms.
    ///
    /// - Parameter root: The members of the document's root object.
    /// - Throws: `FlagError` if a term has the wrong type.
    package init(_ root: [String: EncodedFlagValue]) throws(FlagError) {
        switch root["$version"] {
        case nil: version = nil
        case .integer(let number)?: version = number
        case let value?:
            throw FlagError(.untrustedDocument, "its $version is \(value), where an integer is expected; correct it")
        }
        expires = root["$expires"].flatMap { try? Date(encoded: $0) }
        if let value = root["$expires"], expires == nil {
            throw FlagError(
                .untrustedDocument,
                "its $expires is \(value), where a date such as 2027-01-31T12:00:00Z is expected; correct it")
        }
    }

    /// Throws an error if the document has expired at a time.
    package func checkExpiry(at now: Date) throws(FlagError) {
        guard let expires, expires <= now else { return }
        throw FlagError(.untrustedDocument, "it expired at \(EncodedFlagValue.date(expires))")
    }
}

extension FlagError.Code {
    /// A document is not signed as it must be, or doesn't meet its terms.
    static let untrustedDocument: Self = "untrusted-document"
    /// The keys of a ``DocumentTrust`` or their required number are invalid. Correct the app.
    static let invalidTrust: Self = "invalid-trust"
}
