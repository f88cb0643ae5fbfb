import Foundation
import TacklineCore
import Testing

@testable import TacklineSigning

@Suite("A signed envelope") struct SignedEnvelopeTests {
    private func read(_ text: String, maximumBytes: Int = 1 << 20) throws(FlagError) -> SignedEnvelope {
        try SignedEnvelope(json: Data(text.utf8), maximumBytes: maximumBytes)
    }

    private func refusal(_ text: String, maximumBytes: Int = 1 << 20) -> FlagError? {
        do {
            _ = try read(text, maximumBytes: maximumBytes)
            return nil
        } catch {
            return error
        }
    }

    /// The example of DSSE 1.0 (github.com/secure-systems-lab/dsse, protocol.md, "Test Vectors").
    static let example = """
        {"payload": "aGVsbG8gd29ybGQ=",
         "payloadType": "http://example.com/HelloWorld",
         "signatures": [{"sig": "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA=="}]}
        """

    @Test("of DSSE's example is read, and signs what DSSE says it does")
    func vector() throws {
        let envelope = try read(Self.example)
        #expect(envelope.payload == Data("hello world".utf8))
        #expect(envelope.signatures.map(\.keyID) == [nil])
        #expect(envelope.signatures.first?.bytes.count == 64)
        #expect(envelope.signedBytes == Data("DSSEv1 29 http://example.com/HelloWorld 11 hello world".utf8))
    }

    @Test("signs lengths in bytes, so that nothing moves from the type to the document")
    func lengths() {
        func signed(_ type: String, _ text: String) -> Data {
            SignedEnvelope(payload: Data(text.utf8), payloadType: type).signedBytes
        }
        #expect(signed("", "") == Data("DSSEv1 0  0 ".utf8))
        #expect(signed("é", "日本") == Data("DSSEv1 2 é 6 日本".utf8))
        #expect(signed("a", "b c") != signed("a 3 b", "c"))
    }

    @Test("may be in either alphabet of base64, with padding or without, and in no other form")
    func base64() throws {
        #expect(Base64.data("+/+/") == Data([0xFB, 0xFF, 0xBF]))
        #expect(Base64.data("-_-_") == Base64.data("+/+/"))
        for text in ["", "Zg==", "Zg", "Zm8=", "Zm8", "Zm9v"] {
            #expect(Base64.data(text) == Data("foo".utf8.prefix((text.filter { $0 != "=" }.count * 6) / 8)), "\(text)")
        }
        let mistakes = [
            "+_+_", "Z", "Zh==", "Zg=", "Zg===", "Z===", "=", "====", "Zm9=", "Zm 9v", "Zm9v\n", " Zm9v", "Zg==Zg==",
            "Zm9v=",
            "Zm9v====", "é", "Zm9v\u{0}",
        ]
        for text in mistakes { #expect(Base64.data(text) == nil, "\(text)") }
        for _ in 0..<200 {
            let bytes = Data((0..<Int.random(in: 0...40)).map { _ in UInt8.random(in: 0...255) })
            let text = bytes.base64EncodedString()
            #expect(Base64.data(text) == bytes)
            let urlSafe = text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            #expect(Base64.data(urlSafe) == bytes)
            #expect(Base64.data(urlSafe.filter { $0 != "=" }) == bytes)
        }
    }

    @Test("may have members that nobody knows, and none twice")
    func members() throws {
        #expect(
            try read(Self.example.replacingOccurrences(of: "{\"sig\"", with: "{\"new\": [1], \"sig\"")).signatures.count
                == 1)
        let twice = [
            Self.example.replacingOccurrences(of: "{\"payload\"", with: "{\"payload\": \"e30=\", \"payload\""),
            Self.example.replacingOccurrences(of: "{\"payload\"", with: "{\"payloadType\": \"x\", \"payload\""),
            Self.example.replacingOccurrences(of: "{\"payload\"", with: "{\"signatures\": [], \"payload\""),
            Self.example.replacingOccurrences(of: "{\"sig\"", with: "{\"sig\": \"\", \"sig\""),
            // The same name is written in another way.
            Self.example.replacingOccurrences(of: "{\"payload\"", with: "{\"pa\\u0079load\": \"e30=\", \"payload\""),
        ]
        for text in twice {
            let refusal = refusal(text)
            #expect(refusal?.code == "untrusted-document", "\(text)")
            #expect(refusal?.reason.contains("twice") == true, "\(String(describing: refusal))")
        }
    }

    @Test("of any other form is refused")
    func mistakes() {
        let texts = [
            "", "[]", "{}", #"{"a": 1}"#, #"{"payload": "", "payloadType": ""}"#,
            #"{"payload": 1, "payloadType": "", "signatures": []}"#,
            #"{"payload": "", "payloadType": 1, "signatures": []}"#,
            #"{"payload": "?", "payloadType": "", "signatures": []}"#,
            #"{"payload": "", "payloadType": "", "signatures": {}}"#,
            #"{"payload": "", "payloadType": "", "signatures": [1]}"#,
            #"{"payload": "", "payloadType": "", "signatures": [{}]}"#,
            #"{"payload": "", "payloadType": "", "signatures": [{"sig": 1}]}"#,
            #"{"payload": "", "payloadType": "", "signatures": [{"sig": "", "keyid": 1}]}"#,
            #"{"payload": "", "payloadType": "", "signatures": []} {}"#,
        ]
        for text in texts { #expect(refusal(text)?.code == "untrusted-document", "\(text)") }
        #expect(refusal(#"{"sson": true}"#)?.reason.contains("is not signed") == true)
    }

    @Test("is bounded in its length, its depth and the number of its signatures")
    func bounds() throws {
        func text(signatures count: Int) -> String {
            let signatures = Array(repeating: #"{"sig": ""}"#, count: count).joined(separator: ",")
            return #"{"payload": "", "payloadType": "", "signatures": [\#(signatures)]}"#
        }
        #expect(try read(text(signatures: 32)).signatures.count == 32)
        #expect(refusal(text(signatures: 33))?.code == "untrusted-document")
        #expect(refusal(text(signatures: 1), maximumBytes: 10)?.code == "untrusted-document")
        let deep = String(repeating: "[", count: 100_000)
        #expect(
            refusal(#"{"payload": "", "payloadType": "", "signatures": [], "x": \#(deep)"#)?.code
                == "untrusted-document")
    }
}
