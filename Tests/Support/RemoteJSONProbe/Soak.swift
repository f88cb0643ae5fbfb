import Foundation
import Synchronization
import TacklineCore
import TacklineRemoteJSON

/// Refreshes and reconnects a stream again and again, and prints what that costs.
struct Soak {
    let refreshes: Int
    let reconnects: Int

    init(arguments: ArraySlice<String>) {
        let numbers = arguments.compactMap { Int($0) }
        refreshes = numbers.first ?? 10_000
        reconnects = numbers.dropFirst().first ?? 5
    }

    func run() async throws {
        let server = try SoakServer.start()
        let folder = FileManager.default.temporaryDirectory.appending(path: "tackline-soak-\(UUID().uuidString)")
        defer {
            try? FileManager.default.removeItem(at: folder)
            try? server.input.fileHandleForWriting.close()
        }
        try await refresh(server.url, folder)
        try await reconnect(server.url)
    }

    private func refresh(_ url: URL, _ folder: URL) async throws {
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .directory(folder)
        configuration.minimumRefreshGap = .zero
        let provider = RemoteJSONProvider(url: url.appending(path: "flags.json"), configuration: configuration)
        let start = ContinuousClock.now
        for index in 0...refreshes {
            try await provider.refresh()
            if index % max(refreshes / 10, 1) == 0 { print("refreshes \(index): \(Figures())") }
        }
        print("refreshes took \(ContinuousClock.now - start)")
    }

    private func reconnect(_ url: URL) async throws {
        let (losses, loss) = AsyncStream.makeStream(of: Void.self)
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        configuration.streamURL = url.appending(path: "events")
        configuration.randomNumber = { 0 }
        configuration.log = { if $0.contains("the stream was lost") { loss.yield() } }
        let provider = RemoteJSONProvider(url: url.appending(path: "flags.json"), configuration: configuration)
        provider.start()
        var count = 0
        for await _ in losses {
            count += 1
            if count % max(reconnects / 10, 1) == 0 { print("reconnects \(count): \(Figures())") }
            if count >= reconnects { break }
        }
        provider.stop()
    }
}
