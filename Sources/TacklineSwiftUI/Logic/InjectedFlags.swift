import Observation
package import TacklineCore

/// The loaders that were injected into a part of the view tree, the newest of each collection.
///
/// The type has no view in it, so that what views do with flags can be tested on every platform. Two values are equal
/// if they have the same loaders in the same order, so that injecting the same loaders again draws no view.
package struct InjectedFlags: Sendable, Equatable {
    /// The loaders, from the outermost to the innermost.
    private(set) var loaders: [any InjectedLoader] = []

    package init() {}

    package static func == (left: InjectedFlags, right: InjectedFlags) -> Bool {
        left.loaders.elementsEqual(right.loaders) { $0 === $1 }
    }

    /// Adds a loader, in place of one for the same collection. Its reads are registered with Observation from now on.
    package mutating func add<Collection: FlagCollectionProtocol>(_ loader: FlagsLoader<Collection>) {
        loader.beginObservingForView()
        append(loader)
    }

    /// Adds all loaders of an inner part of the tree, which replace those of the same collections.
    package mutating func add(_ inner: InjectedFlags) {
        for loader in inner.loaders { append(loader) }
    }

    private mutating func append(_ loader: any InjectedLoader) {
        loaders.removeAll { type(of: $0) == type(of: loader) }
        loaders.append(loader)
    }

    private static func report(_ issue: FlagError) {
        FlagIssueReporter.current.report(issue)
    }

    /// Returns the loader of a collection, or `nil` if none was injected.
    package func loader<Collection: FlagCollectionProtocol>(
        for type: Collection.Type
    ) -> FlagsLoader<Collection>? {
        loaders.lazy.compactMap { $0 as? FlagsLoader<Collection> }.first
    }

    /// Returns a flag's value. Without a loader it is the default, and that is reported.
    package func value<Collection: FlagCollectionProtocol, Value: FlagValue>(
        at flag: KeyPath<Collection, Value>
    ) -> Value {
        if let loader = loader(for: Collection.self) { return loader.flags[keyPath: flag] }
        Self.report(.notInjected("\(Collection.self)"))
        return FlagIssueReporter.withReporter(.silent) { Collection()[keyPath: flag] }
    }

    /// Returns the value of the flag at a path, in the first loader that has one. If no loader has such a flag of this
    /// type, that is reported and the result is `nil`.
    package func value<Value: FlagValue>(atPath path: String, as type: Value.Type) -> Value? {
        handle(atPath: path, as: type)?.value
    }

    /// Writes a flag's value. A failure is reported.
    ///
    /// - Parameter provider: The id of the provider, or `nil` for the first writable one.
    package func setValue<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ value: Value, at flag: KeyPath<Collection, Value>, providerNamed provider: String?
    ) {
        guard let loader = loader(for: Collection.self) else {
            return Self.report(.notInjected("\(Collection.self)"))
        }
        do throws(FlagError) {
            let ordinal = try FlagProbe<Collection>.ordinal(of: flag)
            let flag = AnyFlagHandle(core: loader.core, ordinal: ordinal)
            flag.handle(as: Value.self)?.setValueFromView(value, providerNamed: provider)
        } catch {
            FlagIssueReporter.current.report(error)
        }
    }

    /// Writes the value of the flag at a path. A failure is reported.
    package func setValue<Value: FlagValue>(_ value: Value, atPath path: String, providerNamed provider: String?) {
        handle(atPath: path, as: Value.self)?.setValueFromView(value, providerNamed: provider)
    }

    private func handle<Value: FlagValue>(atPath path: String, as type: Value.Type) -> FlagHandle<Value>? {
        guard let flag = loaders.reversed().lazy.compactMap({ $0.flag(at: FlagKeyPath(path)) }).first else {
            Self.report(.noFlag("\"\(path)\""))
            return nil
        }
        guard let handle = flag.handle(as: type) else {
            Self.report(.wrongType(path, asked: Value.self, declared: flag.valueType))
            return nil
        }
        return handle
    }
}

/// A loader of any collection.
protocol InjectedLoader: AnyObject, Observable, Sendable {
    var root: FlagGroup { get }
    func flag(at keyPath: FlagKeyPath) -> AnyFlagHandle?
}

extension FlagsLoader: InjectedLoader {}

extension FlagError {
    fileprivate static func notInjected(_ collection: String) -> FlagError {
        FlagError(
            FlagError.Code("not-injected"),
            """
            A view uses a flag of \(collection), and no loader of it was injected, so the flag has its default and \
            cannot be written. Call .flags(loader) on a view around it.
            """)
    }

    fileprivate static func noFlag(_ place: String) -> FlagError {
        FlagError(
            FlagError.Code("no-flag-for-view"),
            """
            A view uses a flag at \(place), and no injected loader has one there. Correct the path, or inject the \
            loader with .flags(loader).
            """)
    }

    fileprivate static func wrongType(_ path: String, asked: Any.Type, declared: Any.Type) -> FlagError {
        FlagError(
            FlagError.Code("wrong-type-in-view"),
            """
            A view uses the flag "\(path)" as \(asked), and it is declared as \(declared), so the view has its own \
            default. Use the declared type.
            """)
    }
}
