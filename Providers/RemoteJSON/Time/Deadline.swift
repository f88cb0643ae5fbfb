/// Runs an operation, and cancels it when it takes longer than allowed.
///
/// The operation has to end when its task is cancelled; this waits for it.
///
/// - Parameter limit: Counted from the call; `nil` sets none.
/// - Returns: What the operation returned, or `nil` if the time was up first.
func within<Value: Sendable>(
    _ limit: Duration?,
    on time: MonotonicTime,
    _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    guard let limit else { return await operation() }
    let end = time.now + limit
    return await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            try? await time.sleep(until: end)
            return nil
        }
        // A cancelled sleep ends as well; then the operation has been cancelled too and its own answer counts.
        let first = await group.next() ?? nil
        if let first { group.cancelAll(); return first }
        guard Task.isCancelled else { group.cancelAll(); await group.waitForAll(); return nil }
        return await group.next() ?? nil
    }
}
