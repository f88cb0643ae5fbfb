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

        /// Tests 1, 2, 3 and SHA(abc) of RFC 8032, section 7.1, each with secret key, public key, message and
        /// signature.
        private static let vectors = [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe2465"
                    + "5141438e7a100b"
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb0"
                    + "0d291612bb0c00"
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc0"
                    + "27beceea1ec40a"
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
