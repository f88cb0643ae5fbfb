import Foundation
import TacklineCore
import TacklineFormats
import TacklineLocal
import TacklineMemory
import TacklineOverrides
import TacklineUserDefaults
import TacklineComposition
import TacklineTestSupport
import Testing

/// Takes generated values of every type through every store and back.
@Suite("A value in a store", .hangLimit)
struct StoresTests {
    private static let valuesPerType = 1000
    private static let stores: [Store] = [.memory, .json, .xml, .binary, .defaults, .overrides, .snapshot]

    /// What became of the values of a type in a store.
    private struct Cell {
        var exact = 0
        var refused = 0

        mutating func add(_ other: Cell) {
            exact += other.exact
            refused += other.refused
        }

        var text: String { refused == 0 ? "exact" : "exact or refused" }
    }

    private struct Row: Sendable {
        let type: String
        let check: @Sendable (Store, TemporaryFolder, Int) throws -> Cell
    }

    private static func row<Value: FlagValue & Equatable>(
        _ type: String, _ make: @escaping @Sendable (inout ArbitraryValues) -> Value
    ) -> Row {
        Row(type: type) { store, folder, number in
            var arbitrary = ArbitraryValues(seed: UInt64(number))
            let values = (0..<valuesPerType).map { _ in make(&arbitrary) }
            var cell = Cell()
            // In small files, since a store's commit takes time by the number of its values.
            for start in stride(from: 0, to: values.count, by: 50) {
                let some = Array(values[start..<min(start + 50, values.count)])
                try cell.add(check(some, in: store, StoreFolder(folder, "\(number)/\(start)")))
            }
            return cell
        }
    }

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
        row("`Double`") { $0.anyDouble() },
        row("`Float`") { $0.anyFloat() },
        row("`String`") { $0.string() },
        row("`Date`") { $0.anyDate() },
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
        },
        row("an array") { $0.list { $0.string() } },
        row("a dictionary") { $0.members { $0.anyDouble() } },
        row("a `Codable` type") { StoredSettings.arbitrary(&$0) },
        row("`EncodedFlagValue` of what JSON has") { $0.jsonValue() },
        row("any, nested 60 to 70 levels deep") { values -> EncodedFlagValue in
            let levels = Int.random(in: 60...70, using: &values.random)
            return (0..<levels).reduce(.bool(true)) { value, level in level.isMultiple(of: 2) ? [value] : ["a": value] }
        },
    ]

    @Test("comes back exactly or is refused before anything changes, and the table in Values.md says which")
    func everyTypeAndStore() throws {
        let folder = try TemporaryFolder()
        var lines = ["| Type | " + Self.stores.map(\.rawValue).joined(separator: " | ") + " |"]
        lines.append("|---|" + String(repeating: "---|", count: Self.stores.count))
        for (number, row) in Self.rows.enumerated() {
            let cells = try Self.stores.map { store in
                let start = ContinuousClock.now
                defer { if ContinuousClock.now - start > .seconds(1) { print("TIME", store, row.type, ContinuousClock.now - start) } }
                return try row.check(store, folder, number + 1).text
            }
            lines.append("| \(row.type) | " + cells.joined(separator: " | ") + " |")
        }
        let table = lines.joined(separator: "\n")
        let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Docs/Tackline.docc/Values.md")
        let isThere = try String(contentsOf: guide, encoding: .utf8).contains(table)
        #expect(isThere, "Values.md lacks this table:\n\(table)")
    }

    private static func check<Value: FlagValue & Equatable>(
        _ values: [Value], in store: Store, _ folder: StoreFolder
    ) throws -> Cell {
        var cell = Cell()
        let carrier = try Carrier(store, folder)
        var written: [Int: EncodedFlagValue] = [:]
        for (number, value) in values.enumerated() {
            let before = carrier.value(number)
            do {
                let encoded = try value.encoded
                try carrier.write(encoded, number)
                written[number] = encoded
            } catch {
                cell.refused += 1
                #expect(carrier.value(number) == before, "\(store) has changed by what it refused: \(value)")
            }
        }
        let back = try carrier.finish()
        for (number, encoded) in written {
            let value = values[number]
            let found = try? back(number).map { try Value(encoded: $0) }
            let again = try? found?.encoded
            // The neutral form compares a NaN, which is not equal to itself.
            let isSame = again == encoded && (found == value || "\(encoded)".contains("nan"))
            #expect(isSame, "\(store) made \(String(describing: back(number))) of \(encoded)")
            if isSame { cell.exact += 1 }
        }
        #expect(cell.exact + cell.refused == values.count)
        return cell
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
        switch integer(UInt8.self) {
        case 3: .nan
        case 4: .infinity
        case 5: -.infinity
        default: double()
        }
    }

    fileprivate mutating func anyFloat() -> Float {
        switch integer(UInt8.self) {
        case 3: .nan
        case 4: -.infinity
        default: float()
        }
    }

    /// A date, sometimes one beyond the years that RFC 3339 has.
    fileprivate mutating func anyDate() -> Date {
        switch integer(UInt8.self) {
        case 3: .distantPast
        case 4: Date(timeIntervalSinceReferenceDate: 1e15)
        default: date()
        }
    }
}
