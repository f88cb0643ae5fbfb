import Foundation
import Tackline
import TacklineRealFlags

struct SecretFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Not yet announced")
    var boomFeature: Bool
}

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Check addresses before they are opened")
    var isURLValid: Bool

    @Flag(key: "sson", default: false, description: "Single sign-on")
    var allowsSSON: Bool

    @FlagCollection(description: "Experiments")
    var secrets: SecretFlags
}

// isURLValid is myapp/is_urlvalid, as it was. With .snakeCase it would be myapp/is_url_valid.
let oldKeys = KeyConfiguration(prefix: "myapp", keyTransform: .realFlagsSnakeCase)

func makeFlags(oldFile: URL, newFile: URL) -> FlagsLoader<AppFlags> {
    let saved = LocalProvider(file: newFile)
    let flags = FlagsLoader(
        AppFlags.self, keyConfiguration: KeyConfiguration(prefix: "myapp"), providers: [saved])
    do {
        // The configuration is the one that RealFlags was given, in the same words.
        let old = RealFlagsImport(localURL: oldFile, keyConfiguration: KeyConfiguration(prefix: "myapp"))
        let report = try old.run(for: flags, into: saved)
        if !report.isEmpty { print(report) }
    } catch {
        print(error)  // nothing has changed, and the next launch tries again
    }
    return flags
}

struct SettingsProvider: WritableFlagProvider {
    let name = "settings"
    private let store = FlagProviderStore()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
}

func settingsProvider(_ settings: Settings) -> WritableClosureProvider {
    WritableClosureProvider(
        name: "settings",
        value: { [weak settings] key in settings?.value(for: key) },
        set: { [weak settings] value, key in
            guard let settings else { throw Settings.Gone() }
            try settings.setValue(value, for: key)
        })
}

/// The delegate of an app.
final class Settings: Sendable {
    struct Gone: Error {}

    private let store = FlagProviderStore()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws { store.setValue(value, for: key) }
}
