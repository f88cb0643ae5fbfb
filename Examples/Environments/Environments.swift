import Foundation
import Tackline
import TacklineLoopback
import TacklineRemoteJSON

/// The same app in production and in test builds, and an override that is put into production's chain.
@main
struct Environments {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tackline-shop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let overridesFile = folder.appending(path: "overrides.json")

        // A web server on this machine stands in for the CDN.
        let documents = LoopbackDocuments()
        documents.setDocument(path: "/flags.json", text: #"{ "reviews": true, "attempts": 4 }"#)
        let server = try LoopbackServer(documents: documents)
        defer { server.stop() }
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        let remote = RemoteJSONProvider(
            url: server.url(path: "/flags.json"), name: "remote", configuration: configuration)
        _ = try await remote.refresh()

        print("1. A test build: somebody overrides a flag on their device")
        let testBuild = Shop(environment: .nonProduction, remote: remote, overridesFile: overridesFile)
        let newCheckout = testBuild.flags.features.handle(of: .newCheckout)
        try newCheckout?.setValue(false, in: testBuild.overrides)
        testBuild.show()
        let report = try testBuild.overrides.exportBundle()

        print("\n2. The same on a simulator")
        let simulator = Shop(environment: .simulator, remote: remote, overridesFile: overridesFile)
        simulator.show()

        print("\n3. The same in production, with the file that the test build left behind")
        let production = Shop(environment: .production, remote: remote, overridesFile: overridesFile)
        production.show()

        print("\n4. Attempts to override a flag in production")
        attempt("write it") { try production.overrides.setValue(false, for: "new_checkout") }
        attempt("import a tester's bundle") { try production.overrides.importBundle(report) }
        print("  put the test build's layer at the start of the chain")
        production.flags.providers.insert(testBuild.overrides, at: 0)
        production.show()

        print("\n5. The one way to have overrides in production says what it is")
        let open = DeploymentEnvironment.production.dangerouslyAdmittingOverridesInProduction()
        let flags = FlagsLoader(
            ShopFlags.self, environment: open, providers: [testBuild.overrides, remote])
        print("  new_checkout = \(flags.features.isEnabled(.newCheckout)), from \(flags.providers[0].name)")
    }

    private static func attempt(_ what: String, _ action: () throws -> Void) {
        do {
            try action()
            print("  \(what): done")
        } catch {
            print("  \(what): \(error)")
        }
    }
}
