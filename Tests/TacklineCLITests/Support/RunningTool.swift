#if CommandLine
    import Foundation
    import Synchronization

    /// The built tool while it runs: what it prints, line by line, and a way to end it.
    final class RunningTool: Sendable {
        private let lines: AsyncStream<String>
        private let process = Process()
        private let ending: AsyncStream<Int32>

        init(_ arguments: String..., environment: [String: String] = [:]) throws {
            process.executableURL = try Tool.executable()
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
            process.standardInput = FileHandle.nullDevice
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            let (lines, lineContinuation) = AsyncStream.makeStream(of: String.self)
            self.lines = lines
            let rest = Mutex<[UInt8]>([])
            output.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                guard !data.isEmpty else {
                    handle.readabilityHandler = nil
                    lineContinuation.finish()
                    return
                }
                let complete = rest.withLock { rest in
                    rest += data
                    var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                    rest = Array(parts.removeLast())
                    return parts.map { String(decoding: $0, as: UTF8.self) }
                }
                for line in complete { lineContinuation.yield(line) }
            }
            let (ending, endContinuation) = AsyncStream.makeStream(of: Int32.self)
            self.ending = ending
            process.terminationHandler = { process in
                endContinuation.yield(process.terminationReason == .exit ? process.terminationStatus : -1)
                endContinuation.finish()
            }
            try process.run()
        }

        deinit {
            if process.isRunning { process.terminate() }
        }

        /// The next line that it prints, to either stream; `nil` at its end. For one reader at a time.
        func line() async -> String? {
            for await line in lines { return line }
            return nil
        }

        /// Asks it to end as control-C does.
        func interrupt() {
            process.interrupt()
        }

        /// Waits for its end.
        ///
        /// - Returns: Its status; -1 if a signal ended it.
        func status() async -> Int32 {
            for await status in ending { return status }
            return -2
        }
    }
#endif
