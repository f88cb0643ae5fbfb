#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import TacklineCore

// Foundation: a day is that of a `Date`, and `Data` is the content of a file.

/// The flags that were read on some days, and the values that they had, as ``FlagUsage`` writes them to a file.
///
/// Records of several runs, processes and devices are merged, in any order and however often:
///
/// ```swift
/// var usage = FlagUsageRecord()
/// for file in files { usage.merge(try FlagUsageRecord(json: Data(contentsOf: file))) }
/// ```
public struct FlagUsageRecord: Sendable, Hashable {
    /// The usage of one flag.
    public struct Entry: Sendable, Hashable {
        /// The first day on which the flag was read.
        public var firstRead: Day
        /// The last day on which the flag was read.
        public var lastRead: Day
        /// The number of days on which the flag was read. Of merged records it is the greatest number.
        public var days = 1
        /// The values that reads were given, the last ones first. There are none for a secret flag.
        public internal(set) var values: [SeenValue] = []
        /// Whether there were more values than are kept. The oldest are missing.
        public internal(set) var hasMoreValues = false
        /// Whether the flag's values are secret.
        public internal(set) var isSecret = false

        /// Creates an entry of a flag that was read on a day.
        public init(readOn day: Day) { (firstRead, lastRead) = (day, day) }

        /// Returns the values that reads were given on a day or later.
        public func values(since day: Day) -> [SeenValue] { values.filter { $0.lastSeen >= day } }
    }

    /// A value that reads were given.
    public struct SeenValue: Sendable, Hashable {
        /// The value.
        public var value: RecordedFlagValue
        /// The last day on which a read was given the value.
        public var lastSeen: Day
    }

    /// A day in UTC, of the years 1 to 9999.
    public struct Day: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// The number of days since 1970-01-01.
        public let number: Int

        /// Creates the day that is so many days after 1970-01-01. One before the year 1, or after 9999, is the nearest of
        /// these years.
        public init(number: Int) { self.number = min(max(number, -719_162), 2_932_896) }

        /// Creates the day of a date.
        public init(_ date: Date) {
            let days = (date.timeIntervalSince1970 / 86_400).rounded(.down)
            self.init(number: days.isFinite ? Int(min(max(days, -1e6), 1e7)) : 0)
        }

        /// Reads a day such as `2026-11-21`, or returns `nil` for another text.
        public init?(_ text: String) {
            guard text.utf8.count == 10, let date = try? Date(encoded: .string(text + "T00:00:00Z")) else { return nil }
            self.init(date)
        }

        /// The day that is so many days later.
        public func advanced(by days: Int) -> Day { Day(number: number + min(max(days, -10_000_000), 10_000_000)) }

        /// The day as `2026-11-21`.
        public var description: String {
            String("\(EncodedFlagValue.date(Date(timeIntervalSince1970: Double(number) * 86_400)))".prefix(10))
        }

        /// Returns whether the left day is the earlier one.
        public static func < (left: Day, right: Day) -> Bool { left.number < right.number }
    }

    /// The maximum number of values that are kept of a flag.
    static let maximumValues = 8
    /// The maximum size of a key in bytes.
    static let maximumKeySize = 200

    /// The flags by the text of their keys.
    public internal(set) var flags: [String: Entry] = [:]
    /// The first day that the record is about, or `nil` if it is empty.
    public internal(set) var firstDay: Day?
    /// The last day that the record is about.
    public internal(set) var lastDay: Day?
    /// Whether flags were left out because there were too many.
    public internal(set) var hasMoreFlags = false

    /// Creates an empty record.
    public init() {}

    // MARK: Recording

    /// Records a day, on which flags without an entry were not read.
    mutating func cover(_ day: Day) { cover(day, day) }

    /// Records a read.
    ///
    /// - Parameter value: The value, or `nil` if it is secret.
    mutating func read(_ key: String, value: RecordedFlagValue?, on day: Day) {
        cover(day, day)
        guard mayHave(key) else { return }
        var entry = Entry(readOn: day)
        if let value {
            entry.values = [SeenValue(value: value, lastSeen: day)]
        } else {
            entry.isSecret = true
        }
        flags[key] = flags[key].map { $0.followed(by: entry) } ?? entry
    }

    private mutating func mayHave(_ key: String) -> Bool {
        if key.utf8.count <= Self.maximumKeySize { return true }
        hasMoreFlags = true
        return false
    }

    private mutating func cover(_ first: Day?, _ last: Day?) {
        firstDay = [firstDay, first].compactMap(\.self).min()
        lastDay = [lastDay, last].compactMap(\.self).max()
    }

    // MARK: Merging

    /// Adds another record: of another process or device, or of an earlier run.
    ///
    /// Merging a record twice changes nothing the second time, and the order doesn't matter.
    public mutating func merge(_ other: FlagUsageRecord) { combine(other) { $0.merged(with: $1) } }

    /// Adds the record of what has happened since.
    mutating func append(_ later: FlagUsageRecord) { combine(later) { $0.followed(by: $1) } }

    private mutating func combine(_ other: FlagUsageRecord, _ combine: (Entry, Entry) -> Entry) {
        cover(other.firstDay, other.lastDay)
        hasMoreFlags = hasMoreFlags || other.hasMoreFlags
        flags.merge(other.flags, uniquingKeysWith: combine)
    }

    /// Removes the flags beyond a number: those first that were not read for the longest time.
    mutating func limitFlags(to maximum: Int) {
        guard flags.count > maximum else { return }
        let order = flags.sorted { ($0.value.lastRead, $1.key) > ($1.value.lastRead, $0.key) }
        flags = Dictionary(uniqueKeysWithValues: order.prefix(maximum).map { ($0.key, $0.value) })
        hasMoreFlags = true
    }
}

extension FlagUsageRecord.Entry {
    /// Returns the entry with another one of the same flag.
    fileprivate func merged(with other: Self) -> Self {
        var result = self
        result.firstRead = min(firstRead, other.firstRead)
        result.lastRead = max(lastRead, other.lastRead)
        result.days = max(days, other.days)
        result.isSecret = isSecret || other.isSecret
        result.hasMoreValues = hasMoreValues || other.hasMoreValues
        for seen in other.values {
            if let index = result.values.firstIndex(where: { $0.value == seen.value }) {
                result.values[index].lastSeen = max(result.values[index].lastSeen, seen.lastSeen)
            } else {
                result.values.append(seen)
            }
        }
        result.limitValues()
        return result
    }

    /// Returns the entry with one of the days since, whose reads are counted.
    fileprivate func followed(by later: Self) -> Self {
        var result = merged(with: later)
        if later.firstRead > lastRead { result.days = days + later.days }
        if later.firstRead == lastRead { result.days = days + later.days - 1 }
        return result
    }

    /// Puts the values in order and removes those beyond the limit.
    mutating func limitValues() {
        if isSecret { values = [] }
        values.sort {
            ($0.lastSeen, $1.value.text, $1.value.hash ?? 0) > ($1.lastSeen, $0.value.text, $0.value.hash ?? 0)
        }
        guard values.count > FlagUsageRecord.maximumValues else { return }
        values.removeLast(values.count - FlagUsageRecord.maximumValues)
        hasMoreValues = true
    }
}
