#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    public struct Change: Sendable, Equatable {
        /// The flag's key.
        public let key: FlagKeyPath
        /// The flag in the older snapshot, or `nil` if it has none.
        public let old: Entry?
        /// The flag in the newer snapshot, or `nil` if it has none.
        public let new: Entry?
    }

    /// The flags by their keys.
    public let entries: [FlagKeyPath: Entry]

    package init(entries: [FlagKeyPath: Entry]) { self.entries = entries }

    /// Returns the flags whose values differ from those of an older snapshot, or that only one of the two has, sorted by
    /// key. A change of the source alone is no difference.
    public func difference(from older: FlagSnapshot) -> [Change] {
        let keys = Set(entries.keys).union(older.entries.keys)
        return keys.sorted { $0.text < $1.text }.compactMap { key in
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

/// Every value is encoded together with its kind, so that it is decoded exactly, whatever the encoder.
extension FlagSnapshot: Codable {
    private struct Coded: Codable { var entries: [CodedEntry] }

    private struct CodedEntry: Codable {
        /// The components of the key, which may contain any separator.
        var key: [String]
        var value: CodedValue
        var source: FlagSource
        var isSecret: Bool?
    }

    /// Decodes a snapshot.
    ///
    /// - Throws: `DecodingError` if the input isn't a snapshot.
    public init(from decoder: any Decoder) throws {
        var entries: [FlagKeyPath: Entry] = [:]
        for entry in try Coded(from: decoder).entries {
            entries[FlagKeyPath(components: entry.key)] = Entry(
                value: entry.value.value, source: entry.source, isSecret: entry.isSecret ?? false)
        }
        self.init(entries: entries)
    }

    /// Encodes the snapshot, with its entries sorted by key.
    ///
    /// - Throws: An error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        let coded = entries.sorted { $0.key.text < $1.key.text }.map { key, entry in
            CodedEntry(
                key: key.components, value: CodedValue(entry.value), source: entry.source,
                isSecret: entry.isSecret ? true : nil)
        }
        try Coded(entries: coded).encode(to: encoder)
    }
}

/// A value in the form in which a snapshot encodes it. Numbers are texts, because encoders write 1.0 as 1 and refuse NaN.
private indirect enum CodedValue: Codable {
    case null
    case bool(Bool)
    case integer(String)
    case double(String)
    case string(String)
    case data(Data)
    case date(String)
    case array([CodedValue])
    case object([String: CodedValue])
    case unparsed(String)

    init(_ value: EncodedFlagValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(String(value))
            case .double(let value): .double(value.description)
            case .string(let text): .string(text)
            case .data(let data): .data(data)
            case .date(let date): .date(date.timeIntervalSinceReferenceDate.description)
            case .array(let elements): .array(elements.map { CodedValue($0) })
            case .object(let members): .object(members.mapValues { CodedValue($0) })
            case .unparsed(let text): .unparsed(text)
            }
    }

    /// The value. A number whose text was damaged is null.
    var value: EncodedFlagValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let text): Int128(text).map { .integer($0) } ?? .null
        case .double(let text): Double(text).map { .double($0) } ?? .null
        case .string(let text): .string(text)
        case .data(let data): .data(data)
        case .date(let text): Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(members.mapValues(\.value))
        case .unparsed(let text): .unparsed(text)
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
