import Foundation
import Synchronization
import TacklineTesting

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The nginx of this machine, serving a folder of its own on a free port of 127.0.0.1.
final class Nginx: Sendable {
    let folder: TemporaryFolder
    let port: UInt16
    private let process: Mutex<Process>

    /// Where nginx is: in `TACKLINE_NGINX`, or where packages install it. `nil` where there is none.
    static let executable: URL? = {
        let asked = ProcessInfo.processInfo.environment["TACKLINE_NGINX"].map { [$0] } ?? []
        let paths = asked + ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"]
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }
    }()

    init() throws {
        guard let executable = Self.executable else { throw CocoaError(.fileNoSuchFile) }
        folder = try TemporaryFolder()
        // A port that was free a moment ago. Whoever takes it meanwhile makes the test fail, which is loud.
        let probe = try LoopbackServer(replies: [])
        port = probe.port
        probe.stop()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "www"), withIntermediateDirectories: true)
        let configuration = folder.url.appending(path: "nginx.conf")
        try Self.configuration(folder: folder.url.path, port: port).write(
            to: configuration, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = executable
        process.arguments = ["-p", folder.url.path, "-e", "\(folder.url.path)/error.log", "-c", configuration.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = Mutex(process)
    }

    deinit {
        // Not asked to end: it inherits the signal mask of a Dispatch thread, which holds SIGTERM back. And not waited for:
        // that would block one of the few threads that all tests share.
        process.withLock { process in
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    var isRunning: Bool { process.withLock { $0.isRunning } }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw CocoaError(.formatting) }
        return url
    }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: folder.url.appending(path: "www/\(name)"), options: .atomic)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: folder.url.appending(path: "www/\(name)"))
    }

    /// What the guide recommends, and two locations for the tests: a redirect, and a file that is compressed already.
    private static func configuration(folder: String, port: UInt16) -> String {
        """
        daemon off;
        master_process off;
        pid \(folder)/nginx.pid;
        error_log \(folder)/error.log;
        events { worker_connections 64; }
        http {
            access_log off;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            types { application/json json; }
            gzip on;
            gzip_types application/json;
            gzip_min_length 0;
            server {
                listen 127.0.0.1:\(port);
                root \(folder)/www;
                location = /flags.json { etag on; add_header Cache-Control "no-cache"; }
                location = /old.json { return 301 /flags.json; }
                location = /zipped { default_type application/json; add_header Content-Encoding gzip; }
            }
        }
        """
    }
}
