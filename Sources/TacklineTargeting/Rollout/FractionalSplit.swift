/// Weights, and the arithmetic that chooses among them, for rollouts that are written in code.
struct FractionalSplit: Sendable {
    /// Where each share ends.
    let ends: [UInt32]
    private let total: UInt32
    private let bucketing: any FractionalBucketing

    /// Makes a split. A negative weight counts as 0. Where the weights exceed 2,147,483,647, one alone or all together,
    /// nobody is placed, as in `fractional`.
    init(weights: [Int], bucketing: any FractionalBucketing) {
        self.bucketing = bucketing
        var ends: [UInt32] = []
        var total: Int64 = 0
        for weight in weights {
            total += min(Int64(max(0, weight)), FractionalWeights.maximum + 1)
            guard total <= FractionalWeights.maximum else {
                self.ends = []
                self.total = 0
                return
            }
            ends.append(UInt32(total))
        }
        self.ends = ends
        self.total = UInt32(total)
    }

    /// The position of the chosen weight; `nil` for a subject that cannot be placed.
    func position(_ flagKey: String, _ subject: String?) -> Int? {
        guard total > 0, let subject, !subject.isEmpty else { return nil }
        let place = bucketing.place(of: BucketingKey(flagKey, subject), totalWeight: total)
        return ends.firstIndex { place < $0 }
    }

    /// The part of all subjects that each weight gets; all zero where nobody is placed.
    var parts: [Double] {
        var previous: UInt32 = 0
        return ends.map { end in
            defer { previous = end }
            return total == 0 ? 0 : Double(end - previous) / Double(total)
        }
    }
}
