import TacklineCLibrary

#if canImport(Darwin) || !(canImport(Glibc) || canImport(Musl))
    // `Bundle` knows the receipt, and `ProcessInfo` the environment variables.
    import Foundation
#endif

/// The decision whether a chain takes overrides (``FlagProviderKind/override``).
///
/// A chain uses ``detected`` unless it was composed for a deployment environment, so the default is safe.
package struct OverrideAdmission: Sendable, Equatable {
    package var admitsOverrides: Bool
    /// The name of the deployment environment, for messages.
    package let environment: String
    /// Whether the program is used by customers.
    package let isProduction: Bool
    /// Whether the program runs on a simulator of a device.
    package let isSimulator: Bool

    package init(environment: String, isProduction: Bool, isSimulator: Bool) {
        self.environment = environment
        self.isProduction = isProduction
        self.isSimulator = isSimulator
        admitsOverrides = !isProduction
    }

    /// The decision for this process. Overrides are taken only if it certainly is not production.
    package static let detected = OverrideAdmission(Evidence.current)

    package static let production = OverrideAdmission(environment: "production", isProduction: true, isSimulator: false)
    package static let nonProduction = OverrideAdmission(
        environment: "non-production", isProduction: false, isSimulator: false)
    package static let simulator = OverrideAdmission(environment: "simulator", isProduction: false, isSimulator: true)

    /// Creates the decision from facts about a process. In doubt it is production.
    ///
    /// On Apple systems a simulator and a debug build are not production, and nor is a build with the receipt
    /// `sandboxReceipt` of an app that opts in. Without the opt-in such a build is production, because App Review has
    /// that receipt, too. On other systems, where the person who starts the process also runs the
    /// service, the environment variable decides, and without it the kind of build.
    package init(_ evidence: Evidence) {
        self =
            switch evidence.host {
            case .device(isSimulator: true, _, _): .simulator
            case .device(_, receiptName: "sandboxReceipt"?, takesTestFlight: true): .nonProduction
            case .server(variable: "non-production"?): .nonProduction
            case .server(variable: .some): .production
            case .device, .server(variable: nil): evidence.isDebugBuild ? .nonProduction : .production
            }
    }

    /// The facts about a process that the decision depends on.
    package struct Evidence: Sendable, Equatable {
        package enum Host: Sendable, Hashable {
            /// An Apple system. Environment variables and arguments are ignored there.
            ///
            /// `takesTestFlight` is the opt-in of the app, the key ``testFlightKey`` of its Info.plist.
            case device(isSimulator: Bool, receiptName: String?, takesTestFlight: Bool)
            /// Any other system, with the value of the environment variable, or `nil` if it is not set.
            case server(variable: String?)
        }

        package var isDebugBuild: Bool
        package var host: Host

        package init(isDebugBuild: Bool, host: Host) {
            self.isDebugBuild = isDebugBuild
            self.host = host
        }

        /// The environment variable that decides on servers.
        package static let variableName = "TACKLINE_ENVIRONMENT"

        /// The key of an app's Info.plist that takes overrides in TestFlight.
        package static let testFlightKey = "TacklineTakesOverridesInTestFlight"

        package static var current: Evidence {
            #if DEBUG
                Evidence(isDebugBuild: true, host: host)
            #else
                Evidence(isDebugBuild: false, host: host)
            #endif
        }

        private static var host: Host {
            #if canImport(Darwin)
                #if targetEnvironment(simulator)
                    return .device(isSimulator: true, receiptName: nil, takesTestFlight: false)
                #else
                    let takesTestFlight = Bundle.main.object(forInfoDictionaryKey: testFlightKey) as? Bool ?? false
                    return .device(
                        isSimulator: false, receiptName: takesTestFlight ? receiptName : nil,
                        takesTestFlight: takesTestFlight)
                #endif
            #elseif canImport(Glibc) || canImport(Musl)
                // `ProcessInfo` would copy all variables.
                return .server(variable: unsafe getenv(variableName).map { unsafe String(cString: $0) })
            #else
                return .server(variable: ProcessInfo.processInfo.environment[variableName])
            #endif
        }

        #if canImport(Darwin)
            /// Read by name, because the property is deprecated in favor of an asynchronous call to the App Store, and
            /// a loader can't wait for that.
            private static var receiptName: String? {
                let property = "appStoreReceiptURL"
                guard Bundle.main.responds(to: NSSelectorFromString(property)) else { return nil }
                return (Bundle.main.value(forKey: property) as? URL)?.lastPathComponent
            }
        #endif
    }
}

extension FlagError.Code {
    /// A chain that names another environment than that of its loader or manager, which keeps its own.
    public static let environmentRefused = FlagError.Code("environment-refused")
}
