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

        /// Takes values of a type through a store. The number seeds them.
        private typealias Row = @Sendable (Store, URL, UInt64) throws -> Void

        /// - Parameter always: Values that are taken beside the generated ones, among which they are rare.
        private static func row<Value: FlagValue & Equatable>(
            always: [Value] = [], _ make: @escaping @Sendable (inout ArbitraryValues) -> Value
        ) -> Row {
            { store, folder, number in
                var arbitrary = ArbitraryValues(seed: number)
                let values = always + (0..<valuesPerType).map { _ in make(&arbitrary) }
                // A value that can't be encoded is refused by every store.
                let found = try store.carry(values.map { (try? $0.encoded) ?? .null }, in: folder)
                for (value, back) in zip(values, found) {
                    guard let encoded = try? value.encoded else { continue }
                    let mustRefuse = store.refuses(encoded) || store.isTooDeep(encoded)
                    #expect(mustRefuse == (back == nil), "\(store) with \(value)")
                    guard let back else { continue }
                    let again = try? Value(encoded: back)
                    // The neutral form compares a NaN, which is not equal to itself.
                    if again != value, (try? again?.encoded)?.withWholeNumbers != encoded.withWholeNumbers {
                        Issue.record("\(store) made \(back) of \(encoded)")
                    }
                }
            }
        }

        private static func integer<Number: FixedWidthInteger & FlagValue>(_ type: Number.Type) -> Row {
            row { $0.integer(type) }
        }

        private static let rows: [Row] = [
            row { $0.bool() },
            integer(Int8.self), integer(Int16.self), integer(Int32.self), integer(Int64.self), integer(Int128.self),
            integer(UInt8.self), integer(UInt16.self), integer(UInt32.self), integer(UInt64.self),
            integer(UInt128.self),
            row(always: [-0.0, .nan, .infinity, -.infinity]) { $0.double() },
            row(always: [-0.0, .nan, .infinity, -.infinity]) { $0.float() },
            row(always: ["$null"]) { $0.string() },
            // The last one is beyond the years that RFC 3339 has.
            row(always: [.distantPast, Date(timeIntervalSinceReferenceDate: 1e15)]) { $0.date() },
            row { $0.data() },
            row { URL(string: "https://example.com/\($0.integer(UInt.self))?q=%20#x") },
            row { $0.uuid() },
            row { $0.bool() ? Theme.light : .dark },
            row { $0.bool() ? $0.string() : nil },
            row(always: [.none, .some(.none)]) { values -> Int?? in values.integer(Int.self) },
            row { $0.list { $0.string() } },
            row(always: [["$null": 1], ["a": .nan]]) { $0.members { $0.double() } },
            row { StoredSettings.arbitrary(&$0) },
            row(always: [.double(-0.0)]) { $0.jsonValue() },
            // Objects round a value count where a store has them.
            row { values -> EncodedFlagValue in
                nested(Int.random(in: 60...70, using: &values.random))
            },
        ]

        private static func nested(_ levels: Int) -> EncodedFlagValue {
            (0..<levels).reduce(.bool(true)) { value, level in level.isMultiple(of: 2) ? [value] : ["a": value] }
        }

        @Test("comes back exactly or is refused before anything changes")
        func everyTypeAndStore() throws {
            let folder = try TemporaryFolder()
            for (number, take) in Self.rows.enumerated() {
                for store in Store.allCases { try take(store, folder.file("\(number) \(store)"), UInt64(number + 1)) }
            }
        }
    }

    /// The stores that values are taken through.
    private enum Store: CaseIterable {
        case memory, json, xml, binary, defaults, overrides, snapshot

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

    extension Store {
        /// Whether the store must refuse a value. It holds every other exactly.
        fileprivate func refuses(_ value: EncodedFlagValue) -> Bool {
            switch (self, value) {
            case (.memory, _), (.snapshot, _): return false
            case (_, .array(let elements)): return elements.contains(where: refuses)
            case (_, .object(let members)):
                return members.contains { refuses(.string($0.key)) || refuses($0.value) }
            case (.json, .double(let number)), (.overrides, .double(let number)): return !number.isFinite
            case (.json, .date(let date)), (.overrides, .date(let date)):
                return date.timeIntervalSinceReferenceDate > 1e12
            case (.json, _), (.overrides, _): return false
            // Property lists, and user defaults, which are one.
            case (_, .null): return true
            case (_, .integer(let number)): return Int64(exactly: number) == nil && UInt64(exactly: number) == nil
            case (_, .date(let date)): return date == .distantPast || date.timeIntervalSinceReferenceDate > 1e12
            case (_, .string(let text)):
                if text.utf8.starts(with: "$null".utf8) { return true }
                let scalars = text.unicodeScalars
                return self == .defaults
                    && (scalars.first == "\u{FEFF}"
                        || scalars.contains {
                            $0 < " " && !["\t", "\n", "\r"].contains($0) || ["\u{FFFE}", "\u{FFFF}"].contains($0)
                        })
            default: return false
            }
        }

        /// Whether a value with one element on each level is too deep for the store, with the objects round it.
        fileprivate func isTooDeep(_ value: EncodedFlagValue) -> Bool {
            func levels(_ value: EncodedFlagValue) -> Int {
                switch value {
                case .array(let elements): 1 + (elements.first.map(levels) ?? 0)
                case .object(let members): 1 + (members.values.first.map(levels) ?? 0)
                default: 0
                }
            }
            if self == .memory || self == .snapshot { return false }
            return levels(value) > EncodedFlagValue.maximumDepth - (self == .overrides ? 4 : 1)
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
#endif
