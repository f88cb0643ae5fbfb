import Foundation

/// The separate process `LocalWriter`, and the lines that it says.
///
/// Waiting happens on a queue of its own, so that no thread of the tests is held up.
final class WriterProcess: @unchecked Sendable {
    // Everything below is used on this queue only, or before anybody else has the object.
    private let queue = DispatchQueue(label: "writer-process")
    private let process = Process()
    private let output = Pipe()
    private var rest: [UInt8] = []

    /// Starts the process.
    ///
    /// - Parameter wrapper: A program and arguments that start it, in front of its own.
    init(_ arguments: [String], wrapper: [String] = []) throws {
        let command = wrapper + [try WriterProcess.executable().path] + arguments
        process.executableURL = URL(filePath: wrapper.isEmpty ? command[0] : "/usr/bin/env")
        process.arguments = wrapper.isEmpty ? arguments : command
        process.standardOutput = output
        try process.run()
    }

    /// Waits for the next line; `nil` at the end.
    func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.readLine()) }
        }
    }

    /// Waits for the end.
    ///
    /// - Returns: All lines that were not read, and the status.
    func finish() async -> (lines: [String], status: Int32) {
        await withCheckedContinuation { continuation in
            queue.async {
                var lines: [String] = []
                while let line = self.readLine() { lines.append(line) }
                self.process.waitUntilExit()
                continuation.resume(returning: (lines, self.process.terminationStatus))
            }
        }
    }

    /// Ends the process without giving it a chance to do anything more, and waits for that.
    ///
    /// - Returns: The lines that it had said.
    func kill() async -> [String] {
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        return await finish().lines
    }

    private func readLine() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeFirst(end + 1)
                return line
            }
            let data = output.fileHandleForReading.availableData
            // A line that a kill has cut off was never said.
            guard !data.isEmpty else { return nil }
            rest += data
        }
    }

    /// The executable, which lies beside the tests.
    private static func executable() throws -> URL {
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        let program = URL(filePath: CommandLine.arguments[0])
        for place in bundles + [Bundle.main.bundleURL.appending(path: "x"), program] {
            let url = place.deletingLastPathComponent().appending(path: "LocalWriter")
            if FileManager.default.isExecutableFile(atPath: url.path) { return url }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
