import Foundation
import Synchronization

/// The executable `RemoteJSONProbe`, run in a process of its own.
final class Probe: Sendable {
    private let process: Mutex<Process>
    private let output: Pipe

    /// Where the executable is: beside the tests. `nil` where it was not built.
    static let executable: URL? = {
        let start = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let url = start.appending(path: "RemoteJSONProbe")
        return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
    }()

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        guard let executable = Self.executable else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        output = Pipe()
        process.standardOutput = output
        try process.run()
        self.process = Mutex(process)
    }

    var processIdentifier: Int32 { process.withLock { $0.processIdentifier } }

    /// Waits for the first line, on a thread that may block.
    func waitForFirstBytes() async {
        let handle = output.fileHandleForReading
        await onThread { _ = handle.availableData }
    }

    /// Waits for the end of the output, which is the end of the process, and returns what was printed.
    func waitForEnd() async -> String {
        let handle = output.fileHandleForReading
        let data = Mutex(Data())
        await onThread { data.withLock { $0 = handle.readDataToEndOfFile() } }
        return data.withLock { String(decoding: $0, as: UTF8.self) }
    }

    private func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }
}
