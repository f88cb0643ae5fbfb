/// Where the program runs: before customers or not.
///
/// In production a chain takes no provider that is marked as an override (``FlagOverrideProvider``). Loaders and managers
/// are made for an environment, by default the one that is ``detected``, and keep it for life.
///
/// ```swift
/// extension FlagEnvironment {
///     static let staging = FlagEnvironment(name: "staging", isProduction: false)
/// }
/// ```
public struct FlagEnvironment: Sendable, Hashable {
    /// The name for messages.
    public let name: String
    /// Whether customers use it.
    public let isProduction: Bool
    /// Whether it is a simulator of a device.
    public let isSimulator: Bool
    /// Whether chains take providers that are marked as overrides.
    public let admitsOverrides: Bool

    /// Makes an environment of your own.
    ///
    /// - Parameters:
    ///   - name: The name for messages.
    ///   - isProduction: Whether customers use it. Say `true` when in doubt.
    ///   - isSimulator: Whether it is a simulator of a device.
    public init(name: String, isProduction: Bool, isSimulator: Bool = false) {
        self.init(
            name: name, isProduction: isProduction, isSimulator: isSimulator, admitsOverrides: !isProduction)
    }

    private init(name: String, isProduction: Bool, isSimulator: Bool, admitsOverrides: Bool) {
        self.name = name
        self.isProduction = isProduction
        self.isSimulator = isSimulator
        self.admitsOverrides = admitsOverrides
    }

    /// Customers use it. No overrides.
    public static let production = FlagEnvironment(name: "production", isProduction: true)

    /// Only those who make the program use it.
    public static let nonProduction = FlagEnvironment(name: "non-production", isProduction: false)

    /// ``nonProduction`` on a simulator.
    public static let simulator = FlagEnvironment(name: "simulator", isProduction: false, isSimulator: true)

    /// Returns the environment with overrides let in, although customers use it.
    ///
    /// This is the one way to get an override into a chain in production. Search for its name to find every such place.
    public func dangerouslyAdmittingOverridesInProduction() -> FlagEnvironment {
        FlagEnvironment(name: name, isProduction: isProduction, isSimulator: isSimulator, admitsOverrides: true)
    }

    /// Whether a chain that is composed for the environment has the providers of a priority.
    ///
    /// Production has those below ``FlagPriority/testing``. Others have all, but those of exactly
    /// ``FlagPriority/simulator`` only on a simulator.
    public func includes(_ priority: FlagPriority) -> Bool {
        if isProduction { return priority < .testing }
        return isSimulator || priority != .simulator
    }
}

extension FlagEnvironment: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
