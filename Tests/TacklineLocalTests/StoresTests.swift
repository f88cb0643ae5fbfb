import Foundation
import TacklineComposition
import TacklineCore
import TacklineLocal
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import TacklineUserDefaults
import Testing

#if !canImport(ObjectiveC)
    /// Takes generated values of every type through every store and back.
    ///
    /// On Linux, since what user defaults hold differs by system.
    ///
    /// With TACKLINE_VALUES=1000 so many of each type; 20 unless given, since a debug build takes its time.
    @Suite("A value in a store", .hangLimit)
    struct StoresTests {
        private static let valuesPerType =
            ProcessInfo.processInfo.environment["TACKLINE_VALUES"].flatMap { Int($0) } ?? 20

        /// A type, and what becomes of its values.
        private struct Row: Sendable {
            let type: String
            /// Takes values through a store, and returns whether one was refused. The number seeds them.
            let refuses: @Sendable (Store, URL, UInt64) throws -> Bool
        }

        /// - Parameters:
        ///   - always: Values that are taken beside the generated ones, among which they are rare.
        ///   - isRefused: Whether a store must refuse a value. It holds every other exactly.
        private static func row<Value: FlagValue & Equatable>(
            _ type: String, always: [Value] = [], _ make: @escaping @Sendable (inout ArbitraryValues) -> Value,
            isRefused: @escaping @Sendable (Store, Value) -> Bool = { _, _ in false }
        ) -> Row {
            Row(type: type) { store, folder, number in
                var arbitrary = ArbitraryValues(seed: number)
                let values = always + (0..<valuesPerType).map { _ in make(&arbitrary) }
                // A value that can't be encoded is refused by every store.
                let encoded = values.map { (try? $0.encoded) ?? .null }
                let found = try store.carry(encoded, in: folder)
                for (index, value) in values.enumerated() {
                    let mustRefuse =
                        isRefused(store, value)
                        || [.xml, .binary, .defaults].contains(store)
                            && encoded[index].contains(where: \.isRefusedInPropertyLists)
                        || store == .defaults && encoded[index].contains(where: \.isRefusedInDefaults)
                    if (try? value.encoded) == nil {
                        #expect(mustRefuse)
                        continue
                    }
                    guard let back = found[index] else {
                        #expect(mustRefuse, "\(store) refused \(value)")
                        continue
                    }
                    if mustRefuse { Issue.record("\(store) took \(value)") }
                    let again = try? Value(encoded: back)
                    // The neutral form compares a NaN, which is not equal to itself.
                    let isSame =
                        again == value || (try? again?.encoded)?.withWholeNumbers == encoded[index].withWholeNumbers
                    if !isSame { Issue.record("\(store) made \(back) of \(encoded[index])") }
                }
                return found.contains(nil) || values.contains { (try? $0.encoded) == nil }
            }
        }

        /// Whether a store is a file of JSON, which has no NaN and no infinity.
        private static func isJSON(_ store: Store) -> Bool { store == .json || store == .overrides }

        private static let rows: [Row] = [
            row("`Bool`") { $0.bool() },
            row("`Int8`") { $0.integer(Int8.self) },
            row("`Int16`") { $0.integer(Int16.self) },
            row("`Int32`") { $0.integer(Int32.self) },
            row("`Int`, `Int64`") { $0.integer(Int64.self) },
            row("`Int128`") { $0.integer(Int128.self) },
            row("`UInt8`") { $0.integer(UInt8.self) },
            row("`UInt16`") { $0.integer(UInt16.self) },
            row("`UInt32`") { $0.integer(UInt32.self) },
            row("`UInt`, `UInt64`") { $0.integer(UInt64.self) },
            row("`UInt128`") { $0.integer(UInt128.self) },
            row("`Double`", always: [-0.0, .nan, .infinity, -.infinity]) {
                $0.anyDouble()
            } isRefused: {
                isJSON($0) && !$1.isFinite
            },
            row("`Float`", always: [-0.0, .nan, .infinity, -.infinity]) {
                $0.anyFloat()
            } isRefused: {
                isJSON($0) && !$1.isFinite
            },
            row("`String`", always: ["$null"]) { $0.string() },
            row("`Date`") {
                $0.anyDate()
            } isRefused: { store, date in
                // JSON has the distant past as 0001-01-01, and property lists do not have it.
                ![.memory, .snapshot].contains(store)
                    && (date == .distantPast && !isJSON(store) || date.timeIntervalSinceReferenceDate > 1e12)
            },
            row("`Data`") { $0.data() },
            row("`URL`") { URL(string: "https://example.com/\($0.integer(UInt.self))?q=%20#x") },
            row("`UUID`") { $0.uuid() },
            row("an enum with raw values") { $0.bool() ? Theme.light : .dark },
            row("an optional") { $0.bool() ? $0.string() : nil },
            row("an optional of an optional") { values -> Int?? in
                switch values.integer(UInt8.self) % 3 {
                case 0: .none
                case 1: .some(.none)
                default: values.integer(Int.self)
                }
            } isRefused: {
                $1 == .some(.none)
            },
            row("an array") { $0.list { $0.string() } },
            row("a dictionary", always: [["$null": 1]]) {
                $0.members { $0.anyDouble() }
            } isRefused: { store, members in
                isJSON(store) && members.values.contains { !$0.isFinite }
            },
            row("a `Codable` type") { StoredSettings.arbitrary(&$0) },
            row("`EncodedFlagValue` of what JSON has") {
                $0.integer(UInt8.self) % 8 == 3 ? .double(-0.0) : $0.jsonValue()
            },
            // Objects round a value count where a store has them.
            row("any, nested 60 to 70 levels deep") { values -> EncodedFlagValue in
                nested(Int.random(in: 60...70, using: &values.random))
            } isRefused: { store, value in
                ![.memory, .snapshot].contains(store)
                    && value.levels > EncodedFlagValue.maximumDepth - levelsRound(store)
            },
        ]

        private static func nested(_ levels: Int) -> EncodedFlagValue {
            (0..<levels).reduce(.bool(true)) { value, level in level.isMultiple(of: 2) ? [value] : ["a": value] }
        }

        private static func levelsRound(_ store: Store) -> Int {
            switch store {
            case .memory, .snapshot: 0
            case .json, .xml, .binary, .defaults: 1
            case .overrides: 4
            }
        }

        @Test("comes back exactly or is refused before anything changes")
        func everyTypeAndStore() throws {
            let folder = try TemporaryFolder()
            for store in Store.allCases {
                for (number, row) in Self.rows.enumerated() {
                    _ = try row.refuses(store, folder.file("\(number) \(store)"), UInt64(number + 1))
                }
            }
        }
    }

    /// The stores that values are taken through.
    private enum Store: String, CaseIterable {
        case memory
        case json = "JSON file"
        case xml = "XML property list"
        case binary = "binary property list"
        case defaults = "user defaults"
        case overrides = "overrides in JSON"
        case snapshot = "snapshot in JSON"

        /// Writes values, and returns what somebody finds there who comes later, or `nil` for what was refused.
        ///
        /// - Parameter folder: One that nothing else has.
        func carry(_ values: [EncodedFlagValue], in folder: URL) throws -> [EncodedFlagValue?] {
            switch self {
            case .memory:
                let memory = MemoryProvider()
                return try carry(values, into: memory) { memory }
            case .json: return try carry(values, folder.appending(path: "a.json"))
            case .xml: return try carry(values, folder.appending(path: "a.plist"))
            case .binary: return try carry(values, folder.appending(path: "a.bplist"))
            case .defaults:
                let suite = "tackline-\(UUID().uuidString)"
                defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
                return try carry(values, into: UserDefaultsProvider(suiteName: suite)) {
                    UserDefaultsProvider(suiteName: suite)
                }
            case .overrides:
                let storage = open(folder.appending(path: "overrides.json"))
                return try carry(values, into: FlagOverrides(storage: storage, environment: .nonProduction)) {
                    try storage.flush()
                    return FlagOverrides(storage: open(storage.file), environment: .nonProduction)
                }
            case .snapshot:
                return try values.map { value in
                    let snapshot = FlagSnapshot(entries: ["v": .init(value: value, source: .default)])
                    // It leaves out and reports what it can't hold.
                    let json = try FlagIssueReporter.withReporter(.silent) { try JSONEncoder().encode(snapshot) }
                    return try JSONDecoder().decode(FlagSnapshot.self, from: json).value(for: "v")
                }
            }
        }

        private func carry(_ values: [EncodedFlagValue], _ file: URL) throws -> [EncodedFlagValue?] {
            let provider = open(file)
            return try carry(values, into: provider) {
                try provider.flush()
                return open(file)
            }
        }

        /// Written once, as late as it may be: the disk is not the matter here.
        private func open(_ file: URL) -> LocalProvider {
            LocalProvider(file: file, changeDetection: .off, writeDelay: .seconds(3600))
        }

        private func carry(
            _ values: [EncodedFlagValue], into provider: some WritableFlagProvider, later: () throws -> any FlagProvider
        ) throws -> [EncodedFlagValue?] {
            let keys = values.indices.map { FlagKeyPath("v\($0)") }
            var refused: Set<Int> = []
            for (index, value) in values.enumerated() {
                do {
                    try provider.setValue(value, for: keys[index])
                } catch {
                    #expect(error is FlagError && provider.value(for: keys[index]) == nil, "\(self) \(value)")
                    refused.insert(index)
                }
            }
            let reader = try later()
            return values.indices.map { refused.contains($0) ? nil : reader.value(for: keys[$0]) }
        }
    }

    extension EncodedFlagValue {
        /// Whether a part of the value, which may be a key, meets a condition.
        fileprivate func contains(where condition: (EncodedFlagValue) -> Bool) -> Bool {
            switch self {
            case .array(let elements): elements.contains { $0.contains(where: condition) }
            case .object(let members):
                members.contains { condition(.string($0.key)) || $0.value.contains(where: condition) }
            default: condition(self)
            }
        }

        fileprivate var isRefusedInPropertyLists: Bool {
            switch self {
            case .null: true
            case .integer(let number): Int64(exactly: number) == nil && UInt64(exactly: number) == nil
            case .string(let text): text.utf8.starts(with: "$null".utf8)
            default: false
            }
        }

        fileprivate var isRefusedInDefaults: Bool {
            guard case .string(let text) = self else { return false }
            return text.unicodeScalars.first == "\u{FEFF}"
                || text.unicodeScalars.contains { scalar in
                    switch scalar {
                    case "\t", "\n", "\r": false
                    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": true
                    default: false
                    }
                }
        }

        /// How deep it is nested, in values with one element each.
        fileprivate var levels: Int {
            switch self {
            case .array(let elements): 1 + (elements.first?.levels ?? 0)
            case .object(let members): 1 + (members.first?.value.levels ?? 0)
            default: 0
            }
        }
    }

    private enum Theme: String, FlagValue { case light, dark }

    private struct StoredSettings: Codable, FlagValue, Equatable {
        var name: String
        var counts: [Int64]
        var weights: [String: Double]
        var start: Date?
        var blob: Data
        var id: UUID

        static func arbitrary(_ values: inout ArbitraryValues) -> StoredSettings {
            StoredSettings(
                name: values.string(), counts: values.list { $0.integer() }, weights: values.members { $0.double() },
                start: values.bool() ? values.date() : nil, blob: values.data(), id: values.uuid())
        }
    }

    extension ArbitraryValues {
        /// A number, sometimes one that JSON lacks.
        fileprivate mutating func anyDouble() -> Double {
            switch integer(UInt8.self) % 8 {
            case 3: .nan
            case 4: .infinity
            case 5: -.infinity
            default: double()
            }
        }

        fileprivate mutating func anyFloat() -> Float {
            switch integer(UInt8.self) % 8 {
            case 3: .nan
            case 4: -.infinity
            case 5: -0.0
            default: float()
            }
        }

        /// A date, sometimes one beyond the years that RFC 3339 has.
        fileprivate mutating func anyDate() -> Date {
            switch integer(UInt8.self) % 8 {
            case 3: .distantPast
            case 4: Date(timeIntervalSinceReferenceDate: 1e15)
            default: date()
            }
        }
    }
#endif
