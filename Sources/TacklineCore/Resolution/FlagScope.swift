import Synchronization

/// Values for the current task and its child tasks, which take precedence over everything else. Tests use them.
///
/// A task that outlives the scope in which it was created reads as outside of it once the scope has ended.
///
/// When a scope begins, every flag of the process is invalidated, and no value is cached until the last scope ends.
/// Without an active scope, reads of cached values don't check for one.
package struct FlagScope: Sendable {
    /// An array, because a scope has few values and a read searches an array faster than a dictionary.
    private var values: [(key: FlagKeyPath.Identity, type: ObjectIdentifier, value: ErasedFlagValue)] = []

    /// The recorder of reads in the scope, or `nil` if there is none.
    private let recorder: (any FlagReadRecorder)?

    package init(recorder: (any FlagReadRecorder)? = nil) { self.recorder = recorder }

    package mutating func set(_ value: ErasedFlagValue, of type: any FlagValue.Type, for key: FlagKeyPath.Identity) {
        values.removeAll { $0.key == key }
        values.append((key, ObjectIdentifier(type), value))
    }

    private func index(of key: FlagKeyPath.Identity) -> Int? { values.firstIndex { $0.key == key } }

    /// Returns the scope with the values of another scope, which replace those of the same flags.
    package func adding(_ other: FlagScope) -> FlagScope {
        var scope = self
        scope.values.removeAll { other.index(of: $0.key) != nil }
        scope.values += other.values
        return scope
    }

    // MARK: The current scope

    /// A scope that was begun, inside an outer one.
    private final class Running: Sendable {
        let scope: FlagScope
        /// The scope around it, which may have ended.
        let outer: Running?
        /// Whether the scope's operation has returned. A task that it created may still run.
        let isEnded = Atomic<Bool>(false)

        init(_ scope: FlagScope) {
            (self.scope, outer) = (scope, innermost)
            if scope.recorder != nil { recorderCount.add(1, ordering: .relaxed) }
            activeCount.add(1, ordering: .acquiringAndReleasing)
            FlagBlock.invalidateAll()
        }

        func end() {
            if scope.recorder != nil { recorderCount.subtract(1, ordering: .relaxed) }
            isEnded.store(true, ordering: .releasing)
            activeCount.subtract(1, ordering: .acquiringAndReleasing)
        }
    }

    /// The innermost scope in which the current task was created or runs. It may have ended.
    @TaskLocal private static var innermost: Running?
    private static let activeCount = Atomic<Int>(0)
    /// The number of active scopes with a recorder, which spares the reads in other scopes the search for one.
    private static let recorderCount = Atomic<Int>(0)

    package static var isAnyActive: Bool { activeCount.load(ordering: .acquiring) > 0 }

    package static var isCurrentTaskScoped: Bool { first { _ in true } == true }

    /// Returns the first result of a closure for the scopes of the current task, the innermost first, that have not ended.
    // The closure takes the object, because its scope would be copied.
    @inline(__always) private static func first<Result>(_ body: (Running) -> Result?) -> Result? {
        var next = isAnyActive ? innermost : nil
        while let running = next {
            if !running.isEnded.load(ordering: .acquiring), let result = body(running) { return result }
            next = running.outer
        }
        return nil
    }

    /// Returns the value of a flag in the current task's scope, or `nil` if there is none of the flag's type.
    package static func value(of type: any FlagValue.Type, for key: FlagKeyPath.Identity) -> ErasedFlagValue? {
        let entry = first { running in running.scope.index(of: key).map { running.scope.values[$0] } }
        // Constructions of a collection may differ, so the flag with this number may be another one than in the probe.
        return entry?.type == ObjectIdentifier(type) ? entry?.value : nil
    }

    /// Passes a read to the recorder of the current task, unless a scope without a recorder gives the flag a value.
    static func record(_ key: FlagKeyPath.Identity, _ declaration: FlagDeclaration, _ value: ErasedFlagValue) {
        guard recorderCount.load(ordering: .relaxed) > 0, let recorder = first(\.scope.recorder) else { return }
        let isGiven = first { $0.scope.recorder == nil && $0.scope.index(of: key) != nil ? true : nil }
        if isGiven == nil { recorder.flagWasRead(key, declaration, value) }
    }

    package static func withoutScope<Success>(_ operation: () -> Success) -> Success {
        isAnyActive ? $innermost.withValue(nil, operation: operation) : operation()
    }

    package static func run<Success, Failure: Error>(
        _ scope: FlagScope, operation: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        let running = Running(scope)
        defer { running.end() }
        return try $innermost.withValue(running) { Result(catching: operation) }.get()
    }

    package static func run<Success, Failure: Error>(
        _ scope: FlagScope, operation: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let running = Running(scope)
        defer { running.end() }
        let result: Result<Success, Failure> = await $innermost.withValue(running) {
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// A recorder of the reads of flags in a scope.
package protocol FlagReadRecorder: AnyObject, Sendable {
    /// Records a read and the value that it returns. It is called on any thread, under no lock. Inspections are no reads.
    func flagWasRead(_ key: FlagKeyPath.Identity, _ declaration: FlagDeclaration, _ value: ErasedFlagValue)
}
