public import Foundation
public import TacklineCore
import TacklineFiles

// Foundation: dates, and `URL` names the file.

/// The flags of a launch that is over, as a ``FlagCrashRecord`` left them: the values in force and the last changes.
///
/// Prints as text for a crash report.
public struct FlagCrashReport: Sendable, Hashable, CustomStringConvertible {
    /// A change of a flag's value.
    public struct Change: Sendable, Hashable, CustomStringConvertible {
        /// The number of the change in its launch, from 1; 0 for the first value of a flag, which is no change.
        public var number: Int
        /// The key of the flag, as text. A very long one is shortened.
        public var key: String
        /// The value before, or `nil` if a read was given the flag's first value.
        public var from: RecordedFlagValue?
        /// The value since.
        public var to: RecordedFlagValue
        /// The source of the new value. A very long name of a provider is shortened.
        public var source: FlagSource
        /// The time at which a read was given the new value.
        public var date: Date

        /// The change in one line: `new_checkout: false → true (provider "remote")`.
        public var description: String { "\(key): \(from.map { "\($0) → " } ?? "")\(to) (\(source))" }
    }

    /// A value in force.
    public struct Value: Sendable, Hashable {
        /// The value.
        public var value: RecordedFlagValue
        /// The source of the value.
        public var source: FlagSource
        /// The time at which a read was given the value first.
        public var date: Date
    }

    /// The beginning of the launch.
    public var began: Date
    /// The number of the process.
    public var process: Int
    /// The value that each flag had when it was read last, by the text of its key.
    public var values: [String: Value] = [:]
    /// The last 64 changes at most, in the order in which they happened.
    public var changes: [Change] = []
    /// Whether there were more flags than ``values`` has room for.
    public var hasMoreFlags = false

    /// Reads the file of a record, whether or not its process still runs.
    ///
    /// - Throws: ``FlagRecordError`` if the file is not there or is no such record.
    public init(contentsOf file: URL) throws(FlagRecordError) {
        let path = file.path(percentEncoded: false)
        let bytes: [UInt8]?
        do {
            bytes = try StoredFile.bytes(of: path, limit: CrashRingLayout.maximumFileSize)
        } catch {
            throw FlagRecordError(reason: "\(error)")
        }
        guard let bytes, let report = FlagCrashReport(bytes: bytes) else {
            throw FlagRecordError(reason: bytes == nil ? "there is none at \(path)" : "its beginning is damaged")
        }
        self = report
    }

    /// Reads the bytes of a file, or returns `nil` if they have no head. Entries that are not whole are left out.
    init?(bytes: [UInt8]) {
        guard let head = CrashHead(file: bytes) else { return nil }
        began = Date(timeIntervalSince1970: head.began)
        process = Int(head.process)
        hasMoreFlags = head.hasMoreFlags
        var sequences: [String: UInt64] = [:]
        var changes: [(sequence: UInt64, change: Change)] = []
        for index in CrashRingLayout.headSlots..<head.layout.slotCount {
            let bytes = bytes.slot(index)
            // Most slots are empty.
            guard bytes.contains(where: { $0 != 0 }),
                let slot = CrashSlot(bytes, at: index, launch: head.launch), let change = Change(slot.content)
            else { continue }
            if change.number > 0 { changes.append((slot.sequence, change)) }
            // A change is written before the value in force, between which the process may end.
            if slot.sequence > sequences[change.key] ?? 0 {
                sequences[change.key] = slot.sequence
                values[change.key] = Value(value: change.to, source: change.source, date: change.date)
            }
        }
        changes.sort { $0.sequence < $1.sequence }
        self.changes = changes.suffix(CrashRingLayout.changeLimit).map(\.change)
    }

    /// The values in force that are not shortened, as a document: `flags.json` for a provider or for the command-line tool.
    public var document: FlagDocument { FlagDocument(values.compactMapValues { $0.value.value }) }

    /// The values and the changes, a line each.
    public var description: String {
        var lines = ["Flags of the launch of \(Self.text(began)):"]
        lines += values.sorted { $0.key < $1.key }.map { "  \($0.key) = \($0.value.value) (\($0.value.source))" }
        if hasMoreFlags { lines.append("  and others, for which there was no room") }
        if !changes.isEmpty { lines.append("Changes, the last one at the end:") }
        lines += changes.map { "  \(Self.text($0.date)) \($0)" }
        return lines.joined(separator: "\n")
    }

    private static func text(_ date: Date) -> String {
        "\(EncodedFlagValue.date(Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)))"
    }
}

extension FlagCrashReport.Change {
    /// The content of a slot, with texts of at most so many bytes.
    func content(maximumSize: Int) -> [String: EncodedFlagValue] {
        var members: [String: EncodedFlagValue] = [
            "key": .string(Self.name(key, maximumSize: 2 * maximumSize)),
            "to": .object(to.shortened(to: maximumSize).members),
            "at": .double(date.timeIntervalSince1970),
        ]
        if number > 0 { members["number"] = .integer(Int128(number)) }
        if let from { members["from"] = .object(from.shortened(to: maximumSize).members) }
        switch source {
        case .provider(let id): members["provider"] = .string(Self.name(id, maximumSize: maximumSize))
        case .scope: members["source"] = "scope"
        case .computed: members["source"] = "computed"
        case .default: members["source"] = "default"
        }
        return members
    }

    private static func name(_ text: String, maximumSize: Int) -> String {
        let beginning = RecordedFlagValue.beginning(of: text, maximumSize: maximumSize)
        return beginning == text ? text : beginning + "…"
    }

    /// Reads the content of a slot.
    fileprivate init?(_ content: [String: EncodedFlagValue]) {
        guard case .string(let key)? = content["key"], case .object(let members)? = content["to"],
            let to = RecordedFlagValue(members), let at = content["at"].flatMap({ try? Double(encoded: $0) }),
            let number = try? Int(encoded: content["number"] ?? 0), number >= 0
        else { return nil }
        self.key = key
        self.to = to
        self.number = number
        date = Date(timeIntervalSince1970: at)
        if case .object(let members)? = content["from"] { from = RecordedFlagValue(members) }
        switch (content["provider"], content["source"]) {
        case (.string(let id)?, nil): source = .provider(id)
        case (nil, "scope"?): source = .scope
        case (nil, "computed"?): source = .computed
        case (nil, "default"?): source = .default
        default: return nil
        }
    }
}
