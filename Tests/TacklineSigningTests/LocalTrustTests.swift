import Foundation
import TacklineCore
import TacklineLocal
import TacklineSigning
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("A file of signed values") struct LocalTrustTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let owner = TestSigner()
    private let stranger = TestSigner()

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("flags.json")
    }

    private func write(_ text: String, by signer: TestSigner) throws {
        try TestSigner.envelope(text, by: [signer]).json.write(to: file)
    }

    private func provider(_ trust: DocumentTrust? = nil) -> ReadOnlyLocalProvider {
        ReadOnlyLocalProvider(file: file, format: .values.signed(by: trust ?? TestSigner.trust([owner])))
    }

    private func reason(_ status: FlagProviderStatus) -> String {
        guard case .failed(let error) = status else { return "\(status)" }
        return error.reason
    }

    @Test("answers with what was signed, and not with what speaks about it")
    func signed() throws {
        try write(#"{"$version": 1, "a": 1, "g": {"b": true}}"#, by: owner)
        let provider = provider()
        #expect(provider.status == .ready)
        #expect(provider.value(for: "a") == 1)
        #expect(provider.value(for: FlagKeyPath("g/b", separator: "/")) == true)
        #expect(provider.value(for: "$version") == nil)
        #expect(provider.value(for: "payload") == nil)
    }

    @Test("is refused as a whole if it is not signed, signed by somebody else, or has expired, and the status says so")
    func refused() throws {
        _ = try folder.file("flags.json", #"{"$version": 1, "a": 1}"#)
        #expect(reason(provider().status).contains("not signed"))
        try write(#"{"$version": 1, "a": 1}"#, by: stranger)
        #expect(reason(provider().status).contains("signatures counts"))
        try write(#"{"$version": 1, "$expires": "2001-01-01T00:00:00Z", "a": 1}"#, by: owner)
        #expect(reason(provider().status).contains("expired"))
        try write(#"{"$version": 1, "a": 1}"#, by: owner)
        var trust = TestSigner.trust([owner])
        trust.minimumVersion = 2
        #expect(reason(provider(trust).status).contains("older than 2"))
        #expect(provider(trust).value(for: "a") == nil)
    }

    @Test("with rules says how they lead to a value, as an unsigned one does")
    func rules() throws {
        let document = """
            { "$version": 1, "flags": { "a": {
              "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off",
              "targeting": { "if": [{ "==": [{ "var": "plan" }, "pro"] }, "on", "off"] } } } }
            """
        try write(document, by: owner)
        let context = CurrentContext(EvaluationContext(attributes: ["plan": "pro"]))
        let format = FlagDocumentFormat.flagd(context: .current(context)).signed(by: TestSigner.trust([owner]))
        let provider = ReadOnlyLocalProvider(file: file, format: format)
        #expect(provider.value(for: "a") == true)
        #expect(provider.reasoning(for: "a") != nil)
    }

    @Test("that takes a worse one's place changes nothing")
    func keepsTheLast() throws {
        try write(#"{"$version": 2, "a": 2}"#, by: owner)
        let provider = provider()
        try write(#"{"$version": 1, "a": 1}"#, by: owner)
        #expect(throws: FlagError.self) { try provider.reload() }
        #expect(provider.value(for: "a") == 2)
        try write(#"{"$version": 3, "a": 9}"#, by: stranger)
        #expect(throws: FlagError.self) { try provider.reload() }
        #expect(provider.value(for: "a") == 2)
        try write(#"{"$version": 3, "a": 3}"#, by: owner)
        try provider.reload()
        #expect(provider.value(for: "a") == 3)
    }
}
