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

/// A value behind an atomic pointer, which is the least that hands out values of more than a word to any thread.
final class PointerFloor<Value: Sendable>: Sendable {
    private final class Node: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private let node: Node
    /// The address of `node`, which lives as long as this object.
    private let address: Atomic<UInt>

    init(_ value: Value) {
        node = Node(value)
        address = Atomic(UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque()))
    }

    @inline(never) private func read() -> Value? {
        guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return nil }
        return Unmanaged<Node>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.value }
    }

    func copy(_ name: String) -> Case {
        Case(name) { [self] count in
            var sum = 0
            for _ in 0..<count where read() != nil { sum &+= 1 }
            return sum
        }
    }
}
