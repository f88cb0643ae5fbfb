import TacklineCore
import TacklineComposition
import TacklineTestSupport
import Testing

@Suite("A deployment environment")
struct DeploymentEnvironmentTests {
    @Test("on a device is production except on a simulator, in a debug build, and from TestFlight if the app opts in")
    func device() {
        let cases: [(Bool, Bool, String?, Bool, DeploymentEnvironment)] = [
            (false, false, nil, false, DeploymentEnvironment.production),
            (false, false, "receipt", false, .production),
            (false, false, "receipt", true, .production),
            (false, false, nil, true, .production),
            // The receipt of App Review as well as of TestFlight.
            (false, false, "sandboxReceipt", false, .production),
            (false, false, "sandboxReceipt", true, .nonProduction),
            (true, false, nil, false, .nonProduction),
            (true, false, "receipt", false, .nonProduction),
            (false, true, nil, false, .simulator),
            (true, true, "receipt", false, .simulator),
        ]
        for (isDebugBuild, isSimulator, receipt, takesTestFlight, expected) in cases {
            let evidence = DeploymentEnvironment.Evidence(
                isDebugBuild: isDebugBuild,
                host: .device(isSimulator: isSimulator, receiptName: receipt, takesTestFlight: takesTestFlight))
            #expect(DeploymentEnvironment(evidence) == expected, "\(evidence)")
        }
    }

    @Test("on a server is decided by a variable, in which every text but one means production")
    func server() {
        let cases: [(Bool, String?, DeploymentEnvironment)] = [
            (false, nil, DeploymentEnvironment.production),
            (true, nil, .nonProduction),
            (false, "non-production", .nonProduction),
            (true, "production", .production),
            (true, "non-prodution", .production),
            (false, "NON-PRODUCTION", .production),
            (true, "", .production),
            (false, "true", .production),
            (false, "staging", .production),
        ]
        for (isDebugBuild, variable, expected) in cases {
            let evidence = DeploymentEnvironment.Evidence(isDebugBuild: isDebugBuild, host: .server(variable: variable))
            #expect(DeploymentEnvironment(evidence) == expected, "\(evidence)")
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
