#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore
public import TacklineFormats

// Foundation: `Data` and `Date` are what documents and their expiry are.

/// Whose signatures a document needs, and what it must say about itself, before any of its values is believed.
///
/// ```swift
/// configuration.trust = DocumentTrust(keys: [release, security, spare], required: 2)
/// ```
///
/// A document comes as a ``SignedEnvelope``. It is accepted if so many different keys have signed it, if it is of the
/// ``payloadType``, has a `$version` that is not below ``minimumVersion``, and is not past its `$expires`. Whoever holds
/// documents adds that the `$version` never goes back.
public struct DocumentTrust: Sendable {
    /// The public keys, in any order; one that is there twice counts once.
    public var keys: [TrustedKey]
    /// How many of the keys must have signed.
    public var required: Int
    /// The type that documents must have been signed as. Give each document that the same keys sign a type of its own, such as
    /// `application/vnd.example.flags.production+json`: then that of the test environment does not pass for it.
    public var payloadType = SignedEnvelope.flagsPayloadType
    /// The lowest `$version` that is accepted: that of the document which the app was shipped with. It holds where no later
    /// version is remembered, after the cache was deleted for example.
    public var minimumVersion: Int128?
    /// Whether a document without `$expires` is refused. Then nobody can keep an app on an old document for ever by answering
    /// for the server.
    public var requiresExpiry = false

    private let algorithm: any SignatureAlgorithm

    /// Makes a rule, with an algorithm of your own: for keys in hardware of another kind, or where there is no Ed25519.
    public init(keys: [TrustedKey], required: Int = 1, algorithm: any SignatureAlgorithm) {
        self.keys = keys
        self.required = required
        self.algorithm = algorithm
    }

    // MARK: Opening

    /// Checks the signatures of an envelope and returns the document, of which nothing was looked at yet.
    ///
    /// - Parameters:
    ///   - envelope: The envelope as JSON.
    ///   - maximumBytes: How long the envelope may be.
    /// - Throws: ``DocumentTrustError``.
    /// - Complexity: At most ``SignedEnvelope/maximumSignatures`` times the number of keys checks of a signature.
    public func open(_ envelope: Data, maximumBytes: Int = 64 << 20) throws(DocumentTrustError) -> Data {
        try open(SignedEnvelope(json: envelope, maximumBytes: maximumBytes))
    }

    /// Checks the signatures of an envelope and returns the document.
    public func open(_ envelope: SignedEnvelope) throws(DocumentTrustError) -> Data {
        let keys = try usableKeys()
        guard envelope.payloadType == payloadType else {
            let type = EncodedFlagValue.string(envelope.payloadType)
            throw DocumentTrustError(.payloadType, "it was signed as \(type), where \"\(payloadType)\" is expected")
        }
        let message = envelope.signedBytes
        var signers: Set<TrustedKey> = []
        for signature in envelope.signatures where signers.count < required {
            // The hint saves checks where it is true. Where it is not, all keys are tried.
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
                    + "\(keys.count) trusted keys must have signed")
        }
        return envelope.payload
    }

    /// The keys without those that are there twice.
    private func usableKeys() throws(DocumentTrustError) -> [TrustedKey] {
        var known: Set<TrustedKey> = []
        let keys = keys.filter { known.insert($0).inserted }
        if let bad = keys.first(where: { $0.bytes == nil }) {
            throw DocumentTrustError(
                .configuration, "\(EncodedFlagValue.string(bad.text)) is no public key, which is 32 bytes in base64")
        }
        guard required >= 1, required <= keys.count else {
            throw DocumentTrustError(
                .configuration, "no document can be signed by \(required) of \(keys.count) different keys")
        }
        return keys
    }

    // MARK: What a document says about itself

    /// Checks what a document says about itself.
    ///
    /// - Parameters:
    ///   - root: The members at its top.
    ///   - now: The time by which `$expires` is judged.
    /// - Returns: Its `$version`.
    /// - Throws: ``DocumentTrustError`` if it has no `$version` or too low a one, or has expired, or has no `$expires` though one
    ///   is required.
    @discardableResult
    public func checkTerms(_ root: [String: EncodedFlagValue], at now: Date) throws(DocumentTrustError) -> Int128 {
        let terms = try DocumentTerms(root)
        guard let version = terms.version else {
            throw DocumentTrustError(
                .version, "it has no $version, by which an old signed document is told from a new one")
        }
        if let minimumVersion, version < minimumVersion {
            throw DocumentTrustError(
                .version, "its $version \(version) is older than \(minimumVersion), which the app was shipped with")
        }
        if requiresExpiry, terms.expires == nil {
            throw DocumentTrustError(.expiry, "it has no $expires, without which it would be believed for ever")
        }
        try terms.checkExpiry(at: now)
        return version
    }

    /// Opens and checks a signed document that is shipped with the app, for `RemoteJSONConfiguration.bootstrap`.
    ///
    /// - Parameters:
    ///   - envelope: The envelope as JSON.
    ///   - format: What the document means.
    ///   - limits: How large it may be.
    /// - Throws: ``DocumentTrustError``. It does not matter whether it has expired: it came with the app.
    public func document(
        in envelope: Data, format: FlagDocumentFormat = .values, limits: FlagJSONReader.Limits = FlagJSONReader.Limits()
    ) throws(DocumentTrustError) -> FlagDocument {
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
        /// Makes a rule with Ed25519, which needs the package trait `Signing` here.
        @available(*, unavailable, message: "needs the trait: .package(url: …, traits: [\"Signing\"])")
        public init(keys: [TrustedKey], required: Int = 1) {
            self.init(keys: keys, required: 0, algorithm: NoAlgorithm())
        }
    }

    private struct NoAlgorithm: SignatureAlgorithm {
        func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool { false }
    }
#endif

/// What a document says about itself, in the members at its top whose names begin with `$`.
public struct DocumentTerms: Sendable, Hashable {
    /// `$version`, or `nil` if it has none.
    public let version: Int128?
    /// `$expires`, or `nil` if it has none.
    public let expires: Date?

    /// Reads them.
    ///
    /// - Parameter root: The members at the top of the document.
    /// - Throws: ``DocumentTrustError`` if one of them is not what it should be.
    public init(_ root: [String: EncodedFlagValue]) throws(DocumentTrustError) {
        switch root["$version"] {
        case nil: version = nil
        case .integer(let number)?: version = number
        case let value?:
            throw DocumentTrustError(.version, "its $version is \(value), where an integer is expected")
        }
        guard let value = root["$expires"] else {
            expires = nil
            return
        }
        guard let date = try? Date(encoded: value) else {
            throw DocumentTrustError(
                .expiry, "its $expires is \(value), where a date in the form of RFC 3339 is expected")
        }
        expires = date
    }

    /// Throws if the document has expired at a time.
    public func checkExpiry(at now: Date) throws(DocumentTrustError) {
        guard let expires, expires <= now else { return }
        throw DocumentTrustError(.expiry, "it expired at \(EncodedFlagValue.date(expires))")
    }
}

/// Why a document is not believed.
public struct DocumentTrustError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What sort of refusal it is. Stable from release to release.
    public enum Code: String, Sendable, Hashable {
        /// It is no envelope.
        case envelope
        /// It was signed for another purpose.
        case payloadType
        /// Too few of the trusted keys have signed it.
        case signatures
        /// It has no `$version`, or one that is too old.
        case version
        /// It has expired, or does not say when it does.
        case expiry
        /// What was signed is no document.
        case document
        /// The keys, or how many of them are needed, make no sense. Correct the app.
        case configuration
    }

    /// What sort of refusal it is.
    public var code: Code
    /// What is wrong, as it goes on after "the document was rejected: ".
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
