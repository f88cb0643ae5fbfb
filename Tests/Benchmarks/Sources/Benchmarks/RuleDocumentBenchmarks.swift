import Foundation
import Tackline
import TacklineTargeting

/// Documents of rules: reading, changing and trying them, beside Foundation's reader and beside smaller documents.
struct RuleDocumentBenchmarks {
    private let effort: Effort
    private let user = EvaluationContext(
        targetingKey: "user-7", attributes: ["email": "a@b.example", "country": "DE", "age": 33, "version": "3.4.1"])

    init(effort: Effort) { self.effort = effort }

    func results() throws -> [Result] {
        try [reading()] + [changing()] + [trying()] + serving()
    }

    // MARK: Documents

    /// The rules that documents have in turn.
    private static func rule(_ number: Int) -> String {
        switch number % 5 {
        case 0:
            #"{"if": [{"ends_with": [{"var": "email"}, "@b.com"]}, "on", {"fractional": [["on", 10], ["off", 90]]}]}"#
        case 1:
            #"{"if": [{"and": [{"==": [{"var": "country"}, "DE"]}, {">=": [{"var": "age"}, \#(18 + number % 40)]}]}, "on"]}"#
        case 2:
            #"{"if": [{"in": [{"var": "plan"}, ["free", "pro"]]}, "on", {"sem_ver": [{"var": "version"}, ">", "3"]}, "on"]}"#
        case 3:
            #"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["on", 25], ["off", 75]]}"#
        default: #"{"if": [{"or": [{"starts_with": [{"var": "email"}, "admin"]}, {"var": "beta"}]}, "on", "off"]}"#
        }
    }

    /// Returns a document in which every `step`th flag has a rule, and every hundredth from `changed` on is on.
    private static func document(_ count: Int, step: Int = 1, changed: Int? = nil) -> Data {
        let flags = (0..<count).map { number in
            let isChanged = changed.map { number % 100 == $0 } ?? false
            let rule = number % step == 0 ? #", "targeting": \#(rule(number / step))"# : ""
            return """
                "flag-\(number)": {"state": "ENABLED", "variants": {"on": true, "off": false}, \
                "defaultVariant": "\(isChanged ? "on" : "off")"\(rule)}
                """
        }
        return Data(#"{"flags": {\#(flags.joined(separator: ", "))}}"#.utf8)
    }

    // MARK: Cases

    private func reading() throws -> Result {
        let document = Self.document(1_600)
        let floor = Case("JSONSerialization") { count in
            (0..<count).reduce(0) { sum, _ in sum + ((try? JSONSerialization.jsonObject(with: document)) == nil ? 0 : 1)
            }
        }
        let read = Case("\(document.count >> 10) KB of rules, read and compiled") { count in
            (0..<count).reduce(0) { sum, _ in sum + ((try? FlagDefinitions(json: document))?.keys.count ?? 0) }
        }
        let times = Harness.measure([floor, read], effort: effort)
        return Result(
            name: read.name, nanoseconds: times[1], floor: (floor.name, times[0]), bar: .ratioAtMost(1))
    }

    private func changing() throws -> Result {
        let cases = try [1_000, 10_000].map { count in
            let documents = [Self.document(count), Self.document(count, changed: 3)]
            let provider = DefinitionsProvider(try FlagDefinitions(json: documents[0]), context: .fixed(user))
            return Case("a change in a document of \(count) flags") { rounds in
                for round in 0..<rounds {
                    guard let new = try? FlagDefinitions(json: documents[(round + 1) % 2]) else { continue }
                    provider.update(new)
                }
                return rounds
            }
        }
        let times = Harness.measure(cases, effort: effort)
        // Ten times as many flags no longer lie in the processor's own memory.
        return Result(
            name: cases[1].name, nanoseconds: times[1], floor: (cases[0].name, times[0]), bar: .ratioAtMost(16))
    }

    private func trying() throws -> Result {
        let count = effort == .quick ? 100 : 1_000
        let old = try FlagDefinitions(json: Self.document(count))
        let new = try FlagDefinitions(json: Self.document(count, changed: 3))
        let users = (1...10_000).map { EvaluationContext(targetingKey: "user-\($0)") }
        let changed = (0..<count).filter { $0 % 100 == 3 }.map { "flag-\($0)" }
        let diff = Case("\(changed.count) changed flags of \(count), compared for 10,000 users") { _ in
            changed.reduce(0) { $0 + RolloutComparison(of: $1, from: old, to: new, contexts: users).moves.count }
        }
        return Result(name: diff.name, nanoseconds: Harness.time(diff, count: 1), bar: .microsecondsAtMost(0.5e6))
    }

    // MARK: A server

    private struct ServedFlags: FlagCollectionProtocol {
        @Flag(key: "flag-0", default: false) var split: Bool
        @Flag(key: "flag-1", default: false) var country: Bool
        @Flag(key: "flag-2", default: false) var plan: Bool
        @Flag(key: "flag-4", default: false) var email: Bool
    }

    private struct Product: Codable {
        let number: Int
        let name: String
        let cents: Int
    }

    /// The handler of the example server, a search among a thousand products, for a user of its own each time, with so
    /// many reads of rules.
    private func serving() throws -> [Result] {
        let kinds = ["black tea", "green tea", "coffee", "cocoa"]
        let products = (0..<1_000).map {
            Product(number: $0, name: "\(kinds[$0 % 4]) \($0)", cents: 300 + $0 * 7_919 % 900)
        }
        let provider = DefinitionsProvider(
            try FlagDefinitions(json: Self.document(100)), context: .task(fallback: EvaluationContext()))
        let flags = FlagsLoader(ServedFlags.self, providers: [provider])
        @Sendable func handle(_ number: Int, reads: Int) -> Int {
            var sum = 0
            for read in 0..<reads {
                let isOn =
                    switch read & 3 {
                    case 0: flags.split
                    case 1: flags.country
                    case 2: flags.plan
                    default: flags.email
                    }
                if isOn { sum += 1 }
            }
            let found = products.filter { $0.name.contains("tea") }
                .sorted { ($0.cents, $0.number) < ($1.cents, $1.number) }.prefix(20)
            return sum + ((try? JSONEncoder().encode(Array(found)))?.count ?? 0)
        }
        let plain = Case("the same without flags") { count in
            (0..<count).reduce(0) { $0 + handle($1, reads: 0) }
        }
        let user = user
        let cases = [(1, 1.05), (10, 1.15), (100, 2.0)].map { reads, bar in
            let name = "a handler with a context and \(reads) read\(reads == 1 ? "" : "s")"
            let item = Case(name) { count in
                (0..<count).reduce(0) { sum, number in
                    var context = user
                    context.targetingKey = "user-\(number)"
                    return sum + withEvaluationContext(context) { handle(number, reads: reads) }
                }
            }
            return (item, bar)
        }
        let times = Harness.measure([plain] + cases.map(\.0), effort: effort)
        return zip(cases, times.dropFirst()).map { item, time in
            Result(name: item.0.name, nanoseconds: time, floor: (plain.name, times[0]), bar: .ratioAtMost(item.1))
        }
    }
}
