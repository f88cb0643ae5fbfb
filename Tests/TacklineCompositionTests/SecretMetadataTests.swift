import TacklineComposition
import TacklineCore
import Testing

@Suite("Secret metadata")
struct SecretMetadataTests {
    @Test("has the tag secret, which the property adds and removes once")
    func tag() {
        var metadata = FlagMetadata(tags: ["a"])
        #expect(!metadata.isSecret)
        metadata.isSecret = true
        metadata.isSecret = true
        #expect(metadata.tags == ["a", "secret"] && metadata.isSecret)
        metadata.isSecret = false
        metadata.isSecret = false
        #expect(metadata.tags == ["a"] && !metadata.isSecret)
        #expect(FlagMetadata(tags: ["secret"]).isSecret)
    }
}
