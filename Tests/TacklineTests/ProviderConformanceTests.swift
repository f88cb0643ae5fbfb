import Foundation
import Tackline
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

/// The providers whose modules have no tests with the suite of their own.
@Suite("The provider conformance suite passes, too,", .hangLimit)
struct ProviderConformanceTests {
    @Test("a layer of overrides, over memory")
    func overrides() async {
        let suite = FlagProviderConformance {
            FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)
        }
        await suite.expectConformance()
    }

    @Test("a document of definitions, with the part for read-only providers")
    func definitions() async throws {
        let json = """
            { "flags": {
                "a/b": { "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "on" },
                "number": { "state": "ENABLED", "variants": { "one": 1 }, "defaultVariant": "one" }
            } }
            """
        let definitions = try FlagDefinitions(json: Data(json.utf8))
        let suite = FlagProviderConformance(holding: ["a/b": true, "number": 1]) {
            DefinitionsProvider(definitions, context: .fixed(EvaluationContext(targetingKey: "someone")))
        }
        await suite.expectConformance()
    }
}
