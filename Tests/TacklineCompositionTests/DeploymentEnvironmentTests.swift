import TacklineCore
import TacklineComposition
import TacklineTestSupport
import Testing

@Suite("A deployment environment")
struct DeploymentEnvironmentTests {
    @Test("on a device is production except in a debug build, and from TestFlight if the app opts in")
    func device() {
        // The receipt of App Review as well as of TestFlight. Without the opt-in it isn't looked up.
        for (isDebugBuild, receipt, isProduction) in [
            (false, nil, true), (false, "receipt", true), (false, "sandboxReceipt", false), (true, nil, false),
            (true, "receipt", false),
        ] as [(Bool, String?, Bool)] {
            let found = DeploymentEnvironment.device(isDebugBuild: isDebugBuild, receiptName: receipt)
            #expect(found == (isProduction ? .production : .nonProduction), "\(isDebugBuild) \(receipt ?? "")")
        }
    }

    @Test("on a server is decided by a variable, in which every text but one means production")
    func server() {
        #expect(DeploymentEnvironment.server(isDebugBuild: false, variable: nil) == .production)
        #expect(DeploymentEnvironment.server(isDebugBuild: true, variable: nil) == .nonProduction)
        for isDebugBuild in [false, true] {
            for text in ["production", "non-prodution", "NON-PRODUCTION", "", "true", "staging"] {
                #expect(DeploymentEnvironment.server(isDebugBuild: isDebugBuild, variable: text) == .production)
            }
            let found = DeploymentEnvironment.server(isDebugBuild: isDebugBuild, variable: "non-production")
            #expect(found == .nonProduction)
        }
    }

    @Test("admits overrides unless it is production, or if the one opt-in was called")
    func admission() {
        #expect(!DeploymentEnvironment.production.admitsOverrides)
        #expect(DeploymentEnvironment.nonProduction.admitsOverrides)
        #expect(DeploymentEnvironment.simulator.admitsOverrides)
        #expect(!DeploymentEnvironment(name: "staging", isProduction: true).admitsOverrides)
        #expect(DeploymentEnvironment(name: "staging", isProduction: false).admitsOverrides)
        let opened = DeploymentEnvironment.production.dangerouslyAdmittingOverridesInProduction()
        #expect(opened.admitsOverrides && opened.isProduction && opened != .production)
    }
}
