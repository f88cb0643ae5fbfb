import CAllocationCounter
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

/// Counts what a document costs: bytes and allocations here, and steps in the code itself, which names its limits.
@Suite("What a hostile document costs", .hangLimit)
struct HostileDocumentCostTests {
    private let context = EvaluationContext(targetingKey: "user-1", attributes: ["country": "de", "age": 20])

    private struct Cost {
        var allocations: Int64 = 0
        var bytes: Int64 = 0
    }

    /// Reads, validates and installs a document, and evaluates some of its flags.
    private func cost(
        _ json: [UInt8], limits: TargetingLimits = .default, body: (FlagDefinitions) -> Void
    ) -> Cost {
        tackline_forget_most_live_bytes()
        let (before, live) = (tackline_allocation_count(), tackline_live_bytes())
        if let definitions = try? FlagDefinitions(json: json, limits: limits) {
            _ = definitions.validate()
            let provider = DefinitionsProvider(
                definitions, context: .fixed(context), issueReporter: FlagIssueReporter { _ in })
            _ = provider.value(for: "f")
            for key in definitions.flags.keys.prefix(10) { _ = definitions.evaluate(key, for: context) }
            body(definitions)
        }
        return Cost(allocations: tackline_allocation_count() - before, bytes: tackline_most_live_bytes() - live)
    }

    @Test("grows no faster than its text, and the other flags work")
    func growth() {
        // Fewer steps than by default, because rules that use them up cost as much as they may, whatever their size.
        let few = TargetingLimits(maximumSteps: 10_000)
        for document in HostileDocument.all {
            var costs: [Cost] = []
            let limits = document.isBoundBySteps ? few : .default
            for size in [document.size / 2, document.size] {
                let json = Array(document.text(size).utf8)
                costs.append(
                    cost(json, limits: limits) { definitions in
                        guard let good = definitions.flags[HostileDocument.goodKey] else { return }
                        #expect(good.evaluate(for: context).value == 1, "\(good.evaluate(for: context))")
                        #expect(definitions.errors.count <= 1_001, "\(document)")
                        // Of each thousand; and so long, that names in them were cut.
                        let findings = definitions.validate()
                        #expect(findings.count <= 3_100, "\(document)")
                        #expect(findings.allSatisfy { $0.message.utf8.count < 4_000 }, "\(document)")
                        for flag in definitions.flags.values.prefix(10) {
                            let evaluation = flag.evaluate(for: context)
                            #expect((evaluation.errorMessage?.utf8.count ?? 0) < 6_000, "\(document)")
                        }
                    })
            }
            guard tackline_allocation_count() >= 0 else { return }
            let (half, whole) = (costs[0], costs[1])
            // What is no evaluation doubles, and all rules together may take forty times the steps of one.
            let steps = document.isBoundBySteps ? 40 * Int64(few.maximumSteps) : 0
            let others = Int64(document.size)
            #expect(
                whole.allocations < 5 * half.allocations / 2 + others + 3 * steps, "\(document) \(half) \(whole)")
            // A document of a megabyte takes no more than 64 MB, and a rule has no more values than one of 300 KB can hold.
            #expect(whole.bytes < 2_000_000 + 130 * Int64(document.size), "\(document) \(whole)")
        }
    }

    @Test("is a message in each flag that would take too much, with the rule's place and the limit")
    func share() throws {
        let loop = #"{"map": [N, {"map": [N, {"map": [N, 1]}]}]}"#.replacing(
            "N", with: "[\((1...50).map(String.init).joined(separator: ","))]")
        let flags = (0..<1_000).map {
            #""f\#($0)": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on", "targeting": {"$ref": "e"}}"#
        }
        let few = flags.prefix(10)
        func message(_ flags: some Sequence<String>) throws -> String? {
            let text = #"{"flags": {\#(flags.joined(separator: ","))}, "$evaluators": {"e": \#(loop)}}"#
            return try FlagDefinitions(json: text).evaluate("f1", for: context).errorMessage
        }
        #expect(
            try message(few)
                == "Flag \"f1\": the rule was given up after 100000 steps; make it simpler or raise the limit.")
        #expect(
            try message(flags) == """
                Flag "f1": the rule was given up after 4002 steps, its share of what all rules may do; make it simpler or raise \
                the limit.
                """)
    }

    @Test("is that of one evaluator, however many flags name it", .enabled(if: tackline_allocation_count() >= 0))
    func sharedEvaluator() throws {
        let large = "[\((0..<5_000).map { "\"user-\($0)@example.com\"" }.joined(separator: ","))]"
        func bytes(flags count: Int) -> Int64 {
            let flags = (0..<count).map {
                #""f\#($0)": {"state": "ENABLED", "variants": {"on": 1}, "targeting": {"if": [{"$ref": "e"}, "on"]}}"#
            }
            let text =
                #"{"flags": {\#(flags.joined(separator: ","))}, "$evaluators": {"e": {"in": [{"var": "a"}, \#(large)]}}}"#
            return cost(Array(text.utf8)) { #expect($0.errors.isEmpty) }.bytes
        }
        let (one, many) = (bytes(flags: 1), bytes(flags: 400))
        #expect(many - one < 2 * one, "\(one) \(many)")
    }

    @Test("is nothing for a document that ends anywhere")
    func prefixes() throws {
        let text = Array(
            #"""
            {"$schema": "https://flagd.dev/schema/v0/flags.json", "flags": {"a": {"state": "ENABLED", "variants": {"on": true,
            "off": false}, "defaultVariant": "off", "metadata": {"tackline.requires": "b=on", "owner": "ü\u00e9\ud83c\udf88"},
            "targeting": {"if": [{"in": [{"var": "email"}, ["a", "b", 1.5e3]]}, "on", {"$ref": "e"}]}}, "b": {"state": "DISABLED",
            "variants": {"on": 1}, "defaultVariant": null, "targeting": {"fractional": [["on", 10], ["on", 90]]}}},
            "$evaluators": {"e": {"if": [{"sem_ver": [{"var": "v"}, "^", "1.2.3"]}, "on"]}}, "metadata": {"version": "1"}}
            """#.utf8)
        let errors = try FlagDefinitions(json: text).errors
        #expect(errors.isEmpty, "\(errors)")
        for count in 0..<text.count {
            #expect(throws: TargetingError.self) { try FlagDefinitions(json: text.prefix(count)) }
        }
    }

    /// Flags as people write them, one of which depends on a number.
    private func usual(_ count: Int, age: Int) -> [UInt8] {
        let flags = (0..<count).map { number in
            """
            "feature_flag_number_\(number)": {"state": "ENABLED", "variants": {"on": true, "off": false},
            "defaultVariant": "off", "targeting": {"if": [{"and": [{"in": [{"var": "country"}, ["de", "fr", "\(number)"]]},
            {">=": [{"var": "age"}, \(number == 0 ? age : 18)]}]}, "on",
            {"fractional": [["on", \(number % 100)], ["off", \(100 - number % 100)]]}]}}
            """
        }
        return Array("{\"flags\": {\(flags.joined(separator: ","))}}".utf8)
    }

    @Test("that is usual is at most twelve times its text, as long as it is in force")
    func memory() throws {
        guard tackline_allocation_count() >= 0 else { return }
        let text = usual(2_000, age: 18)
        let before = tackline_live_bytes()
        let definitions = try FlagDefinitions(json: text)
        let provider = DefinitionsProvider(definitions, context: .fixed(context))
        let bytes = tackline_live_bytes() - before
        #expect(bytes < 12 * Int64(text.count), "\(Double(bytes) / Double(text.count))")
        #expect(provider.value(for: "feature_flag_number_0") == true)
    }

    @Test("of ten times as many flags is about ten times as much, where one of them changes")
    func change() throws {
        guard tackline_allocation_count() >= 0 else { return }
        func allocations(_ count: Int) throws -> Int64 {
            let (old, new) = (
                try FlagDefinitions(json: usual(count, age: 18)), try FlagDefinitions(json: usual(count, age: 50))
            )
            let provider = DefinitionsProvider(old, context: .fixed(context))
            let before = tackline_allocation_count()
            provider.update(new)
            return tackline_allocation_count() - before
        }
        let (few, many) = (try allocations(300), try allocations(3_000))
        #expect(many < 12 * few, "\(few) \(many)")
    }
}
