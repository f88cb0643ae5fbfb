public import TacklineCore

/// Where the program runs: before customers or not.
///
/// In production a chain takes no provider that is marked as an override (``/TacklineCore/FlagOverrideProvider``). Loaders and managers
/// are made for an environment, by default the one that is ``detected``, and keep it for life.
///
/// ```swift
/// extension DeploymentEnvironment {
///     static let staging = DeploymentEnvironment(name: "staging", isProduction: false)
/// }
/// ```
public struct DeploymentEnvironment: Sendable, Equatable {
    /// What chains that are composed for the environment do with overrides.
    package var admission: OverrideAdmission

    /// The name for messages.
    public var name: String { admission.environment }
    /// Whether customers use it.
    public var isProduction: Bool { admission.isProduction }
    /// Whether it is a simulator of a device.
    public var isSimulator: Bool { admission.isSimulator }
    /// Whether chains take providers that are marked as overrides.
    public var admitsOverrides: Bool { admission.admitsOverrides }

    /// Makes an environment of your own.
    ///
    /// - Parameters:
    ///   - name: The name for messages.
    ///   - isProduction: Whether customers use it. Say `true` when in doubt.
    ///   - isSimulator: Whether it is a simulator of a device.
    public init(name: String, isProduction: Bool, isSimulator: Bool = false) {
        self.init(OverrideAdmission(environment: name, isProduction: isProduction, isSimulator: isSimulator))
    }

    package init(_ admission: OverrideAdmission) {
        self.admission = admission
    }

    /// An environment that customers use. Its chains take no overrides.
    public static let production = DeploymentEnvironment(.production)

    /// An environment that only the program's developers and testers use. Its chains take overrides.
    public static let nonProduction = DeploymentEnvironment(.nonProduction)

    /// ``nonProduction`` on a simulator.
    public static let simulator = DeploymentEnvironment(.simulator)

    /// Returns the environment with overrides let in, although customers use it.
    ///
    /// This is the one way to get an override into a chain in production. Search for its name to find every such place.
    public func dangerouslyAdmittingOverridesInProduction() -> DeploymentEnvironment {
        var environment = self
        environment.admission.admitsOverrides = true
        return environment
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

extension DeploymentEnvironment {
    /// The environment of this process, detected once. In doubt it is ``production``.
    ///
    /// On Apple systems:
    /// 1. a simulator is ``simulator``;
    /// 2. a debug build is ``nonProduction``;
    /// 3. a build from TestFlight, which has the receipt `sandboxReceipt`, is ``nonProduction``; macOS names every
    ///    receipt alike, so there it is not told from the App Store;
    /// 4. anything else is ``production``. Environment variables and arguments are not looked at.
    ///
    /// Elsewhere, where the one who starts the process is the one who runs the service:
    /// 1. the environment variable `TACKLINE_ENVIRONMENT` decides: `non-production` is ``nonProduction``; any other
    ///    text, `production` or misspelt, is ``production``;
    /// 2. without it a debug build is ``nonProduction`` and a release build is ``production``.
    ///
    /// A debug build is one in which this library was built for debugging.
    public static let detected = DeploymentEnvironment(.detected)

    /// The name of the environment variable that decides on servers.
    public static let variableName = OverrideAdmission.Evidence.variableName
}

extension FlagsLoader {
    /// Where the program runs, as its first chain said that named an environment; else what is detected.
    public var environment: DeploymentEnvironment { DeploymentEnvironment(core.resolver.chain.given.admission) }
}

extension FlagsManager {
    /// Where the program runs, as its first chain said that named an environment; else what is detected.
    public var environment: DeploymentEnvironment { DeploymentEnvironment(admission) }
}

extension FlagGroup {
    /// Where the program runs, as the collection's loader was told; `nil` if it has none.
    package var environment: DeploymentEnvironment? {
        (core?.resolver.chain.given.admission).map { DeploymentEnvironment($0) }
    }
}

extension DeploymentEnvironment: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
