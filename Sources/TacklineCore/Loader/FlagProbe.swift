import Synchronization

/// A probe that finds the flag to which a key path such as `\AppFlags.secrets.boomFeature` leads.
///
/// A key path can't be taken apart. So a collection of the same type is bound to a probe instead of a loader, and the probe
/// notes which flag is read when the key path is applied.
package final class FlagProbe<Collection: FlagCollectionProtocol>: Sendable {
    private let collection: Collection
    private let index: FlagIndex
    private let owner: ProbeOwner

    fileprivate init() {
        let (collection, flags) = LoadedFlags.load(Collection.self, configuration: KeyConfiguration())
        self.collection = collection
        index = flags.contents.index
        owner = ProbeOwner(flags.contents.declarations)
        flags.bind(to: owner)
    }

    /// The keys of the flags by ordinal, in the default key configuration.
    package static var defaultKeys: [FlagKeyPath] { FlagProbes.probe(for: Collection.self).index.keyPaths }

    /// Returns the number of the flag among the flags of its loaders, or `nil` if the key path leads to no flag.
    package static func ordinal<Value>(of keyPath: KeyPath<Collection, Value>) -> Int? {
        let probe = FlagProbes.probe(for: Collection.self)
        let recorder = ProbeRecorder()
        return ProbeRecorder.current.withValue(recorder) {
            _ = probe.collection[keyPath: keyPath]
            return recorder.ordinal
        }
    }

    /// Returns the path of a flag's property in the source, for messages.
    package static func property(ofFlag ordinal: Int) -> String {
        FlagProbes.probe(for: Collection.self).index.property(of: ordinal)
    }
}

/// The owner of a probe's flags.
private final class ProbeOwner: FlagOwner {
    private let declarations: [FlagDeclaration]

    init(_ declarations: [FlagDeclaration]) { self.declarations = declarations }

    func resolve(_ ordinal: Int) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool) {
        ProbeRecorder.current.value?.ordinal = ordinal
        return (declarations[ordinal].defaultValue, nil, false)
    }

    func flagIsObserved(_ ordinal: Int, value: ErasedFlagValue?) {}
}

/// The flag that was read last while a probe applies a key path on the current thread.
private final class ProbeRecorder {
    static let current = ThreadLocal<ProbeRecorder>()
    var ordinal: Int?
}

/// The probes of all collection types. They are kept for good; there are no more of them than types.
private enum FlagProbes {
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
