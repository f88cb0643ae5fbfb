public import TacklineCore

/// The values of flags in a preview: `{ $0.set(\.newCheckout, true) }`.
///
/// Flags that are not set have their defaults. The values are said as in tests (`withFlags`, `@Test(.flags { … })`).
public struct FlagPreviewValues<Collection: FlagCollectionProtocol>: Sendable {
    private enum Setting: Sendable {
        case all(Bool)
        case flag(ordinal: Int, EncodedFlagValue)
    }

    private var settings: [Setting] = []
    /// The mistakes, which are reported when a preview uses the values.
    private var issues: [FlagError] = []

    init(_ body: (inout FlagPreviewValues) -> Void) { body(&self) }

    /// Sets the value of a flag. Of two values for a flag, the later one is used.
    ///
    /// - Parameters:
    ///   - flag: The key path from the root collection: `\.newCheckout`, `\.secrets.fireworks`. One that leads to no flag is
    ///     reported when the preview is drawn.
    ///   - value: The value.
    public mutating func set<Value: FlagValue>(_ flag: KeyPath<Collection, Value>, _ value: Value) {
        do throws(FlagError) {
            let ordinal = try FlagProbe<Collection>.ordinal(of: flag)
            do throws(FlagValueError) {
                settings.append(.flag(ordinal: ordinal, try value.encoded))
            } catch {
                throw FlagError(
                    FlagError.Code("unusable-setting"),
                    """
                    A preview sets \(FlagProbe<Collection>.property(ofFlag: ordinal)) to a value that can't be kept: \
                    \(error). Use another value.
                    """)
            }
        } catch {
            issues.append(error)
        }
    }

    /// Turns every flag of the type `Bool` on or off.
    public mutating func setAll(_ isOn: Bool) { settings.append(.all(isOn)) }

    /// Creates a loader with the values. They can be written, and exist as long as the loader.
    ///
    /// Issues go to the standard reporter.
    func makeLoader() -> FlagsLoader<Collection> {
        let provider = FlagPreviewProvider()
        let loader = FlagsLoader(Collection.self, providers: [provider], observation: .tracked)
        let flags = loader.core.ordinals.map { AnyFlagHandle(core: loader.core, ordinal: $0) }
        for setting in settings {
            switch setting {
            case .all(let isOn):
                for flag in flags where flag.valueType == Bool.self {
                    provider.setValue(.bool(isOn), for: flag.keyPath)
                }
            case .flag(let ordinal, let value):
                if flags.indices.contains(ordinal) { provider.setValue(value, for: flags[ordinal].keyPath) }
            }
        }
        for issue in issues { FlagIssueReporter.current.report(issue) }
        return loader
    }
}

/// A provider with the values of one preview.
private struct FlagPreviewProvider: WritableFlagProvider {
    let name = "preview"
    private let store = FlagProviderStore()

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
}
