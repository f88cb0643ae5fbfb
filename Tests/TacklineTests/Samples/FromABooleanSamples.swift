import Foundation
import Tackline
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTesting
import TacklineTestSupport
import Testing

// Every piece of code in Docs/Tackline.docc/FromABooleanToARollout.md stands here, so that it is compiled and run.
// CompositionSampleTests compares them.

enum AppFeature: String, Feature {
    case reservations, reviews, debugMenu
}

/// The guide's steps, as an app would have them.
struct FromABooleanSamples {
    let url: URL
    let overridesURL: URL
    let rulesJSON: [UInt8]

    func oneBoolean() -> Bool {
        let flags = FlagsLoader(AppFeature.self, providers: [])

        if flags.isEnabled(.reservations) { showReservations() }
        return flags.isEnabled(.reservations)
    }

    func inCode() -> FlagsLoader<FeatureCollection<AppFeature>> {
        let business = FlagConfiguration(AppFeature.self, name: "business") {
            enable(.reviews)
            if isWeekend { enable(.reservations) }
        }
        let flags = FlagsLoader(AppFeature.self, providers: [business])
        return flags
    }

    func remoteValues() async throws -> (FlagsLoader<FeatureCollection<AppFeature>>, RemoteJSONProvider) {
        let business = FlagConfiguration(AppFeature.self, name: "business") { enable(.reviews) }

        let remote = RemoteJSONProvider(url: url, name: "remote")
        let flags = FlagsLoader(AppFeature.self, providers: [remote, business])
        remote.start()
        return (flags, remote)
    }

    func explaining(_ flags: FlagsLoader<FeatureCollection<AppFeature>>) -> String {
        print(flags.handle(of: .reservations)?.explain() ?? "")
        return flags.handle(of: .reservations)?.explain().description ?? ""
    }

    func following(_ flags: FlagsLoader<FeatureCollection<AppFeature>>) async {
        guard let reservations = flags.handle(of: .reservations) else { return }
        for await isOn in reservations.values {
            if isOn { showReservations() }
        }
    }

    func overriding(remote: RemoteJSONProvider) throws -> FlagsLoader<FeatureCollection<AppFeature>> {
        let business = FlagConfiguration(AppFeature.self, name: "business") { enable(.reviews) }

        let overrides = FlagOverrides(storage: LocalProvider(localURL: overridesURL))
        let flags = FlagsLoader(AppFeature.self, providers: [overrides, remote, business])

        try flags.handle(of: .reservations)?.setValue(true, providers: [.instance(overrides)])
        try flags.handle(of: .reservations)?.resetValue(providers: [.instance(overrides)])
        return flags
    }

    func environments(remote: RemoteJSONProvider) -> FlagsLoader<FeatureCollection<AppFeature>> {
        let business = FlagConfiguration(AppFeature.self, name: "business") { enable(.reviews) }
        let overrides = FlagOverrides(storage: LocalProvider(localURL: overridesURL))

        let testing = FlagConfiguration(AppFeature.self, name: "testing", priority: .testing) { enable(.debugMenu) }
        let chain = ProviderChain(for: .detected) {
            overrides
            testing
            remote
            business
        }
        let flags = FlagsLoader(AppFeature.self, providers: chain)
        return flags
    }

    func collection() -> FlagsLoader<AppFlags> {
        let configuration = FlagConfiguration(AppFlags.self) {
            enable(\.features[.reservations])
            set(\.tables, to: 12)
        }
        let flags = FlagsLoader(AppFlags.self, providers: [configuration])

        let isOpen = flags.features.isEnabled(.reservations) && flags.tables > 0
        print(isOpen)
        return flags
    }

    func rollout(
        overrides: FlagOverrides, remote: RemoteJSONProvider, business: FlagConfiguration<FeatureCollection<AppFeature>>
    ) throws -> (FlagsLoader<FeatureCollection<AppFeature>>, CurrentContext, DefinitionsProvider) {
        let user = CurrentContext()
        let rules = DefinitionsProvider(try FlagDefinitions(json: rulesJSON), name: "rules", context: .current(user))
        let flags = FlagsLoader(AppFeature.self, providers: [overrides, rules, remote, business])

        user.set(EvaluationContext(targetingKey: "user-42"))
        return (flags, user, rules)
    }

    func looking() throws -> RolloutSimulation {
        let definitions = try FlagDefinitions(json: rulesJSON)
        let simulation = RolloutSimulation(of: "reservations", in: definitions, users: 10_000)
        print(simulation.table)
        return simulation
    }

    private var isWeekend: Bool { true }
    private func showReservations() {}
}

/// The guide's app once it has more than switches.
struct AppFlags: FlagCollectionProtocol {
    @FlagCollection(keyConfiguration: .skip)
    var features: FeatureCollection<AppFeature>

    @Flag(default: 20, description: "Tables that can be booked")
    var tables: Int
}

@Suite("The guide \"From a boolean to a rollout\"", .hangLimit)
struct FromABooleanTests {
    private static func rules(_ percentage: Int) -> [UInt8] {
        Array(
            """
            {
              "flags": {
                "reservations": {
                  "state": "ENABLED",
                  "variants": { "on": true, "off": false },
                  "defaultVariant": "off",
                  "targeting": { "fractional": [["on", \(percentage)], ["off", \(100 - percentage)]] }
                }
              }
            }
            """.utf8)
    }

    @Test("shows a test that is one")
    func testing() {
        let flags = FlagsLoader(AppFeature.self, providers: [])

        withFlags {
            $0.set(\FeatureCollection<AppFeature>[.reservations], true)
        } operation: {
            #expect(flags.isEnabled(.reservations))
        }
        #expect(!flags.isEnabled(.reservations))
    }

    @Test("leads to a chain in which each step does what the guide says")
    func steps() async throws {
        let folder = try TemporaryFolder()
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: #"{ "reservations": true, "reviews": false }"#)
        let server = try LoopbackServer(documents: documents)
        defer { server.stop() }
        let samples = FromABooleanSamples(
            url: server.url(path: "/flags.json"), overridesURL: folder.url.appending(path: "overrides.json"),
            rulesJSON: Self.rules(10))
        #expect(!samples.oneBoolean())
        #expect(samples.inCode().isEnabled(.reservations))

        let (flags, remote) = try await samples.remoteValues()
        // However long a busy machine takes.
        for await isOn in try #require(flags.handle(of: .reservations)).values where isOn { break }
        #expect(flags.isEnabled(.reservations) && !flags.isEnabled(.reviews))
        #expect(samples.explaining(flags).contains("> remote"))
        #expect(try samples.overriding(remote: remote).providerIDs == ["overrides", "remote", "business"])
        #expect(samples.environments(remote: remote).providerIDs.suffix(2) == ["remote", "business"])
        #expect(samples.collection().tables == 12)
        remote.stop()
    }

    @Test("ends with a percentage that decides user by user, and that only grows when it is raised")
    func percentage() throws {
        let samples = try FromABooleanSamples(
            url: #require(URL(string: "http://localhost/")), overridesURL: URL(filePath: "/nowhere"),
            rulesJSON: Self.rules(10))
        let business = FlagConfiguration(AppFeature.self) { enable(.reviews) }
        let (flags, user, rules) = try samples.rollout(
            overrides: FlagOverrides(storage: MemoryProvider(), environment: .nonProduction),
            remote: RemoteJSONProvider(url: samples.url), business: business)
        func lucky() -> Set<Int> {
            Set(
                (0..<1000).filter { number in
                    user.set(EvaluationContext(targetingKey: "user-\(number)"))
                    return flags.isEnabled(.reservations)
                })
        }
        let tenth = lucky()
        #expect((70...130).contains(tenth.count))
        rules.update(try FlagDefinitions(json: Self.rules(50)))
        #expect(tenth.isSubset(of: lucky()))
        #expect(flags.isEnabled(.reviews))
        #expect(try samples.looking().subjectCount == 10_000)
    }
}
