#if canImport(CryptoKit) || Signing
    #if canImport(CryptoKit)
        import CryptoKit
    #else
        import Crypto
    #endif
    // Keys and signatures consist of `Data`.
    public import TacklineFoundation

    /// The signature algorithm Ed25519 (RFC 8032), from CryptoKit on Apple's platforms and from swift-crypto, with the
    /// package trait `Signing`, on others.
    package struct Ed25519: SignatureAlgorithm {
        package init() {}

        /// Returns whether the signature is one of the key over the message.
        package func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool {
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }

    extension DocumentTrust {
        /// Creates a rule with Ed25519.
        ///
        /// - Parameters:
        ///   - keys: The public keys. With an invalid one, every document is refused.
        ///   - required: The number of keys that must have signed. The default is 1.
        public init(keys: [TrustedKey], required: Int = 1) {
            self.init(keys: keys, required: required, algorithm: Ed25519())
        }
    }

    /// A private key that signs documents, for tools and tests. An app should not contain one.
    ///
    /// Printing it shows only its public key.
    public struct DocumentSigningKey: Sendable, CustomStringConvertible, CustomReflectable {
        private let key: Curve25519.Signing.PrivateKey

        /// Creates a new random key.
        public init() { key = Curve25519.Signing.PrivateKey() }

        /// Creates a key from ``privateText``: 32 bytes in base64. Returns `nil` for any other text.
        public init?(privateText: String) {
            guard let seed = Base64.data(privateText),
                let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
            else { return nil }
            self.key = key
        }

        /// The private key in base64. This text is the secret itself.
        public var privateText: String { key.rawRepresentation.base64EncodedString() }

        /// The public key, which apps contain.
        public var publicKey: TrustedKey { TrustedKey(bytes: key.publicKey.rawRepresentation) }

        /// A text that names only the public key.
        public var description: String { "the private key of \(publicKey)" }

        /// An empty mirror, so that the secret is not shown.
        public var customMirror: Mirror { Mirror(self, children: []) }

        /// Signs a document, and returns it in its envelope, as JSON.
        ///
        /// - Parameters:
        ///   - document: The document, or an envelope to which the signature is added.
        ///   - type: The type as which it is signed: ``DocumentTrust/payloadType``.
        public func sign(_ document: Data, type: String = "application/vnd.tackline.flags+json") throws -> Data {
            var envelope = (try? SignedEnvelope(json: document)) ?? SignedEnvelope(payload: document, payloadType: type)
            try envelope.sign(with: self)
            return envelope.json
        }

        package func signature(of message: Data) throws -> Data { try key.signature(for: message) }
    }

    extension SignedEnvelope {
        /// Adds the signature of a key. It replaces signatures that name the same key.
        package mutating func sign(with key: DocumentSigningKey) throws {
            let signature = Signature(keyID: key.publicKey.id, bytes: try key.signature(of: signedBytes))
            signatures.removeAll { $0.keyID == signature.keyID }
            signatures.append(signature)
        }
    }
#endif
