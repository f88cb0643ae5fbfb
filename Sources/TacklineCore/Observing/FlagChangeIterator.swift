/// Hands changes out one by one.
struct FlagChangeIterator {
    /// `nil` if there is no loader that changes could come from.
    private let subscription: FlagChangeSubscription?
    private var batches: [[TrackedFlagChange]] = []
    private var batch = 0
    private var position = 0

    init(_ subscription: FlagChangeSubscription?) {
        self.subscription = subscription
    }

    mutating func next() async -> TrackedFlagChange? {
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
