/// A provider that knows its place where a chain is ordered by priority.
///
/// One that does not conform has ``FlagPriority/business``, unless the chain is told otherwise.
public protocol PrioritizedFlagProvider: FlagProvider {
    /// How early it is asked. It never changes.
    var priority: FlagPriority { get }
}
