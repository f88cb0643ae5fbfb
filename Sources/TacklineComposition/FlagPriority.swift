public import TacklineCore

/// The position of a provider in a chain. The provider with the highest priority is asked first.
///
/// ```swift
/// let chain = FlagPriority.sorted([(overrides, .localOverrides), (remote, .business), (testValues, .testing)])
/// let flags = FlagsLoader(AppFlags.self, providers: chain)
/// ```
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

    /// The values that the business decides: configurations in code and remote providers. The number is 0.
    public static let business = FlagPriority(0)
    /// Values for testing. The number is 100.
    public static let testing = FlagPriority(100)
    /// Values for a simulator. The number is 200.
    public static let simulator = FlagPriority(200)
    /// Values that people set on this device. The number is 300.
    public static let localOverrides = FlagPriority(300)
    /// Values that no other provider may change. The number is 400.
    public static let forced = FlagPriority(400)

    /// Returns the providers with the highest priority first. Those of equal priority keep their order.
    public static func sorted(_ providers: [(any FlagProvider, FlagPriority)]) -> [any FlagProvider] {
        providers.reduce(into: [(any FlagProvider, FlagPriority)]()) { sorted, provider in
            sorted.insert(provider, at: sorted.firstIndex { $0.1 < provider.1 } ?? sorted.endIndex)
        }.map(\.0)
    }

    /// Returns whether a provider of the left priority is asked after one of the right priority.
    public static func < (left: FlagPriority, right: FlagPriority) -> Bool { left.rawValue < right.rawValue }
}

extension DeploymentEnvironment {
    /// Returns whether a chain for the environment should have the providers of a priority:
    /// `FlagPriority.sorted(list.filter { environment.includes($0.1) })`.
    ///
    /// In production those are the priorities below ``FlagPriority/testing``, elsewhere all of them, but
    /// ``FlagPriority/simulator`` only on a simulator. A loader leaves overrides out of production's chain by itself.
    public func includes(_ priority: FlagPriority) -> Bool {
        if isProduction { return priority < .testing }
        return isSimulator || priority != .simulator
    }
}
