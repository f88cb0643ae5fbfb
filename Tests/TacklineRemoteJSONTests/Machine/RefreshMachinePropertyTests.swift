import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

@testable import TacklineRemoteJSON

/// Sequences of events drawn at random, each step of which is held against the law. `TACKLINE_SEQUENCES` sets how many.
@Suite("The law of the machine", .hangLimit) struct RefreshMachinePropertyTests {
    @Test("holds after every event of random sequences")
    func law() {
        let count = ProcessInfo.processInfo.environment["TACKLINE_SEQUENCES"].flatMap { Int($0) } ?? 1_500
        var random = SeededGenerator(seed: 15)
        var (events, found) = (0, 0)
        for index in 0..<count {
            let (kind, steps) = (Int.random(in: 0..<LawCheck.kinds, using: &random), Self.steps(using: &random))
            events += steps.count
            guard let failure = LawCheck.failure(kind, steps) else { continue }
            let smallest = Self.shrunk(steps) { LawCheck.failure(kind, $0) != nil }
            Issue.record("sequence \(index), kind \(kind): \(LawCheck.failure(kind, smallest) ?? failure)\n\(smallest)")
            found += 1
            if found == 5 { return }
        }
        print("The law held in \(count) sequences with \(events) steps.")
    }

    @Test("is broken by a machine that is told wrong, and the sequence that shows it is made short")
    func shrinks() {
        var random = SeededGenerator(seed: 3)
        var steps = Self.steps(using: &random)
        while steps.count < 30 || !Self.contain(.stop, steps) || !Self.contain(.start, steps) {
            steps = Self.steps(using: &random)
        }
        let smallest = Self.shrunk(steps) { Self.contain(.start, $0) && Self.contain(.stop, $0) }
        #expect(Set(smallest.map(\.step)) == [.start, .stop])
        #expect(smallest.count == 2)
    }

    private static func contain(_ step: LawCheck.Step, _ moves: [LawCheck.Move]) -> Bool {
        moves.contains { $0.step == step }
    }

    private static func steps(using random: inout SeededGenerator) -> [LawCheck.Move] {
        (0..<Int.random(in: 1...60, using: &random)).map { _ in
            LawCheck.Move(step: .random(using: &random), random: Double.random(in: 0...1, using: &random))
        }
    }

    /// Leaves out as many steps as it can, in ever smaller portions, so that the sequence still fails.
    private static func shrunk(_ steps: [LawCheck.Move], fails: ([LawCheck.Move]) -> Bool) -> [LawCheck.Move] {
        var steps = steps
        var portion = max(1, steps.count / 2)
        while true {
            var start = 0
            var didShrink = false
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + portion, steps.count))
                if fails(fewer) {
                    steps = fewer
                    didShrink = true
                } else {
                    start += portion
                }
            }
            if portion == 1, !didShrink { return steps }
            if !didShrink { portion = max(1, portion / 2) }
        }
    }
}
