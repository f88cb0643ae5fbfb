import Synchronization

/// The least that a machine takes for what a read has to do.
final class Floors: Sendable {
    let first = Atomic<UInt64>(1)
    let second = Atomic<UInt64>(1)
    let word = Atomic<Int>(7)
    let short: String
    let long: String
    let profile: Profile
    let dictionary = Mutex<[String: Bool]>(["flag": true])

    init(short: String, long: String, profile: Profile) {
        self.short = short
        self.long = long
        self.profile = profile
    }

    /// Out of line, like the slot's getter, so that the text is handed out each time.
    @inline(never) func shortText() -> String { short }
    @inline(never) func longText() -> String { long }
    @inline(never) func storedProfile() -> Profile { profile }

    var twoLoads: Case {
        Case("two acquiring loads") { [self] count in
            var sum: UInt64 = 0
            for _ in 0..<count {
                if first.load(ordering: .acquiring) == 1 { sum &+= second.load(ordering: .acquiring) }
            }
            return Int(truncatingIfNeeded: sum)
        }
    }

    var shortCopy: Case {
        Case("a stored text") { [self] count in
            var sum = 0
            for _ in 0..<count { sum &+= shortText().utf8.count }
            return sum
        }
    }

    var longCopy: Case {
        Case("a stored text") { [self] count in
            var sum = 0
            for _ in 0..<count { sum &+= longText().utf8.count }
            return sum
        }
    }

    var profileCopy: Case {
        Case("a stored struct") { [self] count in
            var sum = 0
            for _ in 0..<count { sum &+= storedProfile().attempts }
            return sum
        }
    }

    var dictionaryWrite: Case {
        Case("a dictionary in a Mutex") { [self] count in
            for index in 0..<count { dictionary.withLock { $0["flag"] = index & 1 == 0 } }
            return count
        }
    }
}
