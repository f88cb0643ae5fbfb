#if canImport(CryptoKit) || Signing
    import Foundation
    import TacklineSigning
    import TacklineCore
    import Testing

    #if canImport(CryptoKit)
        import CryptoKit
    #else
        import Crypto
    #endif

    @Suite("Ed25519") struct Ed25519Tests {
        private func bytes(_ hex: String) -> Data {
            let digits = Array(hex)
            return Data(
                stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
        }

        /// Tests 1 and SHA(abc) of RFC 8032, section 7.1, each with secret key, public key, message and
        /// signature.
        private static let vectors = [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe2465"
                    + "5141438e7a100b"
            ),
            (
                "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
                "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a"
                    + "9ac94fa54ca49f",
                "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9"
                    + "bef1177331a704"
            ),
        ]

        @Test("is that of RFC 8032, and no bit of a signature, a message or a key may differ")
        func vectors() throws {
            for (secret, key, message, signature) in Self.vectors {
                let (message, signature, key) = (bytes(message), bytes(signature), bytes(key))
                let signer = try #require(DocumentSigningKey(privateText: bytes(secret).base64EncodedString()))
                #expect(signer.publicKey == TrustedKey(bytes: key))
                #expect(Ed25519().isValid(signature, of: message, by: key))
                // CryptoKit adds random numbers, so its signatures are valid but differ from these.
                #expect(Ed25519().isValid(try signer.signature(of: message), of: message, by: key))
                #if !canImport(CryptoKit)
                    #expect(try signer.signature(of: message) == signature)
                #endif
                for bit in 0..<512 {
                    var other = signature
                    other[bit / 8] ^= 1 << UInt8(bit % 8)
                    #expect(!Ed25519().isValid(other, of: message, by: key), "bit \(bit)")
                }
                for bit in 0..<256 {
                    var other = key
                    other[bit / 8] ^= 1 << UInt8(bit % 8)
                    #expect(!Ed25519().isValid(signature, of: message, by: other), "bit \(bit) of the key")
                }
                #expect(!Ed25519().isValid(signature, of: message + [0], by: key))
            }
        }

        @Test("answers bytes that are no signature and no key")
        func nonsense() {
            for count in [0, 1, 31, 32, 33, 63, 64, 65, 1000] {
                #expect(!Ed25519().isValid(Data(count: count), of: Data(), by: Data(repeating: 7, count: 32)))
                #expect(
                    !Ed25519().isValid(Data(repeating: 1, count: 64), of: Data(), by: Data(repeating: 9, count: count)))
            }
        }

        @Test("keeps its private half out of what is printed")
        func secrecy() throws {
            let key = DocumentSigningKey()
            var dumped = ""
            dump(key, to: &dumped)
            for text in ["\(key)", String(reflecting: key), dumped] { #expect(!text.contains(key.privateText)) }
            #expect(DocumentSigningKey(privateText: key.privateText)?.publicKey == key.publicKey)
            #expect(DocumentSigningKey(privateText: "AAAA") == nil)
        }
    }
#endif
