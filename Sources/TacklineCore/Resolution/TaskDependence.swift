/// The search for a provider on whose answer for the current task a value depends, while the value is resolved.
///
/// A closure or a provider may read other flags, so the searches of a thread form a list.
final class TaskDependence {
    private static let current = ThreadLocal<TaskDependence>()

    private let outer = TaskDependence.current.value
    /// The id of the provider, or `nil` if the value is the same in every task.
    private(set) var provider: String?

    /// Resolves a value.
    func watch(_ resolve: () -> FlagStep) -> FlagStep { TaskDependence.current.withValue(self, resolve) }

    /// Records the answer of a provider whose answers may differ from task to task.
    @inline(never) static func note(_ link: FlagChain.Link) {
        var next = current.value
        while let search = next {
            search.provider = search.provider ?? link.id
            next = search.outer
        }
    }
}
