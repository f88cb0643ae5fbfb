import Synchronization

/// Finds the flag to which a key path such as `\AppFlags.secrets.boomFeature` leads.
///
/// A key path into a collection cannot be taken apart. So a collection of the same type is bound to a probe instead of a
/// loader, the key path is read, and the probe sees which flag was asked for.
package final class FlagProbe<Collection: FlagCollectionProtocol>: Sendable {
    private let collection: Collection
    private let plan: FlagLoadingPlan
    private let owner = Owner()

    private final class Owner: FlagOwner {
        func resolve(_ declaration: FlagDeclaration, ordinal: Int) -> FlagAnswer {
            FlagProbes.recorder?.ordinal.withLock { $0 = ordinal }
            return FlagAnswer(value: declaration.defaultValue, encoded: nil, isLasting: false)
        }

        func flagIsObserved(_ ordinal: Int) {}
    }

    fileprivate init() {
        (collection, plan) = FlagLoadingPlan.make(Collection.self, configuration: KeyConfiguration())
        plan.bind(to: owner)
    }

    /// The keys of the flags by ordinal, as the default key configuration makes them.
    package static var defaultKeys: [FlagKeyPath] { FlagProbes.probe(for: Collection.self).plan.index.keyPaths }

    /// Returns the number of the flag among the flags of its loaders, or `nil` if the key path leads to no flag.
    package static func ordinal<Value>(of keyPath: KeyPath<Collection, Value>) -> Int? {
        let probe = FlagProbes.probe(for: Collection.self)
        let recorder = FlagProbes.Recorder()
        FlagProbes.$recorder.withValue(recorder) { _ = probe.collection[keyPath: keyPath] }
        return recorder.ordinal.withLock { $0 }
    }

    /// Returns the path of a flag's property in the source, for messages.
    package static func property(ofFlag ordinal: Int) -> String {
        FlagProbes.probe(for: Collection.self).plan.index.property(of: ordinal)
    }
}

/// The probe of each collection type. They stay: there are no more of them than types.
private enum FlagProbes {
    final class Recorder: Sendable { let ordinal = Mutex<Int?>(nil) }

    @TaskLocal static var recorder: Recorder?

    private static let probes = Mutex([ObjectIdentifier: any AnyObject & Sendable]())

    static func probe<Collection: FlagCollectionProtocol>(for type: Collection.Type) -> FlagProbe<Collection> {
        if let probe = probes.withLock({ $0[ObjectIdentifier(type)] as? FlagProbe<Collection> }) { return probe }
        let new = FlagProbe<Collection>()
        return probes.withLock { probes in
            if let probe = probes[ObjectIdentifier(type)] as? FlagProbe<Collection> { return probe }
            probes[ObjectIdentifier(type)] = new
            return new
        }
    }
}
