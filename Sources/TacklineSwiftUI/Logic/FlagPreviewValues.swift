public import TacklineCore

/// The values that flags have in a preview.
public enum FlagPreviewValues: Sendable, Hashable {
    /// Every `Bool` flag is on; the others have their defaults.
    case allOn
    /// Every `Bool` flag is off; the others have their defaults.
    case allOff
    /// These flags have these values, by the text of their key; the others have their defaults.
    case given([String: EncodedFlagValue])
}

extension FlagPreviewValues {
    /// Makes a loader with these values. They can be written, and live as long as the loader.
    ///
    /// Issues go to the standard reporter, so that a wrong key or type in a preview is seen.
    package func loader<Collection: FlagCollectionProtocol>(for type: Collection.Type) -> FlagsLoader<Collection> {
        let provider = FlagPreviewProvider()
        let loader = FlagsLoader(type, providers: [provider], observation: .tracked)
        switch self {
        case .allOn: provider.setAll(true, in: loader)
        case .allOff: provider.setAll(false, in: loader)
        case .given(let values):
            for (key, value) in values {
                provider.setValue(value, for: FlagKeyPath(key, separator: loader.root.keyConfiguration.pathSeparator))
            }
        }
        return loader
    }
}

/// Holds the values of a preview.
struct FlagPreviewProvider: WritableFlagProvider {
    let name = "preview"
    private let store = FlagProviderStore()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }

    func setAll<Collection: FlagCollectionProtocol>(_ isOn: Bool, in loader: FlagsLoader<Collection>) {
        for flag in loader.allFlags where flag.valueType == Bool.self { setValue(.bool(isOn), for: flag.keyPath) }
    }
}
