/// The position of a provider in the chain of a deployment environment. The provider with the highest priority is asked
/// first.
///
/// The predefined priorities leave room for your own:
///
/// ```swift
/// extension FlagPriority {
///     static let demo = FlagPriority(250)     // between the simulator's values and local overrides
/// }
/// ```
public struct FlagPriority: RawRepresentable, Sendable, Hashable, Comparable {
    /// The number. A provider with a higher number is asked earlier.
    public let rawValue: Int

    /// Creates a priority of your own.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Creates a priority of your own.
    public init(_ rawValue: Int) { self.init(rawValue: rawValue) }

    /// The values that the business decides: configurations in code and remote providers. The number is 0. It is the
    /// default for a provider that is no override.
    public static let business = FlagPriority(0)
    /// Values for testing. The number is 100.
    public static let testing = FlagPriority(100)
    /// Values for a simulator. The number is 200.
    public static let simulator = FlagPriority(200)
    /// Values that people set on this device. The number is 300. It is the default for an override.
    public static let localOverrides = FlagPriority(300)
    /// Values that no other provider may change. The number is 400.
    public static let forced = FlagPriority(400)

    /// Returns whether a provider of the left priority is asked after one of the right priority.
    public static func < (left: FlagPriority, right: FlagPriority) -> Bool { left.rawValue < right.rawValue }
}

extension FlagPriority: CustomStringConvertible {
    /// The name of a predefined priority, such as `local overrides`, or the number.
    public var description: String {
        switch self {
        case .business: "business"
        case .testing: "testing"
        case .simulator: "simulator"
        case .localOverrides: "local overrides"
        case .forced: "forced"
        default: "\(rawValue)"
        }
    }
}
