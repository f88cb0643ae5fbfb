import Synchronization

/// The least that a machine takes for what a read or a write has to do.
///
/// Like the reads, each is a call of its own that the optimiser cannot look into or leave out.
final class Floors: Sendable {
    private let first = Atomic<UInt64>(1)
    private let second = Atomic<UInt64>(1)
    private let dictionary = Mutex<[String: Bool]>(["flag": true])

    @inline(never) private func readTwo() -> Bool {
        first.load(ordering: .acquiring) == second.load(ordering: .acquiring)
    }

    var twoLoads: Case {
        Case("two acquiring loads") { [self] count in
            var sum = 0
            for _ in 0..<count where readTwo() { sum &+= 1 }
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
