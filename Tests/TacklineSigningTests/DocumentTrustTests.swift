import Foundation
import TacklineCore
import TacklineSigning
import TacklineTestSupport
import Testing

@Suite("Trust in documents") struct DocumentTrustTests {
    private let release = TestSigner()
    private let security = TestSigner()
    private let spare = TestSigner()
    private let stranger = TestSigner()
    private let text = #"{"$version": 1, "a": 1}"#

    private func refusal(_ envelope: SignedEnvelope, _ trust: DocumentTrust) -> FlagError? {
        do {
            _ = try trust.open(envelope.json)
            return nil
        } catch {
            return error
        }
    }

    @Test("opens what enough of the keys have signed, and gives back what was signed")
    func threshold() throws {
        let keys = [release, security, spare]
        for required in 1...3 {
            let trust = TestSigner.trust(keys, required: required)
            for signers in [[], [release], [spare], [security, release], [release, security, spare]] {
                let envelope = try TestSigner.envelope(text, by: signers)
                if signers.count >= required {
                    #expect(try trust.open(envelope.json) == Data(text.utf8))
                } else {
                    #expect(refusal(envelope, trust)?.code == "untrusted-document")
                }
            }
        }
    }

    @Test("does not count a stranger, nor a key twice")
    func countsKeys() throws {
        let trust = TestSigner.trust([release, security, release], required: 2)
        var envelope = try TestSigner.envelope(text, by: [release, stranger])
        #expect(refusal(envelope, trust)?.reason.hasPrefix("1 of its 2 signatures counts, where 2 of 2") == true)
        // One key has signed twice, once under its own name and once under another's.
        let own = try #require(envelope.signatures.first)
        envelope.signatures = [own, .init(keyID: security.publicKey.id, bytes: own.bytes), .init(bytes: own.bytes)]
        #expect(refusal(envelope, trust)?.code == "untrusted-document")
        try security.sign(&envelope)
        #expect(refusal(envelope, trust) == nil)
    }

    @Test("takes the name of a key for a hint: a wrong one keeps nobody out and lets nobody in")
    func hints() throws {
        let trust = TestSigner.trust([release, security])
        for name in [nil, "", security.publicKey.id, stranger.publicKey.id, "release"] {
            var envelope = try TestSigner.envelope(text, by: [release])
            envelope.signatures[0].keyID = name
            #expect(refusal(envelope, trust) == nil, "\(name ?? "none")")
            var forged = try TestSigner.envelope(text, by: [stranger])
            forged.signatures[0].keyID = name
            #expect(refusal(forged, trust)?.code == "untrusted-document", "\(name ?? "none")")
        }
    }

    @Test("refuses a document of which a byte was changed, or the type, or the signature")
    func forgery() throws {
        let trust = TestSigner.trust([release])
        let envelope = try TestSigner.envelope(text, by: [release])
        for index in envelope.payload.indices {
            var forged = envelope
            forged.payload[index] ^= 1
            #expect(refusal(forged, trust)?.code == "untrusted-document", "byte \(index)")
        }
        for index in 0..<64 {
            var forged = envelope
            forged.signatures[0].bytes[index] ^= 1
            #expect(refusal(forged, trust)?.code == "untrusted-document", "byte \(index) of the signature")
        }
        for signature in [
            Data(), Data(count: 64), envelope.signatures[0].bytes + [0], envelope.signatures[0].bytes.prefix(63),
        ] {
            var forged = envelope
            forged.signatures[0].bytes = Data(signature)
            #expect(refusal(forged, trust)?.code == "untrusted-document")
        }
    }

    @Test("with keys or a number that make no sense refuses everything, and says why")
    func configuration() throws {
        let envelope = try TestSigner.envelope(text, by: [release])
        for (signers, required) in [
            ([release], 0), ([release], 2), ([release, release], 2), ([], 1), ([], 0), ([release], -1),
        ] {
            #expect(refusal(envelope, TestSigner.trust(signers, required: required))?.code == "invalid-trust")
        }
        for text in ["", "secret", "AAAA", release.publicKey.id + "AAAA"] {
            var trust = TestSigner.trust([release])
            trust.keys.append(TrustedKey(text))
            #expect(refusal(envelope, trust)?.code == "invalid-trust", "\(text)")
        }
    }

    @Test("trusts no key of small order, for which everybody can sign, in none of its encodings")
    func smallOrder() throws {
        let envelope = try TestSigner.envelope(text, by: [release])
        for (first, rest) in [(0, "00"), (1, "00"), (0xEC, "ff"), (0xED, "ff"), (0xEE, "ff")] as [(UInt8, String)] {
            for isNegative in [false, true] {
                var bytes = Data([first]) + Data(repeating: rest == "00" ? 0 : 0xFF, count: 31)
                bytes[31] = (rest == "00" ? 0 : 0x7F) | (isNegative ? 0x80 : 0)
                var trust = TestSigner.trust([release])
                trust.keys.append(TrustedKey(bytes: bytes))
                #expect(refusal(envelope, trust)?.code == "invalid-trust", "\(bytes.base64EncodedString())")
            }
        }
        for text in ["JuiVj8KyJ7BFw/SJ8u+Y8NXfrAXTxjM5sTgCiG1T/AU=", "xxdqcD1N2E+6PAt2DRBnDyogU/osOczGTsf9d5KsA3o="] {
            #expect(TrustedKey(text).bytes == nil)
        }
    }

    @Test("asks a document for its version, and for its expiry where that is wanted")
    func terms() throws {
        var trust = TestSigner.trust([release])
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(try trust.checkTerms(["$version": 3], at: now) == 3)
        #expect(throws: FlagError.self) { try trust.checkTerms([:], at: now) }
        #expect(throws: FlagError.self) { try trust.checkTerms(["$version": "3"], at: now) }
        #expect(throws: FlagError.self) { try trust.checkTerms(["$version": 3.0], at: now) }
        trust.minimumVersion = 4
        #expect(throws: FlagError.self) { try trust.checkTerms(["$version": 3], at: now) }
        #expect(try trust.checkTerms(["$version": 4], at: now) == 4)
        let later = "2027-01-15T08:00:01Z"
        #expect(try trust.checkTerms(["$version": 4, "$expires": .string(later)], at: now) == 4)
        for text in ["2027-01-15T08:00:00Z", "2001-01-01T00:00:00Z", "tomorrow", ""] {
            let root: [String: EncodedFlagValue] = ["$version": 4, "$expires": .string(text)]
            #expect(throws: FlagError.self, "\(text)") { try trust.checkTerms(root, at: now) }
        }
        trust.requiresExpiry = true
        #expect(throws: FlagError.self) { try trust.checkTerms(["$version": 4], at: now) }
    }

    @Test("opens what was shipped with the app, however long ago")
    func bundled() throws {
        var trust = TestSigner.trust([release])
        let old = #"{"$version": 5, "$expires": "2001-01-01T00:00:00Z", "a": 1}"#
        let document = try trust.document(in: TestSigner.envelope(old, by: [release]).json)
        #expect(document.value(for: "a") == 1)
        #expect(document.root["$version"] == 5)
        #expect(throws: FlagError.self) {
            try trust.document(in: TestSigner.envelope(old, by: [stranger]).json)
        }
        #expect(throws: FlagError.self) {
            try trust.document(in: TestSigner.envelope("[]", by: [release]).json)
        }
        trust.minimumVersion = 6
        #expect(throws: FlagError.self) {
            try trust.document(in: TestSigner.envelope(old, by: [release]).json)
        }
    }
}
