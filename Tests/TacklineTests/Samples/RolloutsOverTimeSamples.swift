import Foundation
import Tackline
import TacklineManifest
import TacklineTargeting
import Testing

// The samples of the guides "Rolling a feature out" and "Running an experiment", which are run here.

struct RolloutsOverTimeSamples {
    func excluding() -> (EncodedFlagValue, EncodedFlagValue) {
        let layer = ExclusionLayer("checkout", ["one_page": 10, "express": 20], fractional: .v2)
        let split: EncodedFlagValue = ["fractional": [["on", 50], ["off", 50]]]
        let evaluators: EncodedFlagValue = ["checkout": layer.evaluator]
        let targeting = layer.targeting("one_page", split)

        let holdout = Holdout("2027-q1", percentage: 5, fractional: .v2)
        let measured = holdout.targeting(targeting)
        return (evaluators, measured)
    }

    func staying(_ definitions: FlagDefinitions, _ appContext: CurrentContext, _ file: URL) -> DefinitionsProvider {
        let kept = LocalProvider(file: file, name: "assignments")
        let rules = DefinitionsProvider(
            definitions, context: .current(appContext), sticky: StickyAssignments(in: kept))
        return rules
    }

    func checking(_ definitions: FlagDefinitions, _ flags: FlagsLoader<RolloutFlags>) -> [FlagDefinitionProblem] {
        let typos = definitions.validate(flagKeys: flags.root.allFlags.map(\.keyPath.text))
        return typos
    }
}

@Suite("The guide on rollouts")
struct RolloutsOverTimeSampleTests {
    @Test("shows code that does what it says")
    func running() throws {
        let samples = RolloutsOverTimeSamples()
        let definitions = try FlagDefinitions(
            json: Data(
                #"{"flags": {"reservation": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}"#
                    .utf8))
        let flags = FlagsLoader(RolloutFlags.self, providers: [])
        #expect(samples.checking(definitions, flags).first?.message.contains("did you mean \"reservations\"") == true)
        if case .object(let members) = samples.excluding().1 { #expect(members.keys.sorted() == ["if"]) }
    }

    @Test("shows a rule that grows from nobody to everybody")
    func growing() throws {
        let package = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
        let page = try String(
            contentsOf: package.appending(path: "Docs/Tackline.docc/GradualRollout.md"), encoding: .utf8)
        let json = try #require(page.firstMatch(of: /```json\n(?<flag>"reservations"(?s).*?)```/)).flag
        for (second, share) in [
            (1_798_000_000, 0), (1_798_761_600, 0), (1_799_064_000, 0.5), (1_799_366_400, 1), (1_900_000_000, 1),
        ] as [(Int64, Double)] {
            let definitions = try FlagDefinitions(json: Data("{\"flags\": {\(json)}}".utf8), timestamp: { second })
            #expect(definitions.validate().isEmpty)
            let included = (1...1_000).count { number in
                let user = EvaluationContext(targetingKey: "user-\(number)")
                return definitions.evaluate("reservations", for: user).value == true
            }
            #expect(abs(Double(included) / 1_000 - share) < 0.07, "\(second): \(included)")
        }
    }
}
