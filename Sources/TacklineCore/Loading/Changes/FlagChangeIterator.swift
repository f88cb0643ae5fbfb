/// Hands changes out one by one.
struct FlagChangeIterator<Change: MergeableFlagChange> {
    /// `nil` if there is no loader that changes could come from.
    private let subscription: FlagChangeSubscription<Change>?
    private var batches: [[Change]] = []
    private var batch = 0
    private var position = 0

    init(_ subscription: FlagChangeSubscription<Change>?) {
        self.subscription = subscription
    }

    mutating func next() async -> Change? {
        guard let subscription else { return nil }
        while true {
            while batch < batches.count {
                if position < batches[batch].count {
                    defer { position += 1 }
                    return batches[batch][position]
                }
                batch += 1
                position = 0
            }
            batches = []
            batch = 0
            position = 0
            guard let more = await subscription.next() else { return nil }
            batches = more
        }
    }
}
