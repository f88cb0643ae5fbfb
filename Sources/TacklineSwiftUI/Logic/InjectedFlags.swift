package import TacklineCore

/// The loaders that were injected into a part of the view tree, the newest of each collection.
///
/// Everything that views do with flags is here, without any view, so that it is tested everywhere. Equal ones have the same
/// loaders in the same order, so that injecting them again draws no view anew.
package struct InjectedFlags: Sendable, Equatable {
    private var loaders: [(type: ObjectIdentifier, loader: any InjectedLoader)] = []

    package init() {}

    package static func == (left: InjectedFlags, right: InjectedFlags) -> Bool {
        left.loaders.elementsEqual(right.loaders) { $0.loader === $1.loader }
    }

    /// Adds a loader, in place of one for the same collection. Its reads are registered with Observation from now on.
    package mutating func add<Collection: FlagCollectionProtocol>(_ loader: FlagsLoader<Collection>) {
        loader.beginObservingForView()
        loaders.removeAll { $0.type == ObjectIdentifier(Collection.self) }
        loaders.append((ObjectIdentifier(Collection.self), loader))
    }

    /// Adds all loaders of another part of the tree, which win over those of the same collection.
    package mutating func add(_ inner: InjectedFlags) {
        for entry in inner.loaders {
            loaders.removeAll { $0.type == entry.type }
            loaders.append(entry)
        }
    }

    /// The issues of all views: mistakes in the code, which are there again at each drawing of a view.
    private static let issueLog = FlagIssueLog()

    private static func report(_ issue: FlagIssue) {
        issueLog.report(issue, detail: issue.message, to: [.current])
    }

    /// The loader of a collection; `nil` if none was injected.
    package func loader<Collection: FlagCollectionProtocol>(
        for type: Collection.Type
    ) -> FlagsLoader<Collection>? {
        loaders.first { $0.type == ObjectIdentifier(type) }?.loader as? FlagsLoader<Collection>
    }

    /// Returns a flag's value. Without a loader it is the default, and that is reported.
    package func value<Collection: FlagCollectionProtocol, Value: FlagValue>(
        at flag: KeyPath<Collection, Value>
    ) -> Value {
        if let loader = loader(for: Collection.self) { return loader.flags[keyPath: flag] }
        Self.report(.notInjected("\(Collection.self)"))
        return FlagIssueReporter.withReporter(.silent) { Collection()[keyPath: flag] }
    }

    /// Returns the value of the flag at a path, in the first loader that has one; `nil`, which is reported, if there is
    /// no such flag of this type.
    package func value<Value: FlagValue>(atPath path: String, as type: Value.Type) -> Value? {
        handle(atPath: path, as: type)?.value
    }

    /// Writes a flag's value. What goes wrong is reported.
    ///
    /// - Parameter provider: The id of the provider; `nil` for the first writable one.
    package func setValue<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ value: Value, at flag: KeyPath<Collection, Value>, providerNamed provider: String?
    ) {
        guard let loader = loader(for: Collection.self) else {
            return Self.report(.notInjected("\(Collection.self)"))
        }
        do throws(FlagIssue) {
            let ordinal = try FlagProbe<Collection>.ordinal(of: flag)
            guard loader.allFlags.indices.contains(ordinal) else { return }
            InjectedFlags.write(value, to: loader.allFlags[ordinal], provider)
        } catch {
            FlagIssueReporter.current.report(error)
        }
    }

    /// Writes the value of the flag at a path. What goes wrong is reported.
    package func setValue<Value: FlagValue>(_ value: Value, atPath path: String, providerNamed provider: String?) {
        guard handle(atPath: path, as: Value.self) != nil, let flag = flag(atPath: path) else { return }
        InjectedFlags.write(value, to: flag, provider)
    }

    private static func write<Value: FlagValue>(_ value: Value, to flag: UntypedFlagHandle, _ provider: String?) {
        flag.handle(as: Value.self)?.setValueFromView(value, providerNamed: provider)
    }

    private func flag(atPath path: String) -> UntypedFlagHandle? {
        for entry in loaders.reversed() {
            if let flag = entry.loader.untypedHandle(at: path) { return flag }
        }
        return nil
    }

    private func handle<Value: FlagValue>(atPath path: String, as type: Value.Type) -> FlagHandle<Value>? {
        guard let flag = flag(atPath: path) else {
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
private protocol InjectedLoader: AnyObject, Sendable {
    func untypedHandle(at path: String) -> UntypedFlagHandle?
}

extension FlagsLoader: InjectedLoader {
    fileprivate func untypedHandle(at path: String) -> UntypedFlagHandle? { flag(at: path) }
}

extension FlagIssue {
    fileprivate static func notInjected(_ collection: String) -> FlagIssue {
        FlagIssue(
            FlagIssue.Code("not-injected"),
            message: """
                A view uses a flag of \(collection), and no loader of it was injected, so the flag has its default and \
                cannot be written. Call .flags(loader) on a view around it.
                """)
    }

    fileprivate static func noFlag(_ place: String) -> FlagIssue {
        FlagIssue(
            FlagIssue.Code("no-flag-for-view"),
            message: """
                A view uses a flag at \(place), and no injected loader has one there. Correct the path, or inject the \
                loader with .flags(loader).
                """)
    }

    fileprivate static func wrongType(_ path: String, asked: Any.Type, declared: Any.Type) -> FlagIssue {
        FlagIssue(
            FlagIssue.Code("wrong-type-in-view"),
            message: """
                A view uses the flag "\(path)" as \(asked), and it is declared as \(declared), so the view has its own \
                default. Use the declared type.
                """)
    }
}
