import TacklineCore
import TacklineTesting
import TacklineTestSupport
import Testing

@Suite("Combinations of flag values")
struct FlagCombinationsTests {
    let flags = FlagsLoader(AppFlags.self, providers: [])

    @Test("are all there, each once, the last flag varying fastest; of no flags there is one that sets nothing")
    func all() {
        #expect(FlagCombinations.all { _ in }.map(\.description) == [""])
        let all = FlagCombinations.all {
            $0.vary(\AppFlags.newCheckout)
            $0.vary(\AppFlags.theme)
            $0.vary(\AppFlags.limit, over: [1, 2])
        }
        #expect(all.count == 12)
        #expect(Set(all.map(\.description)).count == 12)
        #expect(all[1].description == #"newCheckout = false, theme = "light", limit = 2"#)
        #expect(all[11].description == #"newCheckout = true, theme = "system", limit = 2"#)
        // Each runs in its scope.
        let both = FlagCombinations.all {
            $0.vary(\AppFlags.newCheckout)
            $0.vary(\AppFlags.secrets.boomFeature)
        }
        for overrides in both {
            withFlags(overrides) {
                #expect(flags.boomCheckout == (flags.newCheckout && flags.secrets.boomFeature))
                #expect("\(overrides)".hasPrefix("newCheckout = \(flags.newCheckout)"))
            }
        }
    }

    @Test("taken pairwise hold every pair of values and few rows")
    func pairwise() {
        let cases: [[Int]] = [
            [], [3], [2, 2], [2, 2, 3], [3, 1, 2], [5, 4, 3, 2], Array(repeating: 2, count: 10),
            Array(repeating: 4, count: 10),
        ]
        typealias Many = EveryFlagReadTests.Many
        let flags = [\Many.g0, \.g1, \.g2, \.g3, \.g4].flatMap {
            [$0.appending(path: \.limit), $0.appending(path: \.attempts)]
        }
        for counts in cases {
            let overrides = FlagCombinations.pairwise { variations in
                for (flag, count) in zip(flags, counts) { variations.vary(flag, over: Array(0..<count)) }
            }
            let rows = overrides.map { row in
                row.description.split(separator: ", ").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            }
            for first in counts.indices {
                for second in counts.indices where second > first {
                    let pairs = Set(rows.map { $0[first] * 1000 + $0[second] })
                    #expect(pairs.count == counts[first] * counts[second], "\(counts)")
                }
            }
            let most = counts.sorted().suffix(2).reduce(1, *)
            #expect(rows.count >= most, "\(counts)")
            #expect(rows.count <= (counts.count < 2 ? most : most * 3), "\(rows.count) rows for \(counts)")
        }
    }

    @Test("take all values of a flag that has few, and fail the test for another one whose values are not named")
    func values() {
        struct Flags: FlagCollectionProtocol {
            @Flag(default: true) var isOn: Bool
            @Flag(default: 3, bounds: .range(1...5)) var attempts: Int?
            @Flag(default: "de", bounds: .oneOf(["de", "es"])) var language: String
            @Flag(default: 3) var limit: Int
        }
        func texts(_ variations: (inout FlagVariations) -> Void) -> [String] {
            FlagCombinations.all(variations).map { "\($0)".split(separator: " ").last.map(String.init) ?? "" }
        }
        #expect(texts { $0.vary(\Flags.isOn) } == ["false", "true"])
        #expect(texts { $0.vary(\Flags.attempts) } == ["3", "1", "5", "null"])
        #expect(texts { $0.vary(\Flags.language) } == [#""de""#, #""es""#])
        withKnownIssue {
            for values in FlagCombinations.all({ $0.vary(\Flags.limit) }) { withFlags(values) {} }
        } matching: { issue in
            (issue.error as? FlagError)?.message == "limit has too many values to try. Name some: vary(_:over:)."
        }
    }
}
