import Foundation
import Tackline
import TacklineLoopback
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

@Suite("The samples of vendors' SDKs", .hangLimit)
struct VendorSampleTests {
    private typealias AppFlags = CompositionSamples.AppFlags

    @Test("ask an SDK that only knows isActive for the names that it knows")
    func toggles() {
        let samples = VendorSamples()
        let flags = FlagsLoader(AppFlags.self, providers: [samples.activeNames()])
        #expect(!flags.newCheckout && flags.debugMenu)
        samples.toggles.setActive(["new_checkout"])
        #expect(flags.newCheckout)
        // The default, although the SDK says false of it.
        #expect(!samples.toggles.isActive("debug_menu") && flags.debugMenu)
    }

    @Test("follow settings by closures")
    func closures() {
        let samples = VendorSamples()
        let flags = FlagsLoader(AppFlags.self, providers: [samples.closures()])
        #expect(flags.maxAttempts == 3)
        samples.settings.setText("8", for: "max_attempts")
        #expect(flags.maxAttempts == 8)
    }

    @Test("get a JSON document from a provider that was started")
    func json() async throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: #"{ "max_attempts": 6 }"#)
        let server = try LoopbackServer(documents: documents)
        defer { server.stop() }
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        let remote = RemoteJSONProvider(url: server.url(path: "/flags.json"), configuration: configuration)
        remote.start()
        let flags = FlagsLoader(AppFlags.self, providers: [remote])
        for await attempts in flags.$maxAttempts.values where attempts == 6 { break }
        #expect(flags.maxAttempts == 6)
        remote.stop()
    }
}
