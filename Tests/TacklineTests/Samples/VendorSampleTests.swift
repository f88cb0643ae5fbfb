import Foundation
import Tackline
import TacklineRemoteJSON
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("The samples of vendors' SDKs", .hangLimit)
struct VendorSampleTests {
    private typealias AppFlags = CompositionSamples.AppFlags

    private static let behind = MemoryProvider(name: "behind", values: ["new_checkout": true, "max_attempts": 7])

    @Test("take LaunchDarkly's values, follow its changes, and leave absent keys absent")
    func launchDarkly() {
        let client = LDClient()
        let provider = VendorProvider.launchDarkly(client)
        #expect(provider.status == .notReady)
        var flags: FlagsLoader? = FlagsLoader(AppFlags.self, providers: [provider, Self.behind])
        // The SDK would say false.
        #expect(!client.boolVariation(forKey: "new_checkout", defaultValue: false))
        #expect(flags?.newCheckout == true)
        client.receive(["new_checkout": .bool(false), "max_attempts": .number(4)])
        #expect(provider.status == .ready)
        #expect(flags?.newCheckout == false && flags?.maxAttempts == 4)
        client.receive(["max_attempts": .number(5)])
        #expect(flags?.newCheckout == true && flags?.maxAttempts == 5)
        flags = nil
        #expect(client.observerCount == 0)
    }

    @Test("take what Remote Config's server sent, and neither its defaults nor its false for unknown names")
    func remoteConfig() {
        let config = RemoteConfig()
        config.setDefaults(["max_attempts": "99"])
        let provider = VendorProvider.remoteConfig(config)
        var flags: FlagsLoader? = FlagsLoader(AppFlags.self, providers: [provider, Self.behind])
        #expect(!config.configValue(forKey: "new_checkout").boolValue)
        #expect(flags?.newCheckout == true && flags?.maxAttempts == 7)
        config.receive(["new_checkout": "false", "max_attempts": "4"])
        #expect(flags?.newCheckout == false && flags?.maxAttempts == 4)
        config.receive(["max_attempts": "5"])
        #expect(flags?.newCheckout == true && flags?.maxAttempts == 5)
        flags = nil
        #expect(config.listenerCount == 0)
    }

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

    @Test("keep the rules of providers")
    func conformance() async {
        let suite = FlagProviderConformance(holding: ["a": 1.5, "group/flag": "text", "none": .null]) {
            let client = LDClient()
            client.receive(["a": .number(1.5), "group": .object(["flag": .string("text")]), "none": .null])
            return VendorProvider.launchDarkly(client)
        }
        await suite.expectConformance()
    }

    @Test("get a JSON document with one line, which starts to fetch it")
    func json() async throws {
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: #"{ "max_attempts": 6 }"#)
        let server = try LoopbackServer(documents: documents)
        defer { server.stop() }
        var configuration = RemoteJSONConfiguration()
        configuration.cache = .disabled
        let flags = FlagsLoader(
            AppFlags.self, providers: [.json(url: server.url(path: "/flags.json"), configuration: configuration)])
        for await attempts in flags.$maxAttempts.values where attempts == 6 { break }
        #expect(flags.maxAttempts == 6)
        #expect(flags.providers.first is RemoteJSONProvider)
    }
}
