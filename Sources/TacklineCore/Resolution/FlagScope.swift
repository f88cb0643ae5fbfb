import Synchronization

/// Values for the current task and its child tasks, which take precedence over everything else. Tests use them.
///
/// When a scope begins, every flag of the process is invalidated, and no value is cached until the last scope ends.
/// Without an active scope, reads of cached values don't check for one.
package struct FlagScope: Sendable {
    /// An array, because a scope has few values and a read searches an array faster than a dictionary.
    private var values: [(key: FlagIdentity, type: ObjectIdentifier, value: ErasedFlagValue)] = []

    package init() {}

    package mutating func set<Value: FlagValue>(_ value: Value, for key: FlagIdentity) {
        set(ErasedFlagValue(value), of: ObjectIdentifier(Value.self), for: key)
    }

    private mutating func set(_ value: ErasedFlagValue, of type: ObjectIdentifier, for key: FlagIdentity) {
        values.removeAll { $0.key == key }
        values.append((key, type, value))
    }

    private func value(of type: any FlagValue.Type, for key: FlagIdentity) -> ErasedFlagValue? {
        for index in values.indices where values[index].key == key {
            // Constructions of a collection may differ, so the flag with this number may be another one than in the
            // probe.
            return values[index].type == ObjectIdentifier(type) ? values[index].value : nil
        }
        return nil
    }

    /// Returns the scope with the values of an inner scope added.
    package func adding(_ inner: FlagScope) -> FlagScope {
        var scope = self
        for (key, type, value) in inner.values { scope.set(value, of: type, for: key) }
        return scope
    }

    // MARK: The current scope

    @TaskLocal private static var current: FlagScope?
    private static let activeCount = Atomic<Int>(0)

    /// Whether any task of the process is in a scope.
    package static var isAnyActive: Bool { activeCount.load(ordering: .acquiring) > 0 }

    /// Whether the current task is in a scope.
    package static var isCurrentTaskScoped: Bool { isAnyActive && current != nil }

    /// Returns the value of a flag in the current task's scope, or `nil` if there is none of the flag's type.
    package static func value(of type: any FlagValue.Type, for key: FlagIdentity) -> ErasedFlagValue? {
        isAnyActive ? current?.value(of: type, for: key) : nil
    }

    /// Runs an operation outside of every scope.
    package static func withoutScope<Success>(_ operation: () -> Success) -> Success {
        guard isAnyActive, current != nil else { return operation() }
        return $current.withValue(nil) { operation() }
    }

    /// Runs an operation in a scope inside the current one.
    package static func run<Success, Failure: Error>(
        _ scope: FlagScope, operation: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        begin()
        defer { end() }
        return try $current.withValue((current ?? FlagScope()).adding(scope)) { Result(catching: operation) }.get()
    }

    /// Runs an asynchronous operation in a scope inside the current one.
    package static func run<Success, Failure: Error>(
        _ scope: FlagScope, operation: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        begin()
        defer { end() }
        let result: Result<Success, Failure> = await $current.withValue((current ?? FlagScope()).adding(scope)) {
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static func begin() {
        activeCount.add(1, ordering: .acquiringAndReleasing)
        FlagBlock.invalidateAll()
    }

    private static func end() { activeCount.subtract(1, ordering: .acquiringAndReleasing) }
}
