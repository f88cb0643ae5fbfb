#if canImport(CryptoKit) || Signing
    #if canImport(CryptoKit)
        import CryptoKit
    #else
        import Crypto
    #endif
    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    // Foundation: `Data` is what keys and signatures are made of.

    /// Ed25519 (RFC 8032): CryptoKit on Apple's systems, elsewhere swift-crypto, with the package trait `Signing`.
    public struct Ed25519: SignatureAlgorithm {
        /// Makes the algorithm.
        public init() {}

        /// Whether the signature is one of the key over the message.
        public func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool {
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }

    extension DocumentTrust {
        /// Makes a rule with Ed25519.
        ///
        /// - Parameters:
        ///   - keys: The public keys.
        ///   - required: How many of them must have signed.
        public init(keys: [TrustedKey], required: Int = 1) {
            self.init(keys: keys, required: required, algorithm: Ed25519())
        }
    }

    /// A private key that signs documents. For tools and tests: an app has none.
    ///
    /// Printing it shows its public half only.
    public struct DocumentSigningKey: Sendable, CustomStringConvertible, CustomReflectable {
        private let key: Curve25519.Signing.PrivateKey

        /// Makes a new key from the system's random numbers.
        public init() { key = Curve25519.Signing.PrivateKey() }

        /// Takes a key that was written by ``privateText``: 32 bytes in base64. `nil` for anything else.
        public init?(privateText: String) {
            guard let seed = Base64.data(privateText),
                let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
            else { return nil }
            self.key = key
        }

        /// The key in base64: the secret itself.
        public var privateText: String { key.rawRepresentation.base64EncodedString() }

        /// The half that apps are given.
        public var publicKey: TrustedKey { TrustedKey(bytes: key.publicKey.rawRepresentation) }

        /// The public key.
        public var description: String { "the private key of \(publicKey)" }

        /// Shows nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }

        /// Signs bytes.
        public func signature(of message: Data) throws -> Data { try key.signature(for: message) }
    }

    extension SignedEnvelope {
        /// Adds the signature of a key, in place of one that says it is by the same key.
        public mutating func sign(with key: DocumentSigningKey) throws {
            let signature = Signature(keyID: key.publicKey.id, bytes: try key.signature(of: signedBytes))
            signatures.removeAll { $0.keyID == signature.keyID }
            signatures.append(signature)
        }
    }
#endif
