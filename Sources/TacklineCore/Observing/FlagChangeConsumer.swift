/// A consumer that is to get changes once the events before it have been looked at.
struct FlagChangeConsumer: Sendable {
    /// Which changes it gets.
    enum Place: Sendable {
        case flag(Int)
        /// Those of all flags; the buffer sorts out.
        case all
    }

    /// Weak, so that nobody's values are let go under the queue's lock.
    private(set) weak var buffer: FlagChangeBuffer?
    let place: Place
}
