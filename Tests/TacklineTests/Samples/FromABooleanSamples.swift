import Foundation
import Tackline
import TacklineRemoteJSON
import TacklineTargeting
import TacklineTestSupport
import Testing

// The last steps of the guide "Adding flags to an app"; .ci/run guides runs the others.

enum AppFeature: String, FlagFeature {
    case reservations, reviews, debugMenu
}

/// The guide's steps, as an app would have them.
struct FromABooleanSamples {
    let url: URL
    let overridesURL: URL
    let rulesJSON: Data

    func rollout(
        overrides: FlagOverrides, remote: RemoteJSONProvider,
        business: FlagConfiguration<FlagFeatureCollection<AppFeature>>
    ) throws -> (FlagsLoader<FlagFeatureCollection<AppFeature>>, CurrentContext, DefinitionsProvider) {
        let user = CurrentContext()
        let rules = DefinitionsProvider(try FlagDefinitions(json: rulesJSON), name: "rules", context: .current(user))
        let flags = FlagsLoader(AppFeature.self, providers: [overrides, rules, remote, business])

        user.set(EvaluationContext(targetingKey: "user-42"))
        return (flags, user, rules)
    }
}

@Suite("The guide \"Adding flags to an app\"", .hangLimit)
struct FromABooleanTests {
    private static func rules(_ percentage: Int) -> Data {
        Data(
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

    @Test("ends with a percentage that decides user by user, and that only grows when it is raised")
    func percentage() throws {
        let samples = try FromABooleanSamples(
            url: #require(URL(string: "http://localhost/")), overridesURL: URL(filePath: "/nowhere"),
            rulesJSON: Self.rules(10))
        let business = FlagConfiguration(AppFeature.self) { $0.enable(.reviews) }
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
    }
}
