import Foundation
import TacklineSigning

/// A signer of documents for tests. It uses Ed25519 if available, and otherwise a checksum, which is not secure.
struct TestSigner {
    #if canImport(CryptoKit) || Signing
        private let key = DocumentSigningKey()

        var publicKey: TrustedKey { key.publicKey }

        func sign(_ envelope: inout SignedEnvelope) throws { try envelope.sign(with: key) }

        static func trust(_ signers: [TestSigner], required: Int = 1) -> DocumentTrust {
            DocumentTrust(keys: signers.map(\.publicKey), required: required)
        }
    #else
        let publicKey = TrustedKey(bytes: Data((0..<32).map { _ in UInt8.random(in: 0...255) }))

        func sign(_ envelope: inout SignedEnvelope) throws {
            let bytes = Stamp.bytes(of: envelope.signedBytes, by: publicKey.bytes ?? Data())
            envelope.signatures.append(.init(keyID: publicKey.id, bytes: bytes))
        }

        static func trust(_ signers: [TestSigner], required: Int = 1) -> DocumentTrust {
            DocumentTrust(keys: signers.map(\.publicKey), required: required, algorithm: Stamp())
        }
    #endif

    /// Returns a signed document.
    static func envelope(
        _ text: String, by signers: [TestSigner], type: String = SignedEnvelope.flagsPayloadType
    ) throws -> SignedEnvelope {
        var envelope = SignedEnvelope(payload: Data(text.utf8), payloadType: type)
        for signer in signers { try signer.sign(&envelope) }
        return envelope
    }
}

/// A replacement for an algorithm: a checksum of key and message, as long as an Ed25519 signature.
struct Stamp: SignatureAlgorithm {
    static func bytes(of message: Data, by key: Data) -> Data {
        var bytes = Data()
        for round in 0..<8 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(round)
            for byte in key + message { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            withUnsafeBytes(of: hash.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool {
        signature == Self.bytes(of: message, by: key)
    }
}
