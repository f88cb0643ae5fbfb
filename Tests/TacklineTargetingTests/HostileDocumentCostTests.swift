import CAllocationCounter
import Foundation
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
    private func cost(_ json: String, body: (FlagDefinitions) -> Void) -> Cost {
        tackline_forget_most_live_bytes()
        let (before, live) = (tackline_allocation_count(), tackline_live_bytes())
        if let definitions = try? FlagDefinitions(json: json) {
            _ = definitions.validate()
            let provider = DefinitionsProvider(
                definitions, context: .fixed(context), issueReporter: FlagIssueReporter { _ in })
            _ = provider.value(for: "f")
            for key in definitions.keys.prefix(10) { _ = definitions.evaluate(key, for: context) }
            body(definitions)
        }
        return Cost(allocations: tackline_allocation_count() - before, bytes: tackline_most_live_bytes() - live)
    }

    @Test("grows no faster than its text, and the other flags work")
    func growth() {
        for document in HostileDocument.all {
            var costs: [Cost] = []
            for size in [document.size / 2, document.size] {
                costs.append(
                    cost(document.text(size)) { definitions in
                        if definitions.flags[HostileDocument.goodKey] != nil {
                            #expect(
                                definitions.evaluate(HostileDocument.goodKey, for: context).value == 1, "\(document)")
                        }
                        #expect(definitions.errors.count <= 1_001, "\(document)")
                        // Of each thousand; and so long, that names in them were cut.
                        let findings = definitions.validate()
                        #expect(findings.count <= 3_100, "\(document)")
                        #expect(findings.allSatisfy { $0.message.utf8.count < 4_000 }, "\(document)")
                        for key in definitions.keys.prefix(10) {
                            let evaluation = definitions.evaluate(key, for: context)
                            #expect((evaluation.errorMessage?.utf8.count ?? 0) < 6_000, "\(document)")
                        }
                    })
            }
            guard tackline_allocation_count() >= 0, !document.isBoundBySteps else { continue }
            let (half, whole) = (costs[0], costs[1])
            #expect(
                whole.allocations < 5 * half.allocations / 2 + Int64(document.size), "\(document) \(half) \(whole)")
            // A document of a megabyte takes no more than 64 MB, and a rule has no more values than one of 300 KB can hold.
            #expect(whole.bytes < 2_000_000 + 130 * Int64(document.size), "\(document) \(whole)")
        }
    }

    @Test("is bounded for all its rules together, and for a flag with those that it requires")
    func share() throws {
        let loop = #"{"map": [N, {"map": [N, 1]}]}"#.replacing(
            "N", with: "[\((1...40).map(String.init).joined(separator: ","))]")
        func flags(_ count: Int, more: (Int) -> String = { _ in "" }) throws -> FlagDefinitions {
            let flags = (0..<count).map {
                #""f\#($0)": {"state": "ENABLED", "variants": {"on": 1}, "targeting": {"if": [{"$ref": "e"}, "on"]}\#(more($0))}"#
            }
            return try FlagDefinitions(
                json: #"{"flags": {\#(flags.joined(separator: ","))}, "$evaluators": {"e": \#(loop)}}"#)
        }
        // 3,200 steps each, of which 500 flags may take 4,000 and a thousand flags 2,000.
        #expect(try flags(500).evaluate("f1", for: context).value == 1)
        #expect(
            try flags(1_000).evaluate("f1", for: context).errorMessage
                == "Flag \"f1\": the evaluation took too many steps and was given up; make the rule simpler.")
        let chain = try flags(32) { $0 == 0 ? "" : #", "metadata": {"tackline.requires": "f\#($0 - 1)=on"}"# }
        #expect(
            chain.evaluate("f5", for: context).value == 1 && chain.evaluate("f31", for: context).errorCode == .general)
        // A provider evaluates each flag once, after those that it requires.
        #expect(DefinitionsProvider(chain, context: .fixed(context)).document?.value(for: "f31") == 1)
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
            return cost(text) { #expect($0.errors.isEmpty) }.bytes
        }
        let (one, many) = (bytes(flags: 1), bytes(flags: 400))
        #expect(many - one < 2 * one, "\(one) \(many)")
    }

    @Test("is nothing for a document that ends anywhere")
    func prefixes() throws {
        let text =
            #"""
            {"$schema": "https://flagd.dev/schema/v0/flags.json", "flags": {"a": {"state": "ENABLED", "variants": {"on": true,
            "off": false}, "defaultVariant": "off", "metadata": {"tackline.requires": "b=on", "owner": "ü\u00e9\ud83c\udf88"},
            "targeting": {"if": [{"in": [{"var": "email"}, ["a", "b", 1.5e3]]}, "on", {"$ref": "e"}]}}, "b": {"state": "DISABLED",
            "variants": {"on": 1}, "defaultVariant": null, "targeting": {"fractional": [["on", 10], ["on", 90]]}}},
            "$evaluators": {"e": {"if": [{"sem_ver": [{"var": "v"}, "^", "1.2.3"]}, "on"]}}, "metadata": {"version": "1"}}
            """#
        let errors = try FlagDefinitions(json: text).errors
        #expect(errors.isEmpty, "\(errors)")
        for count in 0..<text.utf8.count {
            let part = Data(text.utf8.prefix(count))
            #expect(throws: FlagError.self) { try FlagDefinitions(json: part) }
        }
    }
}
