import Foundation
import TacklineCore
import TacklineLaunchGuard
import TacklineOverrides
import TacklineRemoteJSON
import TacklineTestSupport
import Testing

// The code of the guide "An app that heals itself", so that it keeps compiling.

private struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A new start page") var newStart: Bool
}

private func start(support: URL, file: any WritableFlagProvider, url: URL) {
    let launches = LaunchGuard(folder: support.appending(path: "launches"))
    let overrides = launches.guarding(FlagOverrides(storage: file))
    let remote = launches.guarding(RemoteJSONProvider(url: url))
    let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])

    remote.base.start()
    _ = flags.newStart
    launches.markHealthy()
}

@Suite("The guide to guarded launches") struct LaunchGuardSampleTests {
    @Test("shows code that compiles")
    func pieces() throws {
        let samples = try GuideSamples(
            guide: "LaunchGuard.md", compiledIn: ["Tests/TacklineLaunchGuardTests/LaunchGuardSamples.swift"])
        #expect(samples.pieces.count == 2)
        #expect(samples.piecesThatAreNotCompiled == [])
    }
}
