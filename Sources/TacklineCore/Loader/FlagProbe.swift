import TacklineFoundation
import Synchronization

/// A loader without providers, which lists a collection's flags and finds the one to which a key path such as
/// `\AppFlags.secrets.boomFeature` leads.
///
/// A key path's components aren't accessible. So the key path is applied to a collection whose flags record that they
/// are read. It leads to a flag if only that flag is read, its type is that of the key path, and its value is the result,
/// whichever of some samples it is. A key path into a value (`\.limits.attempts`) or to a computed property leads to none.
package final class FlagProbe<Collection: FlagCollectionProtocol>: Sendable {
    private let collection: Collection
    private let core: LoaderCore

    private init() {
        let construction = FlagConstruction(of: Collection.self)
        collection = construction.construct { Collection() }
        let chain = InstalledChain([], environment: .production, reporter: .silent)
        core = LoaderCore(collection, construction, metadata: FlagMetadata(), chain: chain) { ordinal, declaration in
            ProbedRead.current.value?.value(of: ordinal, declaration) ?? declaration.defaultValue
        }
    }

    /// The probe of the collection. It is never freed.
    private static var shared: FlagProbe {
        let type = ObjectIdentifier(Collection.self)
        if let known = probes.withLock({ $0[type] as? FlagProbe }) { return known }
        let new = FlagProbe()
        // Of two that threads make at the same time, either will do.
        probes.withLock { $0[type] = new }
        return new
    }

    /// The flags of the collection in the order of their declaration, with the keys of its own key configuration and
    /// without providers.
    package static var flags: [AnyFlagHandle] {
        let core = shared.core
        return core.ordinals.map { AnyFlagHandle(core: core, ordinal: $0) }
    }

    /// Returns the ordinal of the flag to which a key path leads.
    ///
    /// - Throws: The issue ``FlagError/Code/noFlagAtKeyPath`` if it leads to no flag.
    package static func ordinal<Value: FlagValue>(of keyPath: KeyPath<Collection, Value>) throws(FlagError) -> Int {
        let probe = shared
        func read(_ sample: ErasedFlagValue?) -> (EncodedFlagValue?, ordinals: [Int]) {
            let read = ProbedRead(Value.self, sample)
            let value = ProbedRead.current.withValue(read) { probe.collection[keyPath: keyPath] }
            return (try? value.encoded, read.ordinals)
        }
        let nearest = read(nil).ordinals.first
        if let nearest, case let declaration = probe.core.declarations[nearest], declaration.valueType == Value.self,
            ([declaration.defaultValue] + samples(of: declaration)).allSatisfy({
                read($0) == (declaration.encode($0), [nearest])
            })
        {
            return nearest
        }
        let advice = nearest.map { " The nearest flag is \\\(Collection.self).\(probe.core.property(of: $0))." } ?? ""
        // A computed property is described by its address.
        let path = keyPath.debugDescription
        let name = path.contains("<computed") ? "A key path of \(Collection.self)" : "The key path \(path)"
        let message = """
            \(name) leads to no flag, so nothing is set.\(advice) Name the property of a @Flag, from the collection \
            that the loader was made for.
            """
        throw FlagError(.noFlagAtKeyPath, message)
    }
}

private let probes = Mutex([ObjectIdentifier: any AnyObject & Sendable]())

extension FlagError.Code {
    /// A key path that leads into the value of a flag, to a computed property, or to anything else that is no flag.
    public static let noFlagAtKeyPath = FlagError.Code("no-flag-at-key-path")
}

/// The flags that are read while a probe applies a key path on the current thread.
private final class ProbedRead {
    static let current = ThreadLocal<ProbedRead>()

    private let type: any FlagValue.Type
    private let sample: ErasedFlagValue?
    private(set) var ordinals: [Int] = []

    /// - Parameter sample: The value of flags of the type, or `nil` for their defaults.
    init(_ type: any FlagValue.Type, _ sample: ErasedFlagValue?) { (self.type, self.sample) = (type, sample) }

    func value(of ordinal: Int, _ declaration: FlagDeclaration) -> ErasedFlagValue? {
        ordinals.append(ordinal)
        // If the key path goes into a value of another type, one with many elements keeps a subscript from trapping.
        return declaration.valueType == type ? sample : samples(of: declaration).first
    }
}

/// Returns the samples that a flag takes: values that tell a flag from a property that is computed from it.
///
/// They include small and large ones: `min(number, 10)` is the flag itself for small numbers.
private func samples(of declaration: FlagDeclaration) -> [ErasedFlagValue] {
    samples.compactMap { try? declaration.decode($0) }
}

private let samples: [EncodedFlagValue] = {
    let numbers = ["1", "0", "-1", "0.5", "255", "-100", "30000", "-30000", "1000000000", "-1000000000", "1e30"]
    let texts = ["Probe", "", String(repeating: "Probe ", count: 1000)]
    let scalars: [EncodedFlagValue] =
        (numbers + texts).map { .unparsed($0) } + [
            "https://example.com/probe", "00000000-0000-0000-0000-000000000001", .date(.distantPast),
            .date(.distantFuture), .data(Data()), .data(Data([1, 2, 3])),
        ]
    return scalars.map { .array(Array(repeating: $0, count: 1000)) } + scalars + [.array([]), .object([:]), .null]
}()
