/// One of the values that a flag can have.
public struct FlagsBrowserOption: Sendable, Hashable, Codable, Identifiable {
    /// The name of the case in the source.
    public var label: String
    /// The value.
    public var value: FlagsBrowserValue

    /// Makes an option.
    public init(label: String, value: FlagsBrowserValue) {
        self.label = label
        self.value = value
    }

    /// The value's text. No two options of a flag have the same.
    public var id: String { value.input ?? value.text }
}
