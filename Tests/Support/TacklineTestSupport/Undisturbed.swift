/// Returns whether an attempt succeeds that no other test disturbs.
///
/// The values that loaders keep are for all tasks, so a test that calls `withFlags` makes every loader of the process ask its
/// providers again. A test of what a loader keeps is one of many attempts, most of which nothing disturbs.
package func succeedsUndisturbed(_ attempt: () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<200 where try await attempt() { return true }
    return false
}
