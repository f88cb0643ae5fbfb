#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// A probe that finds the flag to which a key path such as `\AppFlags.secrets.boomFeature` leads.
///
/// A key path's components aren't accessible. So a collection of the same type is bound to a probe instead of a loader,
/// and the probe records which flags are read when the key path is applied. The key path leads to a flag if exactly
/// that flag is read, its type is that of the key path, and its value is the result. If the probe finds a second value
/// for the flag, the result must be that value, too. So a key path into a value (`\.limits.attempts`) or to a computed
/// property of the collection leads to no flag.
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

    /// Returns the ordinal of the flag to which a key path leads.
    ///
    /// - Throws: The issue ``FlagIssue/Code/noFlagAtKeyPath`` if it leads to no flag.
    package static func ordinal<Value: FlagValue>(of keyPath: KeyPath<Collection, Value>) throws(FlagIssue) -> Int {
        let probe = FlagProbes.probe(for: Collection.self)
        let first = probe.apply(keyPath, sample: nil)
        guard first.ordinals.count == 1, let ordinal = first.ordinals.first,
            probe.owner.declarations[ordinal].valueType == Value.self,
            probe.owner.declarations[ordinal].hasDefault(first.result)
        else { throw probe.issue(keyPath, nearest: first.ordinals.first) }
        // A computed property may have the value of a flag by chance. With another value it doesn't.
        if let sample = probe.owner.sample(of: ordinal) {
            let second = probe.apply(keyPath, sample: sample)
            guard second.ordinals == first.ordinals, sample.isEqual(to: second.result) else {
                throw probe.issue(keyPath, nearest: ordinal)
            }
        }
        return ordinal
    }

    private func apply<Value: FlagValue>(
        _ keyPath: KeyPath<Collection, Value>, sample: ErasedFlagValue?
    ) -> (result: Value, ordinals: [Int]) {
        let recorder = ProbeRecorder(valueType: Value.self, sample: sample)
        return ProbeRecorder.current.withValue(recorder) {
            let result = collection[keyPath: keyPath]
            return (result, recorder.ordinals)
        }
    }

    private func issue(_ keyPath: AnyKeyPath, nearest ordinal: Int?) -> FlagIssue {
        let nearest = ordinal.map { " The nearest flag is \\\(Collection.self).\(index.property(of: $0))." } ?? ""
        // A computed property is described by its address.
        let path = keyPath.debugDescription
        let name = path.contains("<computed") ? "A key path of \(Collection.self)" : "The key path \(path)"
        let message = """
            \(name) leads to no flag, so nothing is set.\(nearest) Name the property of a @Flag, \
            from the collection that the loader was made for.
            """
        return FlagIssue(.noFlagAtKeyPath, message: message)
    }

    /// Returns the path of a flag's property in the source, for messages.
    package static func property(ofFlag ordinal: Int) -> String {
        FlagProbes.probe(for: Collection.self).index.property(of: ordinal)
    }
}

extension FlagIssue.Code {
    /// A key path that leads into the value of a flag, to a computed property, or to anything else that is no flag.
    public static let noFlagAtKeyPath = FlagIssue.Code("no-flag-at-key-path")
}

/// The owner of a probe's flags.
private final class ProbeOwner: FlagOwner {
    let declarations: [FlagDeclaration]

    init(_ declarations: [FlagDeclaration]) { self.declarations = declarations }

    func resolve(_ ordinal: Int) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool) {
        let declaration = declarations[ordinal]
        guard let recorder = ProbeRecorder.current.value else { return (declaration.defaultValue, nil, false) }
        recorder.ordinals.append(ordinal)
        // The key path goes into a value of another type. A value with many elements keeps a subscript in it from
        // trapping.
        guard declaration.valueType == recorder.valueType else {
            return (sample(of: ordinal) ?? declaration.defaultValue, nil, false)
        }
        return (recorder.sample ?? declaration.defaultValue, nil, false)
    }

    func flagIsObserved(_ ordinal: Int, value: ErasedFlagValue?) {}

    /// Returns a value of the flag's type that is not the default, or `nil` if none of some common values is one.
    func sample(of ordinal: Int) -> ErasedFlagValue? {
        let declaration = declarations[ordinal]
        func sample<Value: FlagValue>(as type: Value.Type) -> ErasedFlagValue? {
            for encoded in ProbeOwner.samples {
                guard let value = try? Value(encoded: encoded), !declaration.hasDefault(value) else { continue }
                return ErasedFlagValue(value)
            }
            return nil
        }
        return sample(as: declaration.valueType)
    }

    private static let samples: [EncodedFlagValue] = {
        let simple: [EncodedFlagValue] = [
            true, false, 1, 2, 1.5, "https://example.com/probe", "probe", .date(Date(timeIntervalSince1970: 86_400)),
            "00000000-0000-0000-0000-000000000001", .data(.init([1, 2, 3])),
        ]
        return simple.map { .array(Array(repeating: $0, count: 1000)) } + simple
    }()
}

/// The flags that are read while a probe applies a key path on the current thread.
private final class ProbeRecorder {
    static let current = ThreadLocal<ProbeRecorder>()

    /// The type of the key path's value.
    let valueType: any FlagValue.Type
    /// The value of flags of that type, or `nil` for their defaults.
    let sample: ErasedFlagValue?
    var ordinals: [Int] = []

    init(valueType: any FlagValue.Type, sample: ErasedFlagValue?) {
        self.valueType = valueType
        self.sample = sample
    }
}

/// The probes of all collection types. They are never freed; there is one for each type.
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
