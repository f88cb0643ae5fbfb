public import TacklineCore

/// How early a provider is asked, where a chain is ordered by priority: the highest first.
///
/// The named ones leave room between them for your own:
///
/// ```swift
/// extension FlagPriority {
///     static let demo = FlagPriority(250)     // between the simulator's values and local overrides
/// }
/// ```
public struct FlagPriority: RawRepresentable, Sendable, Hashable, Comparable {
    /// The number; a higher one is asked earlier.
    public let rawValue: Int

    /// Makes a priority of your own.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Makes a priority of your own.
    public init(_ rawValue: Int) { self.init(rawValue: rawValue) }

    /// The values that the business decides: configurations in code and remote providers. 0, which is
    /// also the priority of a provider that states none.
    public static let business = FlagPriority(0)
    /// Values for testing. 100.
    public static let testing = FlagPriority(100)
    /// Values for a simulator. 200.
    public static let simulator = FlagPriority(200)
    /// What somebody changed on this device. 300.
    public static let localOverrides = FlagPriority(300)
    /// Values that nothing else may change. 400.
    public static let forced = FlagPriority(400)

    /// Whether the left priority is asked after the right one.
    public static func < (left: FlagPriority, right: FlagPriority) -> Bool { left.rawValue < right.rawValue }
}

extension FlagPriority: CustomStringConvertible {
    /// The name of a predefined priority, such as `local overrides`; otherwise the number.
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

/// A provider that knows its place where a chain is ordered by priority.
///
/// One that does not conform has ``FlagPriority/business``, unless the chain is told otherwise.
public protocol PrioritizedFlagProvider: FlagProvider {
    /// How early it is asked. It never changes.
    var priority: FlagPriority { get }
}
