import TacklineCLibrary

#if canImport(Darwin)
    // `Bundle` knows the receipt.
    import Foundation
#endif

/// The environment in which the program runs, such as production.
///
/// In production the chains of loaders and managers have no overrides (``FlagProviderTraits/override``).
///
/// ```swift
/// extension DeploymentEnvironment {
///     static let staging = DeploymentEnvironment(name: "staging", isProduction: false)
/// }
/// let flags = FlagsLoader(AppFlags.self, environment: .staging, providers: [overrides, remote])
/// ```
public struct DeploymentEnvironment: Sendable, Equatable, CustomStringConvertible {
    /// The name for messages.
    public let name: String
    /// Whether customers use the program in this environment.
    public let isProduction: Bool
    /// Whether the environment is a simulator of a device.
    public let isSimulator: Bool
    /// Whether chains have overrides.
    public private(set) var admitsOverrides: Bool
    /// The name.
    public var description: String { name }

    /// Creates an environment of your own. In doubt, pass `true` for `isProduction`.
    public init(name: String, isProduction: Bool, isSimulator: Bool = false) {
        (self.name, self.isProduction, self.isSimulator) = (name, isProduction, isSimulator)
        admitsOverrides = !isProduction
    }

    /// An environment with customers, whose chains have no overrides.
    public static let production = DeploymentEnvironment(name: "production", isProduction: true)

    /// An environment with only developers and testers.
    public static let nonProduction = DeploymentEnvironment(name: "non-production", isProduction: false)

    /// ``nonProduction`` on a simulator.
    public static let simulator = DeploymentEnvironment(name: "simulator", isProduction: false, isSimulator: true)

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
    public static let detected: DeploymentEnvironment = {
        #if targetEnvironment(simulator)
            return .simulator
        #elseif canImport(Darwin)
            let takesTestFlight = Bundle.main.object(forInfoDictionaryKey: testFlightKey) as? Bool ?? false
            return device(
                isDebugBuild: FlagIssueReporter.isDebugBuild, receiptName: takesTestFlight ? receiptName : nil)
        #else
            // `ProcessInfo` would copy all variables.
            let variable = unsafe getenv(variableName).map { unsafe String(cString: $0) }
            return server(isDebugBuild: FlagIssueReporter.isDebugBuild, variable: variable)
        #endif
    }()

    /// The name of the environment variable that decides on systems other than Apple's: `TACKLINE_ENVIRONMENT`.
    public static let variableName = "TACKLINE_ENVIRONMENT"

    /// The key of an app's Info.plist that takes overrides in TestFlight, and so for App Review:
    /// `TacklineTakesOverridesInTestFlight`, a Boolean.
    public static let testFlightKey = "TacklineTakesOverridesInTestFlight"

    /// Returns a copy of the environment whose chains have overrides.
    ///
    /// This is the only way to put an override into a chain in production. Search for the method's name to find every
    /// such place.
    public func dangerouslyAdmittingOverridesInProduction() -> DeploymentEnvironment {
        var environment = self
        environment.admitsOverrides = true
        return environment
    }
}

extension DeploymentEnvironment {
    /// Returns the environment of a process on an Apple device.
    ///
    /// - Parameter receiptName: The name of the app's receipt, or `nil` if the app doesn't opt in or has none.
    package static func device(isDebugBuild: Bool, receiptName: String?) -> DeploymentEnvironment {
        isDebugBuild || receiptName == "sandboxReceipt" ? .nonProduction : .production
    }

    /// Returns the environment of a process on another system.
    ///
    /// - Parameter variable: The value of the environment variable, or `nil` if it is not set.
    package static func server(isDebugBuild: Bool, variable: String?) -> DeploymentEnvironment {
        variable.map { $0 == "non-production" } ?? isDebugBuild ? .nonProduction : .production
    }

    #if canImport(Darwin)
        /// Read by name, because the property is deprecated in favor of an asynchronous call to the App Store, and a
        /// loader can't wait for that.
        private static var receiptName: String? {
            let property = "appStoreReceiptURL"
            guard Bundle.main.responds(to: NSSelectorFromString(property)) else { return nil }
            return (Bundle.main.value(forKey: property) as? URL)?.lastPathComponent
        }
    #endif
}
