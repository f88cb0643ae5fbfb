/// An encoded value that a flag's type refuses.
public struct FlagValueError: Error, Sendable, Hashable {
    /// What the type takes, as it reads in a sentence: "an integer from 0 to 255".
    public var expected: String
    /// What was there.
    public var found: EncodedFlagValue
    /// Where inside the value, from the outermost member or index inwards: `["limits", "2"]`. Empty for the value itself.
    public var path: [String]

    /// Makes an error for a value that is refused.
    public init(expected: String, found: EncodedFlagValue, path: [String] = []) {
        self.expected = expected
        self.found = found
        self.path = path
    }
}
