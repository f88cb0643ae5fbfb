import Foundation
import TacklineFormats
import TacklineLocal
import TacklineRemoteJSON
import TacklineSigning
import TacklineTestSupport
import Testing

// The code of the guide "Signed documents", so that it keeps compiling.

#if !canImport(CryptoKit) && !Signing
    extension DocumentTrust {
        /// What the trait `Signing` adds.
        fileprivate init(keys: [TrustedKey], required: Int = 1) {
            self.init(keys: keys, required: required, algorithm: Stamp())
        }
    }
#endif

private func follow(url: URL) {
    var configuration = RemoteJSONConfiguration()
    configuration.trust = DocumentTrust(
        keys: ["11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw="],
        required: 1)
    let remote = RemoteJSONProvider(url: url, configuration: configuration)
    remote.start()
}

private func demand(_ configuration: inout RemoteJSONConfiguration) {
    configuration.trust?.required = 2
    configuration.trust?.payloadType = "application/vnd.example.flags.production+json"
    configuration.trust?.requiresExpiry = true
}

private func ship(file: URL, trust: DocumentTrust, _ configuration: inout RemoteJSONConfiguration) throws {
    let shipped = ReadOnlyLocalProvider(localURL: file, format: .values.signed(by: trust))
    _ = shipped.status
    configuration.bootstrap = try trust.document(in: Data(contentsOf: file))
}

@Suite("The guide to signed documents") struct SignedDocumentsSampleTests {
    @Test("shows code that compiles")
    func pieces() throws {
        let samples = try GuideSamples(
            guide: "SignedDocuments.md",
            compiledIn: ["Tests/TacklineSigningTests/Samples/SignedDocumentsSamples.swift"])
        #expect(samples.pieces.count >= 4)
        #expect(samples.piecesThatAreNotCompiled == [])
    }

    @Test("shows a document that its keys could have signed")
    func envelope() throws {
        let key: TrustedKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
        #expect(key.bytes != nil)
    }
}
