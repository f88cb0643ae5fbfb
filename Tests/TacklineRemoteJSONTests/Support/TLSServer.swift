import Foundation
import TacklineTestSupport

/// A TLS server on 127.0.0.1 with a certificate of its own: `openssl s_server`, which answers with files that hold
/// whole HTTP answers.
final class TLSServer: Sendable {
    let port: UInt16
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// Where openssl is, or `nil` where there is none.
    static let executable: URL? = ["/opt/homebrew/bin/openssl", "/usr/local/bin/openssl", "/usr/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }

    /// - Parameter answers: Whole HTTP answers, by path.
    init(answers: [String: String]) async throws {
        guard let executable = Self.executable else { throw CocoaError(.fileNoSuchFile) }
        folder = try TemporaryFolder()
        for (path, answer) in answers {
            try Data(answer.utf8).write(to: folder.url.appending(path: path))
        }
        let making = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-keyout", "key.pem", "-out",
            "certificate.pem", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        ]
        _ = try await ChildProcess(executable, making, in: folder.url).ending()
        // It takes a free port and says ACCEPT with that port as soon as it listens.
        let serving = ["s_server", "-accept", "127.0.0.1:0", "-cert", "certificate.pem", "-key", "key.pem", "-HTTP"]
        process = try ChildProcess(executable, serving, in: folder.url)
        var line = try await process.nextLine()
        while let said = line, !said.hasPrefix("ACCEPT") { line = try await process.nextLine() }
        guard let port = line?.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw CocoaError(.coderReadCorrupt)
        }
        self.port = port
    }
}
