import Foundation
import Tackline
import TacklineTargeting

/// What evaluating a rule costs beside the hash of its bucketing key, which is the least that a rollout takes.
struct TargetingBenchmarks {
    private let definitions: FlagDefinitions
    private let users: [EvaluationContext]
    /// The texts that the rule hashes. As many as users, 128, so that picking one takes no division.
    private let keys: [String]

    init() throws {
        let text = #"""
            {"flags": {"reservations": {"state": "ENABLED", "variants": {"on": true, "off": false},
            "defaultVariant": "off", "targeting": {"if": [
            {"ends_with": [{"var": "email"}, "@example.com"]}, "on",
            {"fractional": [["on", 10], ["off", 90]]}
            ]}}}}
            """#
        definitions = try FlagDefinitions(json: Data(text.utf8))
        users = (0..<128).map { number in
            EvaluationContext(
                targetingKey: "5c3d8535-f81a-4478-a6d3-\(1_000 + number)",
                attributes: ["email": .string("somebody-\(number)@company.example"), "country": "DE"])
        }
        keys = users.map { "reservations" + ($0.targetingKey ?? "") }
    }

    func results(effort: Effort) -> [Result] {
        let times = Harness.measure([hash, rule], effort: effort)
        return [Result(name: rule.name, nanoseconds: times[1], floor: (hash.name, times[0]), bar: .ratioAtMost(10))]
    }

    /// Takes an evaluation as its caller does, without looking into it.
    @inline(never)
    private static func take(_ evaluation: FlagEvaluation) -> Int { 1 }

    private var hash: Case {
        Case("MurmurHash3 of the key") { [keys] count in
            var sum = 0
            for index in 0..<count { sum &+= Int(murmurHash3(keys[index & 127]) & 1) }
            return sum
        }
    }

    private var rule: Case {
        Case("A rule with one condition and one fractional") { [definitions, users] count in
            var sum = 0
            for index in 0..<count { sum &+= Self.take(definitions.evaluate("reservations", for: users[index & 127])) }
            return sum
        }
    }
}

/// MurmurHash3 x86 32-bit (Austin Appleby, public domain) of a text, the floor.
private func murmurHash3(_ text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { bytes in
        func scrambled(_ block: UInt32) -> UInt32 {
            let product = block &* 0xcc9e_2d51
            return (product &<< 15 | product &>> 17) &* 0x1b87_3593
        }
        var hash: UInt32 = 0
        let raw = UnsafeRawBufferPointer(bytes)
        let end = bytes.count & ~3
        for offset in stride(from: 0, to: end, by: 4) {
            hash ^= scrambled(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            hash = (hash &<< 13 | hash &>> 19) &* 5 &+ 0xe654_6b64
        }
        if end < bytes.count { hash ^= scrambled(bytes[end...].reversed().reduce(0) { $0 &<< 8 | UInt32($1) }) }
        hash ^= UInt32(truncatingIfNeeded: bytes.count)
        hash = (hash ^ hash &>> 16) &* 0x85eb_ca6b
        hash = (hash ^ hash &>> 13) &* 0xc2b2_ae35
        return hash ^ hash &>> 16
    }
}
