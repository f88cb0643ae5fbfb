import Synchronization

/// A document of a store, held by one reference: a copy of the definitions would retain each of their parts at each
/// read.
final class InstalledDefinitions: Sendable {
    let definitions: FlagDefinitions

    init(_ definitions: FlagDefinitions) { self.definitions = definitions }

    /// Returns the flag with a key; `nil` if there is none.
    func flag(_ key: String) -> FlagDefinition? { definitions.flag(key) }
}

/// The context of a task, and the documents that its reads use.
final class EvaluationScope: Sendable {
    @TaskLocal static var current: EvaluationScope?

    private struct Document {
        /// Retained, so that no other store gets its identity.
        let store: DefinitionsStore
        let installed: InstalledDefinitions
    }

    let context: EvaluationContext
    /// One document for each provider that was asked. There are very few, so they are searched in turn.
    private let documents = Mutex<[Document]>([])

    init(_ context: EvaluationContext) {
        self.context = context
    }

    deinit {
        // The scope may hold the last reference to a large document that was replaced. It is released in the
        // background, so that the request's answer does not wait.
        let replaced = documents.withLock { $0.filter { $0.store.installed !== $0.installed } }
        if !replaced.isEmpty { Task.detached(priority: .background) { withExtendedLifetime(replaced) {} } }
    }

    /// Returns the document that a store had in force when it was first asked in this scope.
    func definitions(of store: DefinitionsStore) -> InstalledDefinitions {
        if let known = documents.withLock({ documents in documents.first { $0.store === store } }) {
            return known.installed
        }
        let new = Document(store: store, installed: store.installed)
        return documents.withLock { documents in
            // Another task of the same scope may have been quicker.
            if let known = documents.first(where: { $0.store === store }) { return known }
            documents.append(new)
            return new
        }.installed
    }
}
