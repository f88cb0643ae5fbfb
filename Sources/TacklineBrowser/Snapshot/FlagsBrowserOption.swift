/// One of the values that a flag can have.
public struct FlagsBrowserOption: Sendable, Hashable, Codable, Identifiable {
    /// The name of the case in the source code.
    public var label: String
    /// The value.
    public var value: FlagsBrowserValue

    /// Creates an option.
    public init(label: String, value: FlagsBrowserValue) {
        self.label = label
        self.value = value
    }

    /// The value's text. Two options of a flag never have the same id.
    public var id: String { value.input ?? value.text }
}
