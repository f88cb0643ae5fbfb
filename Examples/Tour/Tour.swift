import Foundation
import Tackline
import TacklineLoopback
import TacklineRemoteJSON

/// The main job on real input: a file, a web server and region defaults answer for one collection of flags.
@main
struct Tour {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tackline-tour-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "overrides.json")

        // A web server on this machine stands in for the CDN.
        let documents = LoopbackDocuments()
        documents.setDocument(
            path: "/flags.json", text: #"{ "theme": "dark", "max_attempts": 300, "secrets": { "boom_feature": true } }"#
        )
        let server = try LoopbackServer(documents: documents)
        defer { server.stop() }

        print("1. Three providers, asked from the first to the last, and the flags' own defaults")
        let overrides = LocalProvider(file: file, name: "overrides")
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .directory(folder.appending(path: "cache"))
        let remote = RemoteJSONProvider(
            url: server.url(path: "/flags.json"), name: "remote", configuration: configuration)
        let regionDefaults = MemoryProvider(name: "region defaults", values: ["max_attempts": 5])
        let user = FlagsLoader(
            UserExperiments.self,
            description: .init(name: "User features", description: "Experimental lab"),
            providers: [overrides, remote, regionDefaults])
        try user.validate()
        _ = try await remote.refresh()
        Table(user.root.allFlags).show()

        print("\n2. The server holds 300 for a UInt8, so the next provider was asked")
        print(indented(user.$maxAttempts.explain()))

        print("\n3. The document changes on the server, and the change arrives")
        documents.setDocument(path: "/flags.json", text: #"{ "sson": true, "theme": "light", "max_attempts": 7 }"#)
        let before = user.snapshot()
        if case .changed(let keys) = try await remote.refresh() {
            print("  changed: \(keys.map(\.text).sorted().joined(separator: ", "))")
        }
        for change in user.snapshot().difference(from: before) { print(indented(change)) }
        print("  asked again: \(try await remote.refresh())")

        print("\n4. An override is written to the local file")
        try user.$allowsSSON.setValue(false, providers: [LocalProvider.self])
        print(
            "  allowsSSON is \(user.allowsSSON) now; the server says \(say(user.$allowsSSON.flagValue(from: remote)))"
        )
        print(indented(try String(contentsOf: file, encoding: .utf8)))

        print("\n5. A second loader, as after a relaunch, finds the override in the file")
        let relaunched = FlagsLoader(
            UserExperiments.self, providers: [LocalProvider(file: file, name: "overrides"), remote, regionDefaults])
        print("  allowsSSON is \(relaunched.allowsSSON), from \(relaunched.$allowsSSON.resolution().source)")

        print("\n6. Reset: the server's value is back")
        try user.$allowsSSON.resetValue(in: overrides)
        print(indented(user.$allowsSSON.explain()))
    }

    private static func say(_ value: Bool?) -> String {
        value.map { "\($0)" } ?? "nothing"
    }

    private static func indented(_ text: some CustomStringConvertible) -> String {
        text.description.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}
