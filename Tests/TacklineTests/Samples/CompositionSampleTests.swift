import Tackline
import Testing

@Suite("The guides on composition")
struct CompositionSampleTests {
    @Test("show code that does what they say")
    func running() throws {
        let samples = CompositionSamples()
        let names = samples.chains().map { $0.map(\.name) }
        #expect(names[1] == ["test values", "remote", "region defaults"])
        #expect(names[2] == ["forced values", "demo values", "remote", "region defaults"])
        #expect(samples.changing().providers.map(\.name) == ["demo values", "remote"])
        let configured = samples.configurations()
        try configured.validate()
        #expect(configured.newCheckout && configured.debugMenu && configured.maxAttempts == 5)
        #expect(samples.features() && !samples.inside())
    }
}
