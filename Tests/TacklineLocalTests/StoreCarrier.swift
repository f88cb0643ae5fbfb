import Foundation
import TacklineComposition
import TacklineCore
import TacklineLocal
import TacklineMemory
import TacklineOverrides
import TacklineTestSupport
import TacklineUserDefaults

/// The stores that values are taken through.
enum Store: String, CaseIterable {
    case memory
    case json = "JSON file"
    case xml = "XML property list"
    case binary = "binary property list"
    case defaults = "user defaults"
    case overrides = "overrides in JSON"
    case snapshot = "snapshot in JSON"
}

/// Takes values into a store, and gives back what somebody finds there who comes later.
struct StoreCarrier {
    /// Writes a value under a number.
    let write: (EncodedFlagValue, Int) throws -> Void
    /// What the store has now under a number.
    let value: (Int) -> EncodedFlagValue?
    /// Saves all, and gives what a later reader finds.
    let finish: () throws -> (Int) -> EncodedFlagValue?

    /// - Parameter folder: One that no other carrier has.
    init(_ store: Store, in folder: URL) throws {
        switch store {
        case .memory: self.init(memory: MemoryProvider())
        case .json: self.init(file: folder.appending(path: "a.json"))
        case .xml: self.init(file: folder.appending(path: "a.plist"))
        case .binary: self.init(file: folder.appending(path: "a.bplist"))
        case .defaults: self.init(suiteName: "tackline-\(UUID().uuidString)")
        case .overrides: self.init(overrides: folder.appending(path: "overrides.json"))
        case .snapshot: self.init(snapshot: MemoryProvider())
        }
    }

    private init(
        write: @escaping (EncodedFlagValue, Int) throws -> Void, value: @escaping (Int) -> EncodedFlagValue?,
        finish: @escaping () throws -> (Int) -> EncodedFlagValue?
    ) {
        (self.write, self.value, self.finish) = (write, value, finish)
    }

    private static func key(_ number: Int) -> FlagKeyPath { FlagKeyPath("v\(number)") }

    /// Written once, as late as it may be: the disk is not the matter here.
    private static func open(_ file: URL) -> LocalProvider {
        LocalProvider(file: file, changeDetection: .off, writeDelay: .seconds(3600))
    }

    private init(memory provider: MemoryProvider) {
        self.init(
            write: { provider.setValue($0, for: Self.key($1)) }, value: { provider.value(for: Self.key($0)) },
            finish: { { provider.value(for: Self.key($0)) } })
    }

    private init(file: URL) {
        let provider = Self.open(file)
        self.init(
            write: { try provider.setValue($0, for: Self.key($1)) }, value: { provider.value(for: Self.key($0)) },
            finish: {
                try provider.flush()
                let later = Self.open(file)
                return { later.value(for: Self.key($0)) }
            })
    }

    private init(overrides file: URL) {
        let storage = Self.open(file)
        let overrides = FlagOverrides(storage: storage, environment: .nonProduction)
        self.init(
            write: { try overrides.setValue($0, for: Self.key($1)) }, value: { overrides.value(for: Self.key($0)) },
            finish: {
                try storage.flush()
                let later = FlagOverrides(storage: Self.open(file), environment: .nonProduction)
                return { later.value(for: Self.key($0)) }
            })
    }

    /// One value at a time, since on Linux each write is one of the whole file. Another provider reads it.
    private init(suiteName: String) {
        let provider = UserDefaultsProvider(suiteName: suiteName)
        let reader = UserDefaultsProvider(suiteName: suiteName)
        var found: [Int: EncodedFlagValue] = [:]
        self.init(
            write: { value, number in
                try provider.setValue(value, for: "x")
                found[number] = reader.value(at: "x")
            }, value: { _ in provider.value(at: "x") },
            finish: {
                UserDefaults.standard.removePersistentDomain(forName: suiteName)
                return { found[$0] }
            })
    }

    /// A snapshot leaves out what it cannot hold, when it is encoded, and reports it.
    private init(snapshot values: MemoryProvider) {
        var numbers: Set<Int> = []
        self.init(
            write: { value, number in
                let entries: [FlagKeyPath: FlagSnapshot.Entry] = ["v": .init(value: value, source: .default)]
                let recorder = IssueRecorder()
                let json = try FlagIssueReporter.withReporter(recorder.reporter) {
                    try JSONEncoder().encode(FlagSnapshot(entries: entries))
                }
                let isThere = try JSONDecoder().decode(FlagSnapshot.self, from: json).entries["v"] != nil
                if let issue = recorder.issues.first, !isThere { throw issue }
                values.setValue(value, for: Self.key(number))
                numbers.insert(number)
            }, value: { values.value(for: Self.key($0)) },
            finish: {
                var entries: [FlagKeyPath: FlagSnapshot.Entry] = [:]
                for number in numbers {
                    guard let value = values.value(for: Self.key(number)) else { continue }
                    entries[FlagKeyPath("v\(number)")] = FlagSnapshot.Entry(value: value, source: .default)
                }
                let json = try JSONEncoder().encode(FlagSnapshot(entries: entries))
                let later = try JSONDecoder().decode(FlagSnapshot.self, from: json)
                return { later.value(for: FlagKeyPath("v\($0)")) }
            })
    }
}
