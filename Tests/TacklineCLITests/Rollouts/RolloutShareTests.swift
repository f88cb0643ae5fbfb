#if CommandLine
    import Testing

    @testable import TacklineCLI

    @Suite("A share")
    struct RolloutShareTests {
        @Test("leaves the rest to the others in their proportions, to the last unit")
        func others() {
            let share = RolloutShare(percentage: "10")
            #expect(share?.weights(atPosition: 0, others: [90]) == [10, 90])
            #expect(share?.weights(atPosition: 1, others: [1, 1, 1]) == [30, 10, 30, 30])
            #expect(share?.weights(atPosition: 0, others: [0, 0]) == [10, 45, 45])
            for percentage in ["33.333", "0.1", "99"] {
                guard let share = RolloutShare(percentage: percentage) else { continue }
                #expect(share.weights(atPosition: 2, others: [7, 11, 13]).reduce(0, +) == share.total)
            }
            let many = [Int](repeating: Int(Int32.max), count: 1_000)
            #expect(
                RolloutShare(percentage: "12.34567")?.weights(atPosition: 0, others: many).reduce(0, +) == 10_000_000)
        }
    }
#endif
