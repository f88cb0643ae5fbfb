import Foundation
import Tackline
import TacklineRemoteJSON

// The code of the guide "Remote values from a JSON document", so that it keeps compiling.

private struct UserExperiments: FlagCollectionProtocol {
    @Flag(key: "sson", default: false, description: "Enable single sign-on") var allowsSSON: Bool
}

private struct Session: Sendable {
    func bearerToken() async throws -> String { "" }
}

private func followServer(url: URL, overrides: MemoryProvider, regionDefaults: MemoryProvider) async {
    let remote = RemoteJSONProvider(url: url)
    let user = FlagsLoader(UserExperiments.self, providers: [overrides, remote, regionDefaults])

    remote.start()
    await remote.waitUntilReady()
    _ = user.allowsSSON
}

private func configure(folder: URL, session: Session, log: @escaping @Sendable (String) -> Void) {
    var configuration = RemoteJSONConfiguration()
    configuration.bootstrap = FlagDocument(["sson": false])
    configuration.cache = .directory(folder)
    configuration.authorization = { try await session.bearerToken() }
    configuration.log = { line in log("\(line)") }
    configuration.transport = URLSessionTransport()
    #if canImport(FoundationNetworking)
        configuration.transport = CurlTransport(authorities: "/etc/flags/ca.pem")
    #endif
}
