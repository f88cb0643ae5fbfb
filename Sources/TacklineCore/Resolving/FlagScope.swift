import Synchronization

/// Values that hold for the current task and its children, before everything else: what tests use.
///
/// While no scope is active anywhere in the process, reads know nothing of scopes. When the first one begins, every
/// loader marks its flags, and as long as one is active no resolved value is kept; so scopes cost reads something only
/// while there are any.
package struct FlagScope: Sendable {
    /// A flag of every loader of a collection type.
    package struct Key: Sendable, Equatable {
        package let root: ObjectIdentifier
        package let ordinal: Int

        package init(root: ObjectIdentifier, ordinal: Int) {
            self.root = root
            self.ordinal = ordinal
        }
    }

    /// A list, since a scope sets few flags, and reads look through it more quickly than through a dictionary.
    private var values: [(key: Key, value: ErasedFlagValue)] = []

    package init() {}

    package mutating func set<Value: FlagValue>(_ value: Value, for key: Key) { set(ErasedFlagValue(value), for: key) }

    private mutating func set(_ value: ErasedFlagValue, for key: Key) {
        values.removeAll { $0.key == key }
        values.append((key, value))
    }

    private func value(for key: Key) -> ErasedFlagValue? {
        for place in values.indices where values[place].key == key { return values[place].value }
        return nil
    }

    /// Returns the scope with another one's values on top.
    package func adding(_ inner: FlagScope) -> FlagScope {
        var scope = self
        for (key, value) in inner.values { scope.set(value, for: key) }
        return scope
    }

    // MARK: The current scope

    @TaskLocal private static var current: FlagScope?
    private static let activeCount = Atomic<Int>(0)

    /// Whether any task of the process is in a scope.
    package static var isAnyActive: Bool { activeCount.load(ordering: .acquiring) > 0 }

    /// Whether the current task is in a scope.
    package static var isCurrentTaskScoped: Bool { isAnyActive && current != nil }

    /// Returns the value that the current task's scope gives a flag, or `nil`.
    package static func value(for key: Key) -> ErasedFlagValue? { isAnyActive ? current?.value(for: key) : nil }

    /// Runs an operation as if the current task were in no scope.
    package static func withoutScope<Success>(_ operation: () -> Success) -> Success {
        guard isAnyActive, current != nil else { return operation() }
        return $current.withValue(nil) { operation() }
    }

    /// Runs an operation in a scope, which is added to the scope that it is called in.
    ///
    /// - Parameter begin: Called when the scope begins, so that loaders can mark their flags.
    package static func run<Success, Failure: Error>(
        _ scope: FlagScope, begin: () -> Void, operation: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        activeCount.add(1, ordering: .acquiringAndReleasing)
        defer { activeCount.subtract(1, ordering: .acquiringAndReleasing) }
        begin()
        return try $current.withValue((current ?? FlagScope()).adding(scope)) { Result(catching: operation) }.get()
    }

    /// Does the same for an asynchronous operation.
    package static func run<Success, Failure: Error>(
        _ scope: FlagScope, begin: () -> Void, operation: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        activeCount.add(1, ordering: .acquiringAndReleasing)
        defer { activeCount.subtract(1, ordering: .acquiringAndReleasing) }
        begin()
        let result: Result<Success, Failure> = await $current.withValue((current ?? FlagScope()).adding(scope)) {
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
