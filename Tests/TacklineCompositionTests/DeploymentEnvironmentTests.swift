import TacklineCore
import TacklineComposition
import TacklineTestSupport
import Testing

@Suite("A deployment environment")
struct DeploymentEnvironmentTests {
    @Test("on a device is production except in a debug build, and from TestFlight if the app opts in")
    func device() {
        let cases: [(Bool, String?, DeploymentEnvironment)] = [
            (false, nil, DeploymentEnvironment.production), (false, "receipt", .production),
            // The receipt of App Review as well as of TestFlight. Without the opt-in it isn't looked up.
            (false, "sandboxReceipt", .nonProduction), (true, nil, .nonProduction), (true, "receipt", .nonProduction),
        ]
        for (isDebugBuild, receipt, expected) in cases {
            let found = DeploymentEnvironment.device(isDebugBuild: isDebugBuild, receiptName: receipt)
            #expect(found == expected, "\(isDebugBuild) \(receipt ?? "")")
        }
    }

    @Test("on a server is decided by a variable, in which every text but one means production")
    func server() {
        let cases: [(Bool, String?, DeploymentEnvironment)] = [
            (false, nil, DeploymentEnvironment.production), (true, nil, .nonProduction),
            (false, "non-production", .nonProduction), (true, "production", .production),
            (true, "non-prodution", .production), (false, "NON-PRODUCTION", .production), (true, "", .production),
            (false, "true", .production), (false, "staging", .production),
        ]
        for (isDebugBuild, variable, expected) in cases {
            let found = DeploymentEnvironment.server(isDebugBuild: isDebugBuild, variable: variable)
            #expect(found == expected, "\(isDebugBuild) \(variable ?? "")")
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
