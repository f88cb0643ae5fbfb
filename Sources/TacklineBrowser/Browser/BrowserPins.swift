import TacklineCore

/// The storage of the pinned flags.
struct BrowserPins {
    let storage: (any WritableFlagProvider)?

    /// The ids of the pinned flags, or `nil` if nothing readable is stored.
    var stored: [String]? {
        guard let value = storage?.value(for: FlagsBrowserConfiguration.pinsKey) else { return nil }
        return try? [String](encoded: value)
    }

    func store(_ pins: Set<String>) throws {
        let value: EncodedFlagValue? = pins.isEmpty ? Optional.none : .array(pins.sorted().map { .string($0) })
        try storage?.setValue(value, for: FlagsBrowserConfiguration.pinsKey)
    }
}
