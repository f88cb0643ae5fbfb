import Foundation
import TacklineCore
import TacklineFormats
import TacklineLocal
import TacklineMemory
import TacklineOverrides
import TacklineUserDefaults
import TacklineComposition
import TacklineTestSupport

/// The stores that values are taken through.
enum Store: String {
    case memory = "memory"
    case json = "JSON file"
    case xml = "XML property list"
    case binary = "binary property list"
    case defaults = "user defaults"
    case overrides = "overrides in JSON"
    case snapshot = "snapshot in JSON"
}

/// A folder for one type.
struct StoreFolder {
    let url: URL

    init(_ parent: TemporaryFolder, _ name: String) { url = parent.file(name) }
}

/// Takes values into a store, and gives back what somebody finds there who comes later.
struct Carrier {
    let write: (EncodedFlagValue, Int) throws -> Void
    let value: (Int) -> EncodedFlagValue?
    let finish: () throws -> (Int) -> EncodedFlagValue?

    init(_ store: Store, _ folder: StoreFolder) throws {
        func key(_ number: Int) -> FlagKeyPath { FlagKeyPath("v\(number)") }
        func file(_ name: String) -> (open: () -> LocalProvider, url: URL) {
            let url = folder.url.appending(path: name)
            // Written once, as often as it may be: the disk is not the matter here.
            let options = LocalProvider.Options(changeDetection: .off, writeDelay: .seconds(3600))
            return ({ LocalProvider(localURL: url, options: options) }, url)
        }
        func carrier(_ name: String) -> Carrier {
            let place = file(name)
            let provider = place.open()
            return Carrier(
                write: { try provider.setValue($0, for: key($1)) }, value: { provider.value(for: key($0)) },
                finish: {
                    try provider.flush()
                    let later = place.open()
                    return { later.value(for: key($0)) }
                })
        }
        switch store {
        case .memory:
            let provider = MemoryProvider()
            self.init(
                write: { provider.setValue($0, for: key($1)) }, value: { provider.value(for: key($0)) },
                finish: { { provider.value(for: key($0)) } })
        case .json: self = carrier("a.json")
        case .xml: self = carrier("a.plist")
        case .binary: self = carrier("a.bplist")
        case .defaults:
            // One at a time, since on Linux each write is one of the whole file.
            let suite = "tackline-\(UUID().uuidString)"
            let provider = UserDefaultsProvider(suiteName: suite)
            let reader = UserDefaultsProvider(suiteName: suite)
            let found = Kept()
            self.init(
                write: { value, number in
                    try provider.setValue(value, for: "x")
                    found.values[number] = reader.value(at: "x")
                }, value: { _ in provider.value(at: "x") },
                finish: {
                    UserDefaults.standard.removePersistentDomain(forName: suite)
                    return { found.values[$0] }
                })
        case .overrides:
            let place = file("overrides.json")
            let storage = place.open()
            let overrides = FlagOverrides(storage: storage, environment: .nonProduction)
            self.init(
                write: { try overrides.setValue($0, for: key($1)) }, value: { overrides.value(for: key($0)) },
                finish: {
                    try storage.flush()
                    let later = FlagOverrides(storage: place.open(), environment: .nonProduction)
                    return { later.value(for: key($0)) }
                })
        case .snapshot:
            let provider = MemoryProvider()
            let kept = Kept()
            self.init(
                write: { value, number in
                    let entry = FlagSnapshot.Entry(value: value, source: .default)
                    let json = try JSONEncoder().encode(["v": entry])
                    kept.entries[number] = json
                    provider.setValue(value, for: key(number))
                }, value: { provider.value(for: key($0)) },
                finish: {
                    let entries = try kept.entries.mapValues {
                        try JSONDecoder().decode([String: FlagSnapshot.Entry].self, from: $0)["v"]?.value
                    }
                    return { entries[$0] ?? nil }
                })
        }
    }

    private init(
        write: @escaping (EncodedFlagValue, Int) throws -> Void, value: @escaping (Int) -> EncodedFlagValue?,
        finish: @escaping () throws -> (Int) -> EncodedFlagValue?
    ) {
        self.write = write
        self.value = value
        self.finish = finish
    }

    private final class Kept {
        var values: [Int: EncodedFlagValue] = [:]
        var entries: [Int: Data] = [:]
    }
}
