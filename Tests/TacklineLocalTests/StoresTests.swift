import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

#if !canImport(ObjectiveC)
    /// Takes generated values of every type through every store and back.
    ///
    /// On Linux, since what user defaults hold differs by system, and the table says so.
    ///
    /// With TACKLINE_VALUES=1000 so many of each type; 20 unless given, since a debug build takes its time.
    @Suite("A value in a store", .hangLimit)
    struct StoresTests {
        private static let valuesPerType =
            ProcessInfo.processInfo.environment["TACKLINE_VALUES"].flatMap { Int($0) } ?? 20

        /// A type, and what becomes of its values.
        private struct Row: Sendable {
            let type: String
            /// Takes values through a store; the number seeds them. Gives how many were refused.
            let check: @Sendable (Store, URL, Int) throws -> Int
        }

        /// - Parameters:
        ///   - always: Values that are taken beside the generated ones, among which they are rare.
        ///   - isRefused: Whether a store must refuse a value. It holds every other exactly.
        private static func row<Value: FlagValue & Equatable>(
            _ type: String, always: [Value] = [], _ make: @escaping @Sendable (inout ArbitraryValues) -> Value,
            isRefused: @escaping @Sendable (Store, Value) -> Bool = { _, _ in false }
        ) -> Row {
            Row(type: type) { store, folder, number in
                var arbitrary = ArbitraryValues(seed: UInt64(number))
                let values = always + (0..<valuesPerType).map { _ in make(&arbitrary) }
                var refused = 0
                // In small files, since a store's commit takes time by the number of its values.
                for start in stride(from: 0, to: values.count, by: 50) {
                    let some = Array(values[start..<min(start + 50, values.count)])
                    let place = folder.appending(path: "\(number)/\(start)")
                    refused += try check(some, in: store, place, isRefused: isRefused)
                }
                return refused
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

        @Test("comes back exactly or is refused before anything changes, and the table in Values.md says which")
        func everyTypeAndStore() async throws {
            let folder = try TemporaryFolder()
            let lines = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for (number, row) in Self.rows.enumerated() {
                    group.addTask {
                        let cells = try Store.allCases.map { store in
                            let place = folder.file(store.rawValue)
                            return try row.check(store, place, number + 1) == 0 ? "exact" : "exact or refused"
                        }
                        return (number, "| \(row.type) | " + cells.joined(separator: " | ") + " |")
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            let titles = "| Type | " + Store.allCases.map(\.rawValue).joined(separator: " | ") + " |"
            let rule = "|" + String(repeating: "---|", count: Store.allCases.count + 1)
            let table = ([titles, rule] + Self.rows.indices.compactMap { lines[$0] }).joined(separator: "\n")
            let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../Docs/Tackline.docc/Values.md")
            let isThere = try String(contentsOf: guide, encoding: .utf8).contains(table)
            #expect(isThere, "Values.md lacks this table:\n\(table)")
        }

        /// Takes values through a store and back.
        ///
        /// - Returns: How many were refused.
        private static func check<Value: FlagValue & Equatable>(
            _ values: [Value], in store: Store, _ folder: URL, isRefused: (Store, Value) -> Bool
        ) throws -> Int {
            let carrier = try StoreCarrier(store, in: folder)
            var written: [Int: EncodedFlagValue] = [:]
            for (number, value) in values.enumerated() {
                let before = carrier.value(number)
                var mustRefuse = isRefused(store, value)
                do {
                    let encoded = try value.encoded
                    if [.xml, .binary, .defaults].contains(store) {
                        mustRefuse = mustRefuse || encoded.contains(where: \.isRefusedInPropertyLists)
                    }
                    // On Linux, Foundation loses a part of it.
                    if store == .defaults { mustRefuse = mustRefuse || encoded.contains(where: \.isRefusedInDefaults) }
                    try carrier.write(encoded, number)
                    written[number] = encoded
                    if mustRefuse { Issue.record("\(store) took \(value)") }
                } catch {
                    #expect(error is FlagValueError || error is FlagError)
                    #expect(mustRefuse, "\(store) refused \(value): \(error)")
                    #expect(carrier.value(number) == before, "\(store) has changed by what it refused: \(value)")
                }
            }
            let back = try carrier.finish()
            for (number, encoded) in written {
                let value = values[number]
                let found = try? back(number).map { try Value(encoded: $0) }
                // The neutral form compares a NaN, which is not equal to itself.
                let isSame = found == value || (try? found?.encoded)?.withWholeNumbers == encoded.withWholeNumbers
                if !isSame { Issue.record("\(store) made \(String(describing: back(number))) of \(encoded)") }
            }
            return values.count - written.count
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
