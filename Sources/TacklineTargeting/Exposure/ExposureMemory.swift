/// The last exposure of each pair of a flag and a subject, in a table that has a maximum size.
///
/// The table consists of buckets of sixteen entries. If a bucket is full, the table is doubled up to the maximum, and
/// then the oldest entry of the bucket is replaced. If there are more pairs than entries, some of them are therefore
/// still known, in whatever order they come. A memory that forgets the oldest pair of all would know none.
struct ExposureMemory {
    struct Entry {
        /// The hash of the flag and the subject.
        var pair: Int
        /// The hash of the answer.
        private var answerBits: UInt32
        /// The time at which the exposure was recorded.
        var time: UInt32

        static var empty: Entry {
            var entry = Entry(pair: 1, answer: 0, time: 0)
            entry.pair = 0
            return entry
        }

        init(pair: Int, answer: Int, time: UInt32) {
            // 0 marks an unused entry.
            self.pair = pair == 0 ? 1 : pair
            answerBits = UInt32(truncatingIfNeeded: answer)
            self.time = time
        }

        func hasSameAnswer(as other: Entry) -> Bool { answerBits == other.answerBits }
    }

    static let maximumCount = 1 << 19
    private static let bucketSize = 16

    private(set) var entries: [Entry] = []

    /// Returns a duration in 64ths of a second. Times are distinct for two years.
    static func time(_ duration: Duration) -> UInt32 {
        let (seconds, attoseconds) = duration.components
        return UInt32(truncatingIfNeeded: seconds &* 64 &+ attoseconds / (1_000_000_000_000_000_000 / 64))
    }

    private func bucket(of pair: Int) -> Range<Int> {
        let start = (pair &* Self.bucketSize) & (entries.count - 1)
        return start..<start + Self.bucketSize
    }

    /// Returns whether a pair had the same answer less than a window before.
    func has(_ new: Entry, window: UInt32?) -> Bool {
        guard !entries.isEmpty else { return false }
        for index in bucket(of: new.pair) where entries[index].pair == new.pair {
            guard entries[index].hasSameAnswer(as: new) else { return false }
            return window.map { new.time &- entries[index].time < $0 } ?? true
        }
        return false
    }

    /// Inserts an entry in place of the pair's last one.
    ///
    /// - Returns: The former table, for the caller to release.
    mutating func insert(_ new: Entry) -> [Entry] {
        var old: [Entry] = []
        if entries.isEmpty { entries = Array(repeating: .empty, count: 1024) }
        while !place(new, replacesOldest: entries.count >= Self.maximumCount) {
            let table = entries
            entries = Array(repeating: .empty, count: table.count * 2)
            for entry in table where entry.pair != 0 { _ = place(entry, replacesOldest: true) }
            old = table
        }
        return old
    }

    private mutating func place(_ new: Entry, replacesOldest: Bool) -> Bool {
        let bucket = bucket(of: new.pair)
        if let index = bucket.first(where: { entries[$0].pair == new.pair || entries[$0].pair == 0 }) {
            entries[index] = new
            return true
        }
        guard replacesOldest else { return false }
        let oldest = bucket.max { new.time &- entries[$0].time < new.time &- entries[$1].time }
        entries[oldest ?? bucket.lowerBound] = new
        return true
    }
}
