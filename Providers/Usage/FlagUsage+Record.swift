public import Foundation
public import TacklineCore

// Foundation: `Date` and `Data`, and the coders of JSON.

extension FlagUsage {
    /// The flags that were read, and the values that they had, as ``FlagUsage`` writes them to a file.
    ///
    /// Records of several runs, processes and devices are merged, in any order and however often:
    ///
    /// ```swift
    /// var usage = FlagUsage.Record()
    /// for file in files { usage.merge(try FlagUsage.Record(json: Data(contentsOf: file))) }
    /// ```
    ///
    /// Its dates are the beginnings of days in UTC.
    public struct Record: Sendable, Hashable {
        /// The flags by the text of their keys.
        public private(set) var flags: [String: Entry] = [:]
        /// The first day that the record is about, or `nil` if it is empty.
        public private(set) var firstDay: Date?
        /// The last day that the record is about.
        public private(set) var lastDay: Date?
        /// Whether flags were left out because there were too many.
        public internal(set) var hasMoreFlags = false
        /// The version of the form, by which the file is recognized.
        private var tacklineUsage = 1

        /// Creates an empty record.
        public init() {}

        /// The maximum size of a key in bytes.
        private static let maximumKeySize = 200

        // MARK: Recording

        /// Records a day, on which flags without an entry were not read.
        mutating func cover(_ day: Date) { cover(day, day) }

        private mutating func cover(_ first: Date?, _ last: Date?) {
            firstDay = [firstDay, first].compactMap(\.self).min()
            lastDay = [lastDay, last].compactMap(\.self).max()
        }

        /// Records a read.
        ///
        /// - Parameter value: The value, or `nil` if it is secret.
        mutating func read(_ key: String, value: String?, on day: Date) {
            cover(day)
            guard key.utf8.count <= Self.maximumKeySize else { return hasMoreFlags = true }
            let entry = Entry(value, on: day)
            flags[key] = flags[key].map { $0.merged(with: entry, isLater: true) } ?? entry
        }

        /// Returns the beginning of a date's day in UTC, in the years from 1 to 9999.
        package static func day(of date: Date) -> Date {
            let seconds = min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_214_400)
            return Date(timeIntervalSince1970: seconds.isNaN ? 0 : (seconds / 86_400).rounded(.down) * 86_400)
        }

        /// Returns a value as JSON. Of a long one it is the beginning, with a hash by which it differs from others.
        static func text(of value: EncodedFlagValue) -> String {
            // JSON has no infinities, for example.
            let text = (try? FlagJSONWriter(layout: .compact).text(of: value)) ?? "\(value)"
            guard text.utf8.count > 100 else { return text }
            // The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991).
            let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
            return "\(String(text.unicodeScalars.prefix(40)))… (\(String(hash, radix: 16)))"
        }

        // MARK: Merging

        /// Adds another record: of another process or device, or of an earlier run.
        ///
        /// Merging a record twice changes nothing the second time, and the order doesn't matter.
        public mutating func merge(_ other: Record) { add(other, isLater: false) }

        /// Adds the record of what has happened since.
        mutating func append(_ later: Record) { add(later, isLater: true) }

        private mutating func add(_ other: Record, isLater: Bool) {
            cover(other.firstDay, other.lastDay)
            hasMoreFlags = hasMoreFlags || other.hasMoreFlags
            flags.merge(other.flags) { $0.merged(with: $1, isLater: isLater) }
        }

        /// Removes the flags beyond a number: those first that were not read for the longest time.
        mutating func limitFlags(to maximum: Int) {
            guard flags.count > maximum else { return }
            let order = flags.sorted { ($0.value.lastRead, $1.key) > ($1.value.lastRead, $0.key) }
            flags = Dictionary(uniqueKeysWithValues: order.prefix(maximum).map { ($0.key, $0.value) })
            hasMoreFlags = true
        }
    }
}

extension FlagUsage.Record {
    /// The usage of one flag.
    public struct Entry: Sendable, Hashable {
        /// The first day on which the flag was read.
        public private(set) var firstRead: Date
        /// The last day on which the flag was read.
        public private(set) var lastRead: Date
        /// Whether there were more values than are kept. The oldest are missing.
        public private(set) var hasMoreValues = false
        /// Whether the flag's values are secret, so that none are kept.
        public private(set) var isSecret: Bool
        /// The values, the last one last.
        private var seen: [SeenValue]

        private struct SeenValue: Sendable, Hashable, Codable {
            let value: String
            var lastSeen: Date
        }

        /// The maximum number of values that are kept.
        private static let maximumValues = 8

        /// The last eight values that reads were given, as JSON, each with the last day on which it was read. A long value
        /// is shortened.
        public var values: [String: Date] { Dictionary(seen.map { ($0.value, $0.lastSeen) }, uniquingKeysWith: max) }

        fileprivate init(_ value: String?, on day: Date) {
            (firstRead, lastRead, isSecret) = (day, day, value == nil)
            seen = value.map { [SeenValue(value: $0, lastSeen: day)] } ?? []
        }

        /// Returns the entry with another one of the same flag.
        ///
        /// - Parameter isLater: Whether the reads of the other one came later, also those of the same day.
        fileprivate func merged(with other: Self, isLater: Bool) -> Self {
            var result = self
            result.firstRead = min(firstRead, other.firstRead)
            result.lastRead = max(lastRead, other.lastRead)
            result.isSecret = isSecret || other.isSecret
            let days = values
            result.seen.removeAll { other.values[$0.value] != nil }
            result.seen += other.seen.map { seen in
                SeenValue(value: seen.value, lastSeen: max(seen.lastSeen, days[seen.value] ?? seen.lastSeen))
            }
            if !isLater { result.seen.sort { ($0.lastSeen, $0.value) < ($1.lastSeen, $1.value) } }
            result.hasMoreValues = hasMoreValues || other.hasMoreValues || result.seen.count > Self.maximumValues
            result.seen = result.isSecret ? [] : result.seen.suffix(Self.maximumValues)
            return result
        }
    }
}

// MARK: JSON

extension FlagUsage.Record: Codable {
    /// Returns the record as JSON in UTF-8.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(self)
    }

    /// Reads a record.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` with the mistake.
    public init(json: Data) throws(FlagError) {
        struct Head: Decodable {
            let tacklineUsage: Int
        }
        func failure(_ code: FlagError.Code, _ reason: String) -> FlagError {
            FlagError(code, "The file is not a record of flags: \(reason). Name one that FlagUsage wrote.")
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let version = try? decoder.decode(Head.self, from: json).tacklineUsage, version >= 1 else {
            throw failure(.invalidDocument, "it has no member \"tacklineUsage\"")
        }
        guard version == 1 else {
            throw failure(.newerUsage, "its version is \(version), which a newer Tackline reads; update this program")
        }
        do {
            self = try decoder.decode(Self.self, from: json)
        } catch {
            throw failure(.invalidDocument, "it is damaged")
        }
    }
}

extension FlagUsage.Record.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case firstRead, lastRead, hasMoreValues, isSecret
        case seen = "values"
    }
}
