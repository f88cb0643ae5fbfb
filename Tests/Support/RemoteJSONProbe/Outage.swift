import Foundation
import TacklineCore
import TacklineRemoteJSON

/// A real nginx that is stopped and started under many providers, each with a transport of its own.
///
/// It prints how many requests came in each second after the return, and when every provider had the new values. It ends
/// with status 1 if one second had more than half of the providers' requests, or if a provider had the old values after a
/// minute.
struct Outage {
    private let executable: URL
    private let count: Int
    private let outage: Duration
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tackline-outage-\(getpid())")
    private let port = Int.random(in: 20_000..<32_000)

    init(arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard let path = arguments.first else { throw CocoaError(.fileNoSuchFile) }
        executable = URL(filePath: path)
        count = arguments.dropFirst().first.flatMap { Int($0) } ?? 200
        outage = .seconds(arguments.dropFirst(2).first.flatMap { Int($0) } ?? 60)
    }

    func run() async throws {
        guard try await hasNoHerd() else { exit(1) }
    }

    private func hasNoHerd() async throws -> Bool {
        defer { try? FileManager.default.removeItem(at: folder) }
        try prepare()
        var nginx = try await start(edition: 1)
        guard let url = URL(string: "http://127.0.0.1:\(port)/flags.json") else { throw CocoaError(.formatting) }
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        configuration.pollInterval = .seconds(30)
        let providers = (1...count).map { _ in RemoteJSONProvider(url: url, configuration: configuration) }
        for provider in providers { provider.start() }
        print("\(count) providers had the first values after \(await time(until: 1, in: providers))")

        end(nginx)
        try await Task.sleep(for: outage)
        let failing = providers.count { $0.state.lastError != nil }
        print("after \(outage) without nginx \(failing) of them waited for a further attempt")
        let before = try requests().count
        let returned = Date().timeIntervalSince1970
        nginx = try await start(edition: 2)
        defer { end(nginx) }
        let last = await time(until: 2, in: providers)
        let seconds = try requests().dropFirst(before).map { Int(max(0, $0 - returned)) }
        let counts = (0..<10).map { second in seconds.count { $0 == second } }
        let most = Dictionary(grouping: seconds) { $0 }.values.map(\.count).max() ?? 0
        print("requests in each of the first ten seconds after its return: \(counts)")
        print("the most in one second: \(most); all together: \(seconds.count)")
        print("all had the new values after \(last)")
        for provider in providers { provider.stop() }
        return most <= count / 2 && last < .seconds(60)
    }

    /// Waits until all providers have an edition, or for a minute, and returns how long that took.
    private func time(until edition: Int128, in providers: [RemoteJSONProvider]) async -> Duration {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(60),
            providers.contains(where: { $0.value(for: "edition") != .integer(edition) })
        {
            try? await Task.sleep(for: .milliseconds(20))
        }
        return start.duration(to: .now)
    }

    // MARK: nginx

    private func prepare() throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: "www"), withIntermediateDirectories: true)
        let path = folder.path(percentEncoded: false)
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        let text = """
            daemon off;
            master_process off;
            pid \(path)/nginx.pid;
            error_log \(path)/error.log;
            events { worker_connections 1024; }
            http {
                log_format time "$msec";
                access_log \(path)/access.log time;
                \(paths.joined(separator: " "))
                types { application/json json; }
                server { listen 127.0.0.1:\(port) backlog=1024; root \(path)/www; etag on; }
            }
            """
        try text.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
    }

    /// Starts nginx, and returns when it listens.
    private func start(edition: Int) async throws -> Process {
        let path = folder.path(percentEncoded: false)
        let document = folder.appending(path: "www/flags.json")
        try Data(#"{"edition": \#(edition)}"#.utf8).write(to: document, options: .atomic)
        let pid = folder.appending(path: "nginx.pid")
        try? FileManager.default.removeItem(at: pid)
        let process = Process()
        process.executableURL = executable
        process.arguments = ["-p", path, "-e", "\(path)/error.log", "-c", "\(path)/nginx.conf"]
        try process.run()
        // nginx writes the file once it listens.
        while !FileManager.default.fileExists(atPath: pid.path(percentEncoded: false)) {
            guard process.isRunning else { throw CocoaError(.executableLoad) }
            try await Task.sleep(for: .milliseconds(5))
        }
        return process
    }

    /// Ends nginx by a signal that can't be blocked: a process that a task starts inherits blocked signals.
    private func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Returns the times of all requests that nginx has answered.
    private func requests() throws -> [Double] {
        let log = try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)
        return log.split(separator: "\n").compactMap { Double($0) }
    }
}
