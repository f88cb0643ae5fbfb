#if CommandLine
    import Testing

    @testable import TacklineCLI

    @Suite("A share")
    struct RolloutShareTests {
        @Test(
            "is exact in decimal",
            arguments: [
                ("0", 0, 100), ("100", 100, 100), ("12.5", 125, 1000), ("12.50 %", 125, 1000),
                ("0.00001", 1, 10_000_000),
                ("7.0", 7, 100),
            ])
        func exact(text: String, weight: Int, total: Int) {
            let share = RolloutShare(percentage: text)
            #expect(share?.weight == weight && share?.total == total)
        }

        @Test(
            "is no text but a number from 0 to 100",
            arguments: [
                "", "-1", "100.1", "1e2", ".5", "5.", "0x10", "٥", "1.000001", "99999999999999999999", "5 5", "%",
            ])
        func refused(text: String) {
            #expect(RolloutShare(percentage: text) == nil)
        }

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
