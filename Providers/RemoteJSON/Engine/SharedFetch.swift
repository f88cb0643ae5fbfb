import TacklineCore

/// A request that several may wait for.
final class SharedFetch: Sendable {
    let outcome = Promise<Result<FlagRefreshOutcome, FlagProviderError>>()
    /// Ends the work.
    private let cancellation = Promise<Void>()

    /// Runs the work until it is done or cancelled.
    func start(_ work: @escaping @Sendable () async -> Void) {
        Task { [cancellation] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await work() }
                group.addTask { _ = await cancellation.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Ends the work, and gives those who wait this error.
    func cancel(_ error: FlagProviderError) {
        outcome.resolve(.failure(error))
        cancellation.resolve(())
    }
}
