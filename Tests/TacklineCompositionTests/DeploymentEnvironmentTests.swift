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
            let evidence = OverrideAdmission.Evidence(
                isDebugBuild: isDebugBuild,
                host: .device(isSimulator: isSimulator, receiptName: receipt, takesTestFlight: takesTestFlight))
            #expect(DeploymentEnvironment(OverrideAdmission(evidence)) == expected, "\(evidence)")
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
            let evidence = OverrideAdmission.Evidence(isDebugBuild: isDebugBuild, host: .server(variable: variable))
            #expect(DeploymentEnvironment(OverrideAdmission(evidence)) == expected, "\(evidence)")
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

    @Test("belongs to the loader or manager whose chain names it, and is the detected one otherwise")
    func environments() {
        let loader = FlagsLoader(CompositionGroup.self, providers: [])
        #expect(loader.environment == .detected && FlagsManager(providers: []).environment == .detected)
        let staging = DeploymentEnvironment(name: "staging", isProduction: true)
        let chain = ProviderChain(for: staging) { FixedProvider() }
        let deployed = FlagsLoader(CompositionGroup.self, providers: chain)
        let manager = FlagsManager(providers: chain)
        #expect(deployed.environment == staging && manager.environment == staging && "\(staging)" == "staging")
        deployed.providers = []
        #expect(deployed.environment == staging)
        #expect(manager.addCollection(CompositionGroup.self).environment == staging)
    }

    @Test("leaves overrides out of a composed chain without a report")
    func silently() {
        let log = IssueRecorder()
        let chain = ProviderChain(for: .production) {
            FixedOverride(); FixedProvider()
        }
        let flags = FlagsLoader(CompositionFlags.self, providers: chain, issueReporter: log.reporter)
        #expect(flags.providers.map(\.name) == ["fixed"] && log.issues.isEmpty)
    }

    @Test("includes only business priorities in production, and the simulator's only on a simulator")
    func priorities() {
        let all: [FlagPriority] = [.business, FlagPriority(50), .testing, .simulator, .localOverrides, .forced]
        #expect(all.filter { DeploymentEnvironment.production.includes($0) } == [.business, FlagPriority(50)])
        #expect(all.filter { DeploymentEnvironment.nonProduction.includes($0) } == all.filter { $0 != .simulator })
        #expect(all.filter { DeploymentEnvironment.simulator.includes($0) } == all)
    }
}
