/// Something that has to hold between the values of flags.
///
/// `FlagConstraint` of `TacklineTargeting` is one. What tries flags, such as `FlagCombinations` of `TacklineTesting`, takes any.
public protocol FlagValueConstraint: Sendable {
    /// What has to hold, in words, for messages.
    var name: String { get }

    /// The keys of the flags that it is about. Behind a point there may be a member of a flag that is an object.
    var flagKeys: Set<String> { get }

    /// Whether it holds for values by key. A flag without a value is null.
    func holds(for values: [String: EncodedFlagValue]) -> Bool
}
