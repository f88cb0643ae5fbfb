#if canImport(Darwin)
    // Foundation: `Bundle` knows the receipt.
    import Foundation
#elseif canImport(FoundationEssentials)
    // Foundation: `ProcessInfo` knows the environment variables.
    import FoundationEssentials
#else
    import Foundation
#endif

extension FlagEnvironment {
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
    public static let detected = FlagEnvironment(evidence: .current)

    /// The name of the environment variable that decides on servers.
    public static let variableName = "TACKLINE_ENVIRONMENT"

    package init(evidence: FlagEnvironmentEvidence) {
        switch evidence.host {
        case .device(let isSimulator, let receiptName):
            if isSimulator {
                self = .simulator
            } else {
                self = evidence.isDebugBuild || receiptName == "sandboxReceipt" ? .nonProduction : .production
            }
        case .server(let variable):
            if let variable {
                self = variable == FlagEnvironment.nonProduction.name ? .nonProduction : .production
            } else {
                self = evidence.isDebugBuild ? .nonProduction : .production
            }
        }
    }
}

/// What detection goes by.
package struct FlagEnvironmentEvidence: Sendable, Hashable {
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

    package static var current: FlagEnvironmentEvidence {
        #if DEBUG
            let isDebugBuild = true
        #else
            let isDebugBuild = false
        #endif
        return FlagEnvironmentEvidence(isDebugBuild: isDebugBuild, host: host)
    }

    private static var host: Host {
        #if canImport(Darwin)
            #if targetEnvironment(simulator)
                return .device(isSimulator: true, receiptName: nil)
            #else
                return .device(isSimulator: false, receiptName: receiptName)
            #endif
        #else
            return .server(variable: ProcessInfo.processInfo.environment[FlagEnvironment.variableName])
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
