import Foundation
import TacklineCore
import TacklineRemoteJSON
import TacklineTestSupport

/// The nginx of this machine, serving a folder of its own on a port of 127.0.0.1.
final class Nginx: Sendable {
    private let folder: TemporaryFolder
    private let port: Int
    private let process: ChildProcess

    /// Where nginx is: in `TACKLINE_NGINX`, or where packages install it. `nil` where there is none.
    static let executable: URL? = {
        let asked = ProcessInfo.processInfo.environment["TACKLINE_NGINX"].map { [$0] } ?? []
        let paths = asked + ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"]
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }
    }()

    /// Starts nginx, and returns when it answers.
    ///
    /// It cannot take any free port. So ports are tried which the system gives to no process that asks for a free
    /// one, until nginx gets one of them.
    static func start() async throws -> Nginx {
        while true {
            let nginx = try Nginx(port: .random(in: 20_000..<32_000))
            if try await nginx.answers() { return nginx }
        }
    }

    private init(port: Int) throws {
        guard let executable = Self.executable else { throw CocoaError(.fileNoSuchFile) }
        self.port = port
        folder = try TemporaryFolder()
        let path = folder.url.path
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "www"), withIntermediateDirectories: true)
        let configuration = folder.url.appending(path: "nginx.conf")
        try Self.configuration(folder: path, port: port).write(to: configuration, atomically: true, encoding: .utf8)
        process = try ChildProcess(executable, ["-p", path, "-e", "\(path)/error.log", "-c", configuration.path])
        try write(Data(#"{"folder": "\#(path)"}"#.utf8), to: "who.json")
    }

    /// Waits until this nginx answers at its port; `false` if it ends before, or if it is another one that answers
    /// there.
    private func answers() async throws -> Bool {
        let provider = RemoteJSONProvider(url: try url("who.json"), configuration: .forTests())
        while process.isRunning {
            do {
                _ = try await provider.refresh()
                return provider.value(for: "folder") == .string(folder.url.path)
            } catch {
                guard (error as? FlagError)?.code == .network else { return false }
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        return false
    }

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
    private static func configuration(folder: String, port: Int) -> String {
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
