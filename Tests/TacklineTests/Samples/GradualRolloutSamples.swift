import Foundation
import Tackline
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import Testing

// What the guides "Gradual rollout" and "Describing users to rules" show, so that the most of it is run.

struct RolloutFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Table reservations")
    var reservations: Bool
}

private let reservationsRollout = PercentageRollout(10, of: "reservations")

struct ComputedRolloutFlags: FlagCollectionProtocol {
    @Flag(
        default: false, computedValue: { reservationsRollout.includes(CurrentContext.shared.context) },
        description: "Table reservations")
    var reservations: Bool
}

struct GradualRolloutSamples {
    struct Account {
        let id = "user-42"
        let email = "ada@example.com"
    }

    struct Request {
        let userID: String
    }

    let bytes: Data
    let bundledFile: URL
    let url: URL
    let overrides = MemoryProvider(name: "overrides")
    let account = Account()

    func inCode(_ appContext: CurrentContext) -> FlagsLoader<RolloutFlags> {
        let rollout = PercentageRollout(10, of: "reservations")

        let flags = FlagsLoader(
            RolloutFlags.self,
            providers: [
                ClosureProvider { key in key == "reservations" ? .bool(rollout.includes(appContext.context)) : nil }
            ])
        return flags
    }

    func byAttribute() -> PercentageRollout {
        let byAccount = PercentageRollout(12.5, of: "reservations", by: "account")
        return byAccount
    }

    func thirdGeneration(_ appContext: CurrentContext) -> (FlagDocumentFormat, PercentageRollout) {
        let rules = FlagDocumentFormat.flagd(context: .current(appContext), fractional: .v3)
        let rollout = PercentageRollout(10, of: "reservations", fractional: .v3)
        return (rules, rollout)
    }

    func weighted(_ appContext: CurrentContext) -> String {
        let theme = WeightedVariants(
            of: "checkout_theme",
            [.init("bold", weight: 20, value: "bold"), .init("plain", weight: 80, value: "plain")]
        )
        let chosen = theme.value(for: appContext.context) ?? "plain"
        return chosen
    }

    func providers() -> (FlagsLoader<RolloutFlags>, CurrentContext, RemoteJSONProvider) {
        let appContext = CurrentContext()
        let rules = FlagDocumentFormat.flagd(context: .current(appContext))

        let shipped = ReadOnlyLocalProvider(file: bundledFile, name: "shipped", format: rules)
        let remote = RemoteJSONProvider(url: url, name: "remote", format: rules)
        let flags = FlagsLoader(RolloutFlags.self, providers: [overrides, remote, shipped])
        remote.start()

        appContext.set(["targetingKey": account.id, "email": account.email, "age": 42])  // log-in
        appContext.set(EvaluationContext())  // log-out
        return (flags, appContext, remote)
    }

    func details(_ flags: FlagsLoader<RolloutFlags>) -> FlagResolution<Bool> {
        let resolution = flags.$reservations.resolution()
        print(resolution.value, resolution.variant ?? "-", resolution.reason ?? .unknown, resolution.metadata)
        print(flags.$reservations.explain())
        return resolution
    }

    func serving(_ request: Request, file: URL) async -> Bool {
        let rules = ReadOnlyLocalProvider(
            file: file, format: .flagd(context: .task()), changeDetection: .automatic)
        let flags = FlagsLoader(RolloutFlags.self, providers: [rules])

        let answer = await withEvaluationContext(EvaluationContext(targetingKey: request.userID)) {
            await respond(to: request, flags)
        }
        return answer
    }

    func changingUser(_ remote: RemoteJSONProvider, _ account: Account) {
        remote.setSubject(account.id)
    }

    func comparing(_ newDefinitions: FlagDefinitions) throws -> Int {
        let definitions = try FlagDefinitions(json: bytes)
        let change = RolloutComparison(of: "reservations", from: definitions, to: newDefinitions, users: 10_000)
        for move in change.moves { print("\(move.from) to \(move.to): \(move.count)") }
        let losers = change.leaving("on")  // 0: nobody loses what they had
        return losers
    }

    func experiment(_ rules: DefinitionsProvider) -> FlagsLoader<RolloutFlags> {
        let recorder = ExposureRecorder()
        let flags = FlagsLoader(RolloutFlags.self, providers: [rules], observers: [recorder])
        Task {
            for await exposure in recorder.exposures { await send(FlagExposure.eventName, exposure.attributes) }
        }
        return flags
    }

    private func respond(to request: Request, _ flags: FlagsLoader<RolloutFlags>) async -> Bool { flags.reservations }
}

private func send(_ name: String, _ attributes: [String: EncodedFlagValue]) async {}

@Suite("The guide on gradual rollout", .hangLimit)
struct GradualRolloutSampleTests {
    @Test("shows code that does what it says")
    func running() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tackline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func text(_ on: Int) -> String {
            """
            {"flags": {"reservations": {"state": "ENABLED", "variants": {"on": true, "off": false},
            "defaultVariant": "off", "targeting": {"if": [
            {"ends_with": [{"var": "email"}, "@example.com"]}, "on",
            {"fractional": [["on", \(on)], ["off", \(100 - on)]]}]}}}}
            """
        }
        let file = folder.appending(path: "flags.json")
        try Data(text(10).utf8).write(to: file)
        let samples = GradualRolloutSamples(
            bytes: Data(text(10).utf8), bundledFile: file, url: try #require(URL(string: "http://127.0.0.1:1/")))

        let context = CurrentContext(EvaluationContext(targetingKey: "user-42"))
        let rollout = PercentageRollout(10, of: "reservations")
        #expect(samples.inCode(context).reservations == rollout.includes(context.context))
        #expect(["bold", "plain"].contains(samples.weighted(context)))
        #expect(!FlagsLoader(ComputedRolloutFlags.self, providers: []).reservations)

        let (flags, appContext, remote) = samples.providers()
        defer { remote.stop() }
        #expect(!flags.reservations)
        appContext.set(["targetingKey": "user-42", "email": "ada@example.com"])
        #expect(flags.reservations)
        #expect(samples.details(flags).variant == "on" && samples.details(flags).reason == .targetingMatch)
        samples.changingUser(remote, samples.account)
        #expect(flags.reservations, "what is shipped stays")

        #expect(
            await samples.serving(.init(userID: "user-7"), file: file)
                == rollout.includes(EvaluationContext(targetingKey: "user-7")))
        let half = try FlagDefinitions(json: Data(text(50).utf8))
        #expect(try samples.comparing(half) == 0)
        let rules = DefinitionsProvider(half, context: .current(context))
        #expect(samples.experiment(rules).reservations == rollout.includes(context.context))
    }
}
