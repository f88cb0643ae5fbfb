import TacklineSigning
import Testing

@Suite("The guide to signed documents") struct SignedDocumentsSampleTests {
    @Test("shows a document that its keys could have signed")
    func envelope() throws {
        let key: TrustedKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
        #expect(key.bytes != nil)
    }
}
