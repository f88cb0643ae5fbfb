import ConfigCat
import FirebaseRemoteConfig
import Foundation
import LaunchDarkly
import Tackline
import TacklineTesting
import Testing
import Vexil

@Suite("The pages for those who come from a vendor's SDK")
struct VendorPageTests {
    private let overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)

    @Test(
        "show what is compiled here",
        arguments: [
            ("Overview", "CheckoutFlags"), ("LaunchDarkly", "LaunchDarklySample"),
            ("Firebase Remote Config", "RemoteConfigSample"), ("ConfigCat", "ConfigCatSample"),
            ("Vexil", "VexilSample"),
        ])
    func compiled(section: String, sample: String) throws {
        let pieces = try Self.pieces(of: "MovingFromOthers", section: section)
        #expect(pieces.count == (section == "Overview" ? 1 : 2))
        let sources = try Self.text("Tests/Vendors/Tests/VendorTests/\(sample).swift")
        for piece in pieces { #expect(sources.contains(piece), "\(piece)") }
    }

    /// Returns the samples of a page, or of one of its sections.
    private static func pieces(of guide: String, section: String? = nil) throws -> [String] {
        var page = try text("Docs/Tackline.docc/\(guide).md")
        if let section {
            page = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("\(section)\n") })
        }
        return page.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
            .map { piece in
                // Each piece shows its imports, which the file that has them all shows once.
                piece.split(separator: "\n", omittingEmptySubsequences: false)
                    .drop { $0.isEmpty || $0.hasPrefix("import ") || $0.hasPrefix("@preconcurrency import ") }
                    .joined(separator: "\n")
            }
    }

    private static func text(_ path: String) throws -> String {
        let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test("with the page on RealFlags among them")
    func realFlags() throws {
        let pieces = try Self.pieces(of: "MovingFromRealFlags")
        #expect(pieces.count == 4)
        let sources = try Self.text("Tests/Vendors/Tests/VendorTests/RealFlagsSample.swift")
        for piece in pieces { #expect(sources.contains(piece), "\(piece)") }
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (old, new) = (folder.appending(path: "old.plist"), folder.appending(path: "new.json"))
        try Data("<plist><dict><key>myapp</key><dict><key>is_urlvalid</key><true/></dict></dict></plist>".utf8)
            .write(to: old)
        let flags = makeFlags(oldFile: old, newFile: new)
        #expect(flags.$isURLValid.keyPath == "myapp/is_url_valid" && flags.$isURLValid.defaultValue == false)
        #expect(try String(contentsOf: new, encoding: .utf8).contains("\"myapp/is_url_valid\": true"))
        let loader = FlagsLoader(AppFlags.self, keyConfiguration: oldKeys, providers: [SettingsProvider()])
        #expect(loader.$isURLValid.keyPath == "myapp/is_urlvalid")
        var settings: Settings? = Settings()
        let delegated = try FlagsLoader(AppFlags.self, providers: [settingsProvider(#require(settings))])
        try delegated.$isURLValid.setValue(true)
        #expect(delegated.isURLValid)
        settings = nil
        #expect(!delegated.isURLValid)
        #expect(throws: FlagError.self) { try delegated.$isURLValid.setValue(true) }
    }

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

    @Test("keep the rules of providers with LaunchDarkly")
    func conformance() async {
        let suite = FlagProviderConformance(holding: ["a": 1.5, "group/flag": "text", "none": .null]) {
            let client = LDClient()
            client.receive(["a": .number(1.5), "group": .object(["flag": .string("text")]), "none": .null])
            return ClosureProvider.launchDarkly(client)
        }
        await suite.expectConformance()
    }

    @Test("take what Remote Config's server sent, and neither its defaults nor its false for unknown names")
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
