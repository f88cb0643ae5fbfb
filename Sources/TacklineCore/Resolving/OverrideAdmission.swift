#if canImport(Darwin)
    // Foundation: `Bundle` knows the receipt.
    import Foundation
#elseif canImport(FoundationEssentials)
    // Foundation: `ProcessInfo` knows the environment variables.
    import FoundationEssentials
#else
    import Foundation
#endif

/// Whether a chain takes providers that are marked as overrides (``FlagOverrideProvider``).
///
/// A chain goes by ``detected`` unless it was composed for a deployment environment, so what is forgotten is safe.
package struct OverrideAdmission: Sendable, Equatable {
    package var admitsOverrides: Bool
    /// The name of the deployment environment, for messages.
    package let environment: String
    /// Whether customers use the program.
    package let isProduction: Bool
    /// Whether it runs on a simulator of a device.
    package let isSimulator: Bool

    package init(environment: String, isProduction: Bool, isSimulator: Bool) {
        self.environment = environment
        self.isProduction = isProduction
        self.isSimulator = isSimulator
        admitsOverrides = !isProduction
    }

    /// What is detected from the process, once. Overrides are taken only where it is surely not production.
    package static let detected = OverrideAdmission(Evidence.current)

    package static let production = OverrideAdmission(environment: "production", isProduction: true, isSimulator: false)
    package static let nonProduction = OverrideAdmission(
        environment: "non-production", isProduction: false, isSimulator: false)
    package static let simulator = OverrideAdmission(environment: "simulator", isProduction: false, isSimulator: true)

    /// Decides by what is known of a process; in doubt it is production.
    ///
    /// On Apple systems a simulator, a debug build, and a build from TestFlight, which has the receipt `sandboxReceipt`,
    /// are no production. macOS names every receipt alike, so there TestFlight is not told from the App Store. Elsewhere,
    /// where the one who starts the process is the one who runs the service, the variable decides, and without it the
    /// build.
    package init(_ evidence: Evidence) {
        self =
            switch evidence.host {
            case .device(isSimulator: true, _): .simulator
            case .device(_, receiptName: "sandboxReceipt"?), .server(variable: "non-production"?): .nonProduction
            case .server(variable: .some): .production
            case .device, .server(variable: nil): evidence.isDebugBuild ? .nonProduction : .production
            }
    }

    /// What is known of a process.
    package struct Evidence: Sendable, Equatable {
        package enum Host: Sendable, Hashable {
            /// An Apple system. It has no place for variables or arguments: they do not count there.
            case device(isSimulator: Bool, receiptName: String?)
            /// Any other system, with the value of the environment variable; `nil` if it is not set.
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
                    return .device(isSimulator: true, receiptName: nil)
                #else
                    return .device(isSimulator: false, receiptName: receiptName)
                #endif
            #else
                return .server(variable: ProcessInfo.processInfo.environment[variableName])
            #endif
        }

        #if canImport(Darwin)
            /// Asked by name, since the property is deprecated in favour of an asynchronous call to the App Store, which
            /// cannot be waited for when a loader is made.
            private static var receiptName: String? {
                let property = "appStoreReceiptURL"
                guard Bundle.main.responds(to: NSSelectorFromString(property)) else { return nil }
                return (Bundle.main.value(forKey: property) as? URL)?.lastPathComponent
            }
        #endif
    }
}

extension FlagIssue.Code {
    /// A provider that is marked as an override was left out of a chain in production.
    public static let overrideRefused = FlagIssue.Code("override-refused")
}
