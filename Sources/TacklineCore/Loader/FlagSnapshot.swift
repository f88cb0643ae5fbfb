import TacklineFoundation

/// The values of all flags of a loader as of one moment. A snapshot never changes.
///
/// ```swift
/// let before = flags.snapshot()
/// try flags.$newCheckout.setValue(true)
/// print(flags.snapshot().difference(from: before))      // [new_checkout: false → true (provider "overrides")]
/// ```
///
/// It is a provider of its values, so you can put it into a chain. It is `Codable`, so you can keep it in a file.
public struct FlagSnapshot: Sendable, Equatable {
    /// A flag in the snapshot.
    public struct Entry: Sendable, Equatable {
        /// The flag's value.
        public let value: EncodedFlagValue
        /// The source of the flag's value.
        public let source: FlagSource
        /// Whether the flag is secret (``FlagMetadata/isSecret``), so that the entry is printed without its value.
        public let isSecret: Bool

        package init(value: EncodedFlagValue, source: FlagSource, isSecret: Bool = false) {
            (self.value, self.source, self.isSecret) = (value, source, isSecret)
        }
    }

    /// A flag that differs between two snapshots.
    public struct Change: Sendable {
        /// The flag's key.
        public let key: FlagKeyPath
        /// The flag in the older snapshot, or `nil` if it has none.
        public let old: Entry?
        /// The flag in the newer snapshot, or `nil` if it has none.
        public let new: Entry?
    }

    /// The flags by their keys.
    public let entries: [FlagKeyPath: Entry]

    /// Returns the flags whose values differ from those of an older snapshot, or that only one of the two has, sorted by
    /// key. A change of the source alone is no difference.
    public func difference(from older: FlagSnapshot) -> [Change] {
        let keys = entries.keys + older.entries.keys.filter { entries[$0] == nil }
        return FlagKeyPath.sorted(keys).compactMap { key in
            let (old, new) = (older.entries[key], entries[key])
            return old?.value == new?.value ? nil : Change(key: key, old: old, new: new)
        }
    }
}

extension FlagSnapshot.Entry: ReflectedAsDescription {
    /// The value and its source: `true (provider "overrides")`.
    public var description: String { "\(shownValue) (\(source))" }

    fileprivate var shownValue: String { FlagMetadata.shown("\(value)", isSecret: isSecret) }
}

extension FlagSnapshot.Change: ReflectedAsDescription {
    /// The key, both values and the source: `secrets/boom_feature: false → true (provider "overrides")`.
    public var description: String {
        "\(key): \(old?.shownValue ?? "no flag") → \(new?.description ?? "no flag")"
    }
}

extension FlagSnapshot: FlagProvider {
    /// The name `snapshot`.
    public var name: String { "snapshot" }

    /// Returns the value that the flag had, or `nil` if the loader had no such flag.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { entries[key]?.value }

    /// Adds nothing and returns `true`, because a snapshot never changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool { true }
}

// MARK: Coding

/// Each value is encoded as JSON text in which every string begins with its kind, so that it is decoded exactly, whatever the
/// encoder.
extension FlagSnapshot: Codable {
    /// Decodes a snapshot.
    ///
    /// - Throws: `DecodingError` if the input isn't a snapshot.
    public init(from decoder: any Decoder) throws {
        var entries: [FlagKeyPath: Entry] = [:]
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            var entry = try list.nestedUnkeyedContainer()
            let key = FlagKeyPath(components: try entry.decode([String].self))
            guard let value = try? FlagJSONReader().read(entry.decode(String.self)).untagged else {
                let text = "the value of \"\(key)\" is damaged; encode it again"
                throw DecodingError.dataCorruptedError(in: entry, debugDescription: text)
            }
            entries[key] = Entry(
                value: value, source: try entry.decode(FlagSource.self), isSecret: try entry.decode(Bool.self))
        }
        self.init(entries: entries)
    }

    /// Encodes the snapshot, with its entries sorted by key.
    ///
    /// - Throws: An error of the encoder, or ``FlagValueError`` for a value nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for key in FlagKeyPath.sorted(Array(entries.keys)) {
            guard let entry = entries[key] else { continue }
            var coded = list.nestedUnkeyedContainer()
            try coded.encode(key.components)
            try coded.encode(FlagJSONWriter(layout: .compact).text(of: entry.value.tagged()))
            try coded.encode(entry.source)
            try coded.encode(entry.isSecret)
        }
    }
}

extension EncodedFlagValue {
    /// The value with the kind before each string, and with such a string in place of each part that JSON lacks.
    fileprivate func tagged(levels: Int = maximumDepth) -> EncodedFlagValue {
        switch self {
        case .null, .bool, .integer: self
        case .double(let number): number.isFinite ? self : .string("double \(number)")
        case .string(let text): .string("string \(text)")
        case .data(let data): .string("data \(data.base64EncodedString())")
        case .date(let date): .string("date \(date.timeIntervalSinceReferenceDate)")
        case .unparsed(let text): .string("unparsed \(text)")
        case .array(let elements): .array(levels < 0 ? elements : elements.map { $0.tagged(levels: levels - 1) })
        case .object(let members): .object(levels < 0 ? members : members.mapValues { $0.tagged(levels: levels - 1) })
        }
    }

    /// The value of which this is the tagged form. A damaged part is null.
    fileprivate var untagged: EncodedFlagValue {
        switch self {
        case .array(let elements): return .array(elements.map(\.untagged))
        case .object(let members): return .object(members.mapValues(\.untagged))
        case .string(let tagged):
            let parts = tagged.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
            let (kind, text) = (String(parts[0]), parts.count == 2 ? String(parts[1]) ?? "" : "")
            switch kind {
            case "string": return .string(text)
            case "unparsed": return .unparsed(text)
            case "data": return Data(base64Encoded: text).map { .data($0) } ?? .null
            case "date": return Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
            default: return Double(text).map { .double($0) } ?? .null
            }
        default: return self
        }
    }
}

// MARK: Creating one

extension FlagsLoader {
    /// Returns the values of all flags as of one moment.
    ///
    /// Values that a provider changed in one commit are read together. A provider with a ``FlagProvider/document`` is
    /// asked once. The others are asked key by key. While notices arrive, all of this is repeated, up to 100 times.
    /// Computed values, and values of providers that don't notify observers, are as of the time when they were asked. A
    /// flag whose value can't be encoded is left out.
    ///
    /// - Complexity: O(*n*) in the number of flags and values.
    public func snapshot() -> FlagSnapshot {
        var entries: [FlagKeyPath: FlagSnapshot.Entry] = [:]
        for _ in 0..<100 {
            let before = core.tracker.changeCount
            entries = core.entries(core.chain.links.map { ($0, $0.provider.document) })
            if before == core.tracker.changeCount { break }
        }
        return FlagSnapshot(entries: entries)
    }
}

extension LoaderCore {
    fileprivate func entries(_ documents: [(FlagChain.Link, FlagDocument?)]) -> [FlagKeyPath: FlagSnapshot.Entry] {
        var entries: [FlagKeyPath: FlagSnapshot.Entry] = [:]
        for ordinal in ordinals {
            let step = inspect(ordinal) { link, key in
                documents.first { $0.0 === link }?.1.map { FlagEvaluation(value: $0.value(for: key)) }
            }
            guard entries[keyPaths[ordinal]] == nil, let value = encoded(step, ordinal) else { continue }
            entries[keyPaths[ordinal]] = FlagSnapshot.Entry(
                value: value, source: step.source, isSecret: declarations[ordinal].isSecret || step.isSecret)
        }
        return entries
    }
}
