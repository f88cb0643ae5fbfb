import Foundation
import Tackline
import TacklineManifest
import TacklineTargeting
import Testing

// What the guides "Rollouts over time" and "Running an experiment" show, so that it is run.

struct RolloutsOverTimeSamples {
    let user = EvaluationContext(targetingKey: "user-42")
    let monday = Date(timeIntervalSince1970: 1_800_000_000)
    let friday = Date(timeIntervalSince1970: 1_800_345_600)

    func growing() -> (Bool, Date?) {
        let rollout = ProgressiveRollout(of: "reservations", at: 1, to: 100, from: monday, until: friday)
        let isIncluded = rollout.includes(user)
        let joins = rollout.nextChange(for: user, after: monday)
        return (isIncluded, joins)
    }

    func excluding() -> (EncodedFlagValue, EncodedFlagValue) {
        let layer = ExclusionLayer("checkout", ["one_page": 10, "express": 20])
        let split: EncodedFlagValue = ["fractional": [["on", 50], ["off", 50]]]
        let evaluators: EncodedFlagValue = ["checkout": layer.evaluator]
        let targeting = layer.targeting("one_page", split)

        let holdout = Holdout("2027-q1", percentage: 5)
        let measured = holdout.targeting(targeting)
        return (evaluators, measured)
    }

    func staying(_ definitions: FlagDefinitions, _ appContext: CurrentContext, _ file: URL) -> DefinitionsProvider {
        let kept = LocalProvider(name: "assignments", localURL: file)
        let rules = DefinitionsProvider(
            definitions, context: .current(appContext), sticky: StickyAssignments(in: kept))
        return rules
    }

    func declaring(_ flags: FlagsLoader<RolloutFlags>) -> FlagManifest {
        var manifest = FlagManifest(flags)
        manifest.attributes = ["email": .string]
        return manifest
    }

    func checking(_ definitions: FlagDefinitions, _ flags: FlagsLoader<RolloutFlags>) -> [FlagDefinitionProblem] {
        let typos = definitions.validate(
            flagKeys: flags.allFlags.map(\.keyPath.text), attributes: ["email": .string, "age": .number])
        return typos
    }
}

@Suite("The guide on rollouts over time")
struct RolloutsOverTimeSampleTests {
    @Test("shows code that does what it says")
    func running() throws {
        let samples = RolloutsOverTimeSamples()
        #expect(samples.growing().1 != nil)
        let definitions = try FlagDefinitions(
            json: #"{"flags": {"reservation": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}"#
        )
        let flags = FlagsLoader(RolloutFlags.self, providers: [])
        #expect(samples.checking(definitions, flags).first?.message.contains("did you mean \"reservations\"") == true)
        let manifest = samples.declaring(flags)
        #expect(try FlagManifest(manifest.encoded) == manifest && manifest.attributes.count == 1)
        if case .object(let members) = samples.excluding().1 { #expect(members.keys.sorted() == ["if"]) }
    }
}
