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

/// A TLS server on 127.0.0.1 with a certificate of its own: `openssl s_server`, which answers with files that hold whole
/// HTTP answers.
final class TLSServer: Sendable {
    let port: UInt16
    /// What a client must trust.
    let certificate: URL
    private let folder: TemporaryFolder
    private let process: Mutex<Process>

    /// Where openssl is, or `nil` where there is none.
    static let executable: URL? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }

    /// - Parameter answers: Whole HTTP answers, by path.
    init(answers: [String: String]) async throws {
        guard let executable = Self.executable else { throw CocoaError(.fileNoSuchFile) }
        folder = try TemporaryFolder()
        certificate = folder.url.appending(path: "certificate.pem")
        for (path, answer) in answers {
            try Data(answer.utf8).write(to: folder.url.appending(path: path))
        }
        let making = Process()
        making.executableURL = executable
        making.currentDirectoryURL = folder.url
        making.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-keyout", "key.pem", "-out",
            "certificate.pem", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        ]
        making.standardError = FileHandle.nullDevice
        try making.run()
        making.waitUntilExit()
        // A port that was free a moment ago. Whoever takes it meanwhile makes the test fail, which is loud.
        let probe = try LoopbackServer(replies: [])
        port = probe.port
        probe.stop()
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.currentDirectoryURL = folder.url
        process.arguments = [
            "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "certificate.pem", "-key", "key.pem", "-HTTP",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = Mutex(process)
        let handle = output.fileHandleForReading
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // It says ACCEPT as soon as it listens.
                var text = ""
                while !text.contains("ACCEPT"), case let data = handle.availableData, !data.isEmpty {
                    text += String(decoding: data, as: UTF8.self)
                }
                continuation.resume()
            }
        }
    }

    deinit {
        process.withLock { process in
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }
}
