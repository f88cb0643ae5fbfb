import ConfigCat
import FirebaseRemoteConfig
import LaunchDarkly
import Tackline
import Testing
import Vexil

@Suite("The pages for those who come from a vendor's SDK")
struct VendorPageTests {
    private let overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)

    @Test("take LaunchDarkly's values, follow its changes, and leave absent keys absent")
    func launchDarkly() throws {
        let client = LDClient()
        #expect(ClosureProvider.launchDarkly(client).status == .notReady)
        var flags: FlagsLoader? = makeFlags(client, overrides: overrides)
        #expect(flags?.newCheckout == false && flags?.$newCheckout.resolution().source == .default)
        client.receive(["new-checkout": .bool(true)])
        #expect(flags?.newCheckout == true)
        client.receive([:])
        #expect(flags?.$newCheckout.resolution().source == .default)
        flags = nil
        #expect(client.observerCount == 0)
    }

    @Test("take what Remote Config's server sent, and not its false for unknown names")
    func remoteConfig() throws {
        let config = RemoteConfig()
        var flags: FlagsLoader? = makeFlags(.remoteConfig(config), overrides: overrides)
        #expect(!config.configValue(forKey: "new_checkout").boolValue)
        #expect(flags?.$newCheckout.resolution().source == .default)
        config.receive(["new_checkout": "true"])
        #expect(flags?.newCheckout == true)
        config.receive([:])
        #expect(flags?.$newCheckout.resolution().source == .default)
        flags = nil
        #expect(config.listenerCount == 0)
    }

    @Test("have what the app's own fetchAndActivate brought at the next read, and send it to those who follow")
    func ownFetch() async throws {
        let config = RemoteConfig()
        let remote = ClosureProvider.remoteConfig(config)
        let flags = makeFlags(remote, overrides: overrides)
        var values = flags.$newCheckout.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == false)
        #expect(!flags.newCheckout && remote.traits == .live)
        config.publish(["new_checkout": "true"])
        try await fetchAndActivate(config, for: remote)
        #expect(flags.newCheckout)
        #expect(await values.next(isolation: #isolation) == true)
        config.publish([:])
        try await fetchAndActivate(config, for: remote)
        #expect(flags.$newCheckout.resolution().source == .default)
    }

    @Test("take ConfigCat's values of every type, and follow them")
    func configCat() throws {
        let client = ConfigCatClient()
        let flags = makeFlags(client, overrides: overrides)
        #expect(flags.$newCheckout.resolution().source == .default)
        client.receive(["newCheckout": true, "count": 3, "ratio": 0.5, "title": "x"])
        #expect(flags.newCheckout)
        let provider = ClosureProvider.configCat(client)
        #expect(provider.document?.root == ["newCheckout": true, "count": 3, "ratio": 0.5, "title": "x"])
    }

    @Test("take a Vexil source's values of the types that are named, and follow them")
    func vexil() async throws {
        let source = FlagValueDictionary()
        try source.setFlagValue(true, key: "new-checkout")
        try source.setFlagValue(3, key: "count")
        let flags = makeFlags(source, overrides: overrides)
        #expect(flags.newCheckout)
        let provider = ClosureProvider.vexil(source, types: ["new-checkout": Bool.self, "count": Int.self])
        #expect(provider.document?.root == ["new-checkout": true, "count": 3])
        var values = flags.$newCheckout.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == true)
        // The task that listens may not have begun; its source has no first value.
        while source.streamCount == 0 { await Task.yield() }
        try source.setFlagValue(false, key: "new-checkout")
        #expect(await values.next(isolation: #isolation) == false)
    }
}
