import Synchronization
import TacklineCore

/// The moments at which the passing of time may change the results of rules: the constants that they compare it with, and
/// every minute if they use it for anything else.
struct TimedRules: Sendable {
    /// The seconds since 1970 at which a comparison of the time with a constant may change.
    private var moments: Set<Int64> = []
    private var isPolled = false
    private var known: Set<ObjectIdentifier> = []

    init(_ rules: some Sequence<Rule>) {
        for rule in rules { add(rule) }
    }

    var isEmpty: Bool { moments.isEmpty && !isPolled }

    /// Returns the next second after `now` at which the rules should be evaluated again; `nil` for none.
    func next(after now: Int64) -> Int64? {
        let moment = moments.lazy.filter { $0 > now }.min()
        return isPolled ? min(moment ?? .max, now + 60) : moment
    }

    private mutating func add(_ rule: Rule) {
        if case .reference(let root) = rule.preparation {
            if known.insert(ObjectIdentifier(root)).inserted { add(root) }
        } else if rule.arguments.contains(where: Self.isTimestamp), rule.operation?.isComparison == true {
            for argument in rule.arguments where !Self.isTimestamp(argument) { add(bound: argument) }
        } else if Self.isTimestamp(rule) {
            isPolled = true
        } else {
            for argument in rule.arguments { add(argument) }
        }
    }

    private mutating func add(bound: Rule) {
        guard let number = bound.value?.scriptNumber, let last = Int64(exactly: number.rounded(.down)) else {
            isPolled = true
            return
        }
        // `<` and `>=` change at the number, `<=` and `>` after it.
        moments.formUnion([Double(last) == number ? last : last + 1, last + 1])
    }

    private static func isTimestamp(_ rule: Rule) -> Bool {
        if case .path(let path) = rule.preparation { path.kind == .timestamp } else { false }
    }
}

/// A timer that calls a closure at a moment. Only the moment that was set last counts.
final class MomentTimer: Sendable {
    private let clock: any Clock<Duration>
    private let wait = Mutex<Task<Void, Never>?>(nil)

    init(clock: any Clock<Duration>) { self.clock = clock }

    deinit { wait.withLock { $0?.cancel() } }

    /// Waits for another moment in place of the one before, or for none, and calls the closure from a task of its own.
    func set(_ delay: Duration?, action: @escaping @Sendable () -> Void) {
        wait.withLock { wait in
            wait?.cancel()
            wait = delay.map { start($0, with: clock, action) }
        }
    }

    /// Starts a task that waits. The delay counts from the call, not from the start of the task.
    private func start<C: Clock<Duration>>(
        _ delay: Duration, with clock: C, _ action: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        let deadline = clock.now.advanced(by: delay)
        return Task {
            do { try await clock.sleep(until: deadline, tolerance: nil) } catch { return }
            if !Task.isCancelled { action() }
        }
    }
}
