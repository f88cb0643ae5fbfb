#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: documents are `Data` and expire at a `Date`.

/// The keys that must sign a document and the terms that it must meet before its values are used.
///
/// ```swift
/// configuration.trust = DocumentTrust(keys: [release, security, spare], required: 2)
/// ```
///
/// A document arrives as a ``SignedEnvelope``. It is accepted if ``required`` different ``keys`` have signed it, if it
/// has the ``payloadType`` and a `$version` that is at least ``minimumVersion``, and if its `$expires` has not passed.
/// Providers also refuse a `$version` that is lower than an earlier one.
public struct DocumentTrust: Sendable {
    /// The public keys, in any order. A key that occurs twice counts once.
    public var keys: [TrustedKey]
    /// The number of keys that must have signed.
    public var required: Int
    /// The type as which documents must have been signed. If the same keys sign several documents, give each a type of
    /// its own, such as `application/vnd.example.flags.production+json`. A document for tests is then not accepted in
    /// production.
    public var payloadType = SignedEnvelope.flagsPayloadType
    /// The lowest `$version` that is accepted; `nil` for any. Use the version of the document in the app. The limit
    /// also applies if no later version is remembered, for example after the cache was deleted.
    public var minimumVersion: Int128?
    /// Whether a document without `$expires` is refused. If it is, an attacker who answers for the server cannot keep
    /// an app on an old document forever. The default is `false`.
    public var requiresExpiry = false

    private let algorithm: any SignatureAlgorithm

    /// Creates a rule with another algorithm, for keys in other hardware or for platforms without Ed25519.
    public init(keys: [TrustedKey], required: Int = 1, algorithm: any SignatureAlgorithm) {
        self.keys = keys
        self.required = required
        self.algorithm = algorithm
    }

    // MARK: Opening

    /// Checks the signatures of an envelope and returns the document, whose contents are not checked.
    ///
    /// - Parameters:
    ///   - envelope: The envelope as JSON.
    ///   - maximumBytes: The largest length of the envelope.
    /// - Throws: ``DocumentTrustError`` if it is not an envelope, has another type or too few signatures, or if the
    ///   rule itself is invalid.
    /// - Complexity: At most ``SignedEnvelope/maximumSignatures`` times the number of keys checks of a signature.
    public func open(_ envelope: Data, maximumBytes: Int = 64 << 20) throws(DocumentTrustError) -> Data {
        try open(SignedEnvelope(json: envelope, maximumBytes: maximumBytes))
    }

    /// Checks the signatures of an envelope and returns the document, whose contents are not checked.
    public func open(_ envelope: SignedEnvelope) throws(DocumentTrustError) -> Data {
        try payloadAndSigners(of: envelope).payload
    }

    /// Checks the signatures of an envelope, and returns the document with all trusted keys that have signed it.
    ///
    /// If you store a fact about a document, such as its version, store it for these keys. A document that one key has
    /// signed must not restrict apps that trust only another key.
    ///
    /// - Throws: ``DocumentTrustError``, as ``open(_:maximumBytes:)`` does.
    /// - Complexity: At most ``SignedEnvelope/maximumSignatures`` times the number of keys checks of a signature.
    public func payloadAndSigners(
        of envelope: SignedEnvelope
    ) throws(DocumentTrustError) -> (payload: Data, signers: Set<TrustedKey>) {
        let keys = try usableKeys()
        guard envelope.payloadType == payloadType else {
            let type = EncodedFlagValue.string(envelope.payloadType)
            throw DocumentTrustError(
                .payloadType, "it was signed as \(type), where \"\(payloadType)\" is expected; sign it as that")
        }
        let message = envelope.signedBytes
        var signers: Set<TrustedKey> = []
        for signature in envelope.signatures where signers.count < keys.count {
            // The named key is tried first, and the others after it.
            let hinted = keys.filter { $0.id == signature.keyID }
            for key in hinted + keys.filter({ $0.id != signature.keyID }) where !signers.contains(key) {
                guard let bytes = key.bytes, algorithm.isValid(signature.bytes, of: message, by: bytes) else {
                    continue
                }
                signers.insert(key)
                break
            }
        }
        guard signers.count >= required else {
            let found = signers.isEmpty ? "none" : "\(signers.count)"
            throw DocumentTrustError(
                .signatures,
                "\(found) of its \(envelope.signatures.count) signatures counts, where \(required) of "
                    + "\(keys.count) trusted keys must have signed; sign it with them")
        }
        return (envelope.payload, signers)
    }

    /// Returns the keys without duplicates. Throws if a key or the required number is invalid.
    private func usableKeys() throws(DocumentTrustError) -> [TrustedKey] {
        var known: Set<TrustedKey> = []
        let keys = keys.filter { known.insert($0).inserted }
        if let bad = keys.first(where: { $0.bytes == nil }) {
            throw DocumentTrustError(
                .configuration,
                "\(EncodedFlagValue.string(bad.text)) is not a public key, which is 32 bytes in base64; "
                    + "use the one that tackline keygen printed")
        }
        guard required >= 1, required <= keys.count else {
            throw DocumentTrustError(
                .configuration,
                "no document can be signed by \(required) of \(keys.count) different keys; correct the number required")
        }
        return keys
    }

    // MARK: Terms

    /// Checks the terms of a document.
    ///
    /// - Parameters:
    ///   - root: The members of the document's root object.
    ///   - now: The time that is compared with `$expires`.
    /// - Returns: The document's `$version`.
    /// - Throws: ``DocumentTrustError`` if `$version` is missing or too low, if `$expires` has passed, or if it is
    ///   missing although ``requiresExpiry`` is `true`.
    @discardableResult
    public func checkTerms(_ root: [String: EncodedFlagValue], at now: Date) throws(DocumentTrustError) -> Int128 {
        let terms = try DocumentTerms(root)
        guard let version = terms.version else {
            throw DocumentTrustError(
                .version,
                "it has no $version, without which an old document could replace a newer one; add one, and sign again")
        }
        if let minimumVersion, version < minimumVersion {
            throw DocumentTrustError(
                .version,
                "its $version \(version) is older than \(minimumVersion), which the app was shipped with; raise it")
        }
        if requiresExpiry, terms.expires == nil {
            throw DocumentTrustError(
                .expiry, "it has no $expires, without which it would be valid for ever; add one, and sign again")
        }
        try terms.checkExpiry(at: now)
        return version
    }

    /// Opens and checks a signed document in the app's bundle, for `RemoteJSONConfiguration.bootstrap`.
    ///
    /// - Parameters:
    ///   - envelope: The envelope as JSON.
    ///   - format: The format of the document.
    /// - Throws: ``DocumentTrustError``. A document that has expired is accepted, since it came with the app.
    public func document(
        in envelope: Data, format: FlagDocumentFormat = .values
    ) throws(DocumentTrustError) -> FlagDocument {
        let limits = FlagJSONReader.Limits()
        let payload = try open(envelope, maximumBytes: limits.maximumBytes)
        let document: FlagDocument
        do {
            document = try format.document(json: payload, limits: limits)
        } catch {
            throw DocumentTrustError(.document, "\(error)")
        }
        try checkTerms(document.root, at: .distantPast)
        return document
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
public struct DocumentTerms: Sendable, Hashable {
    /// The value of `$version`; `nil` if it is missing.
    public let version: Int128?
    /// The value of `$expires`; `nil` if it is missing.
    public let expires: Date?

    /// Reads the terms.
    ///
    /// - Parameter root: The members of the document's root object.
    /// - Throws: ``DocumentTrustError`` if a term has the wrong type.
    public init(_ root: [String: EncodedFlagValue]) throws(DocumentTrustError) {
        switch root["$version"] {
        case nil: version = nil
        case .integer(let number)?: version = number
        case let value?:
            throw DocumentTrustError(.version, "its $version is \(value), where an integer is expected; correct it")
        }
        guard let value = root["$expires"] else {
            expires = nil
            return
        }
        guard let date = try? Date(encoded: value) else {
            throw DocumentTrustError(
                .expiry, "its $expires is \(value), where a date such as 2027-01-31T12:00:00Z is expected; correct it")
        }
        expires = date
    }

    /// Throws an error if the document has expired at a time.
    public func checkExpiry(at now: Date) throws(DocumentTrustError) {
        guard let expires, expires <= now else { return }
        throw DocumentTrustError(.expiry, "it expired at \(EncodedFlagValue.date(expires))")
    }
}

/// The reason why a document is refused.
public struct DocumentTrustError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of refusal. The codes are stable from release to release.
    public enum Code: String, Sendable, Hashable {
        /// The text is not an envelope.
        case envelope
        /// The document was signed as another type.
        case payloadType
        /// Too few of the trusted keys have signed the document.
        case signatures
        /// The `$version` is missing or too low.
        case version
        /// The document has expired, or its `$expires` is missing although it is required.
        case expiry
        /// The signed bytes are not a document.
        case document
        /// The keys or their required number are invalid. Correct the app.
        case configuration
    }

    /// The kind of refusal.
    public var code: Code
    /// The problem, as a continuation of "the document was rejected: ".
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The same as ``reason``.
    public var description: String { reason }
}
