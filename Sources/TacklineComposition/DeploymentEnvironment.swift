public import TacklineCore

/// The environment in which the program runs, such as production.
///
/// In production a chain takes no overrides (``/TacklineCore/FlagProviderKind/override``). A loader or a manager keeps
/// the environment of the first of its chains that names one. Before that, it has the ``detected`` one. A later chain
/// that names another environment is installed without that environment, which is reported as
/// ``/TacklineCore/FlagError/Code/environmentRefused``. Only an environment that takes no overrides replaces one that
/// takes them.
///
/// ```swift
/// extension DeploymentEnvironment {
///     static let staging = DeploymentEnvironment(name: "staging", isProduction: false)
/// }
/// ```
public struct DeploymentEnvironment: Sendable, Equatable {
    /// The decision whether chains for the environment take overrides.
    package var admission: OverrideAdmission

    /// The name for messages.
    public var name: String { admission.environment }
    /// Whether customers use the program in this environment.
    public var isProduction: Bool { admission.isProduction }
    /// Whether the environment is a simulator of a device.
    public var isSimulator: Bool { admission.isSimulator }
    /// Whether chains take overrides.
    public var admitsOverrides: Bool { admission.admitsOverrides }

    /// Creates an environment of your own.
    ///
    /// - Parameters:
    ///   - name: The name for messages.
    ///   - isProduction: Whether customers use the program in this environment. In doubt, pass `true`.
    ///   - isSimulator: Whether the environment is a simulator of a device.
    public init(name: String, isProduction: Bool, isSimulator: Bool = false) {
        self.init(OverrideAdmission(environment: name, isProduction: isProduction, isSimulator: isSimulator))
    }

    package init(_ admission: OverrideAdmission) {
        self.admission = admission
    }

    /// An environment with customers, whose chains take no overrides.
    public static let production = DeploymentEnvironment(.production)

    /// An environment with only developers and testers, whose chains take overrides.
    public static let nonProduction = DeploymentEnvironment(.nonProduction)

    /// ``nonProduction`` on a simulator.
    public static let simulator = DeploymentEnvironment(.simulator)

    /// Returns a copy of the environment whose chains take overrides.
    ///
    /// This is the only way to put an override into a chain in production. Search for the method's name to find every
    /// such place.
    public func dangerouslyAdmittingOverridesInProduction() -> DeploymentEnvironment {
        var environment = self
        environment.admission.admitsOverrides = true
        return environment
    }

    /// Returns whether a chain for the environment has the providers of a priority.
    ///
    /// A production chain has the providers below ``FlagPriority/testing``. Other chains have all providers, but those
    /// of exactly ``FlagPriority/simulator`` only on a simulator.
    public func includes(_ priority: FlagPriority) -> Bool {
        if isProduction { return priority < .testing }
        return isSimulator || priority != .simulator
    }
}

extension DeploymentEnvironment {
    /// The environment of this process. It is detected once. In doubt it is ``production``.
    ///
    /// On Apple systems:
    /// 1. a simulator is ``simulator``;
    /// 2. a debug build is ``nonProduction``;
    /// 3. a build with the receipt `sandboxReceipt` is ``nonProduction`` if the app's Info.plist opts in
    ///    (``testFlightKey``). TestFlight has that receipt, and so has App Review. On macOS every receipt has the same
    ///    name, so the opt-in has no effect there;
    /// 4. anything else is ``production``. Environment variables and arguments are ignored.
    ///
    /// On other systems, where the person who starts the process also runs the service:
    /// 1. the environment variable `TACKLINE_ENVIRONMENT` decides: `non-production` is ``nonProduction``; any other
    ///    text, `production` or misspelt, is ``production``;
    /// 2. without it a debug build is ``nonProduction`` and a release build is ``production``.
    ///
    /// A debug build is one in which this library was built for debugging.
    public static let detected = DeploymentEnvironment(.detected)

    /// The name of the environment variable that decides on systems other than Apple's: `TACKLINE_ENVIRONMENT`.
    public static let variableName = OverrideAdmission.Evidence.variableName

    /// The key of an app's Info.plist that takes overrides in TestFlight, and so for App Review:
    /// `TacklineTakesOverridesInTestFlight`, a Boolean.
    public static let testFlightKey = OverrideAdmission.Evidence.testFlightKey
}

extension FlagsLoader {
    /// The environment of the loader's chain.
    public var environment: DeploymentEnvironment { DeploymentEnvironment(core.chain.given.admission) }
}

extension FlagsManager {
    /// The environment of the manager's chain.
    public var environment: DeploymentEnvironment { DeploymentEnvironment(admission) }
}

extension FlagGroup {
    /// The environment of the chain of the collection's loader, or `nil` if there is none.
    package var environment: DeploymentEnvironment? {
        (core?.chain.given.admission).map { DeploymentEnvironment($0) }
    }
}

extension DeploymentEnvironment: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
