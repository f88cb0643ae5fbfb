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
    ///
    /// If the provider knows no such flag, it has no answer for any task.
    @inline(never) static func note(_ step: FlagStep, of link: FlagChain.Link, _ key: FlagKeyPath) {
        guard let innermost = current.value else { return }
        if case .absent = step.outcome {
            let details = step.details ?? link.provider.inspectedValue(for: key).details
            if details?.errorCode == .flagNotFound { return }
        }
        var next: TaskDependence? = innermost
        while let search = next {
            search.provider = search.provider ?? link.id
            next = search.outer
        }
    }
}
