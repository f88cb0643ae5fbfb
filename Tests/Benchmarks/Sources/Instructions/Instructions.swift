import Foundation
import Synchronization
import Tackline
import TacklineTargeting

/// Does one thing some times, for `Tests/Benchmarks/instructions`, which counts the instructions that it takes.
///
/// The first argument names the thing, the second says how often. What is done before, and once, is the same for every
/// number, so that the difference of two counts is what the thing takes.
@main
struct Instructions {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), let work = works[arguments[1]] else {
            print("Say what to do, and how often: \(works.keys.sorted().joined(separator: ", ")).")
            return
        }
        work(count)
    }

    private struct FourFlags: FlagCollectionProtocol {
        @Flag(default: false, description: "A switch") var newCheckout: Bool
        @Flag(default: 3, description: "A number") var maxAttempts: Int
        @Flag(default: "classic", description: "A text") var theme: String
        @Flag(default: false, description: "Another switch") var written: Bool
    }

    /// A provider that doesn't notify observers.
    private struct Untold: FlagProvider {
        let memory = MemoryProvider(values: ["new_checkout": true])
        func value(for key: FlagKeyPath) -> EncodedFlagValue? { memory.value(for: key) }
    }

    /// A rule with a condition and a split, and a request that it concerns.
    private static let rules = """
        {"flags": {"new_checkout": {
            "state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
            "targeting": {"if": [{"==": [{"var": "plan"}, "gold"]}, {"fractional": [["on", 100], ["off", 0]]}, null]}}}}
        """
    private static let request = EvaluationContext(targetingKey: "user-1", attributes: ["plan": "gold"])

    private static let works: [String: @Sendable (Int) -> Void] = [
        "dictionary-write": { count in
            let dictionary = Mutex(["flag": false])
            for index in 0..<count { dictionary.withLock { $0["flag"] = index & 1 == 0 } }
        },
        "uncached-read": { count in
            let loader = FlagsLoader(FourFlags.self, providers: [Untold()])
            for _ in 0..<count { precondition(loader.newCheckout) }
        },
        "rule": { count in
            guard let definitions = try? FlagDefinitions(json: Data(rules.utf8)) else { return }
            for _ in 0..<count { precondition(definitions.evaluate("new_checkout", for: request).value == true) }
        },
        "rule-read": { count in
            guard let definitions = try? FlagDefinitions(json: Data(rules.utf8)) else { return }
            let provider = DefinitionsProvider(definitions, context: .task())
            let loader = FlagsLoader(FourFlags.self, providers: [provider])
            withEvaluationContext(request) { for _ in 0..<count { precondition(loader.newCheckout) } }
        },
        "write": { count in
            let memory = MemoryProvider(values: ["written": false])
            let loader = FlagsLoader(FourFlags.self, providers: [memory])
            let key = FlagKeyPath("written")
            for index in 0..<count { memory.setValue(.bool(index & 1 == 0), for: key) }
            withExtendedLifetime(loader) {}
        },
        "environment-and-file": { count in
            let url = FileManager.default.temporaryDirectory.appending(path: "tackline-instructions.json")
            let providers: [any FlagProvider] = [
                EnvironmentProvider(prefix: "TACKLINE_INSTRUCTIONS_"), LocalProvider(file: url),
            ]
            for _ in 0..<count {
                let loader = FlagsLoader(FourFlags.self, providers: providers)
                precondition(!loader.newCheckout && loader.maxAttempts == 3 && loader.theme == "classic")
            }
        },
    ]
}
