package import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Another program while a test talks to it: what it prints, line by line, and its end.
///
/// It ends at the latest with this object, with the task that waits for it if that is cancelled, and with the test
/// process, however that ends: a run that is killed leaves nothing behind. Nothing here blocks a thread of Swift's pool.
///
/// Foundation's `Process` would not do. On Linux it misses the end of a program now and then when several begin and end
/// at once, and it keeps their pipes.
package final class ChildProcess: Sendable {
    /// What is left when a program has ended.
    package struct Ending: Sendable {
        /// The lines that have not been read. One that a kill has cut off was never said.
        package let lines: [String]
        /// All that it printed, to the last byte.
        package let output: String
        /// All that it wrote to its standard error, of which a crash is a part; empty where that is merged.
        package let errors: String
        /// Its exit status, or the number of the signal that ended it. 127 if it could not be started.
        package let status: Int32
        /// Whether a signal ended it.
        package let isSignal: Bool
    }

    private let child: SpawnedProcess
    private let output: PipeReader
    private let errors: PipeReader?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its file.
    ///   - arguments: What follows its name.
    ///   - folder: Where it runs; where the tests run unless given.
    ///   - environment: Variables over those of the tests.
    ///   - mergesErrors: Whether lines on standard error are among those that ``nextLine()`` gives.
    package init(
        _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
        mergesErrors: Bool = false
    ) throws {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let (child, output, errors) = try SpawnedProcess.start(
            [program.path] + arguments, in: folder?.path ?? ".", variables.map { "\($0)=\($1)" },
            mergesErrors: mergesErrors)
        self.child = child
        self.output = PipeReader(output)
        self.errors = errors.map { PipeReader($0) }
    }

    deinit {
        kill()
    }

    /// The next line that it prints; `nil` after the last one. For one reader at a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, which ends the program.
    package func nextLine() async throws -> String? {
        try await unlessCancelled {
            for await line in output.lines { return line }
            return nil
        }
    }

    /// Waits for its end. To be called once.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, which ends the program.
    package func ending() async throws -> Ending {
        try await unlessCancelled {
            var rest: [String] = []
            for await line in output.lines { rest.append(line) }
            if let errors { for await _ in errors.lines {} }
            var last: Int32 = 0
            for await status in child.statuses { last = status }
            // The parts of a status are where they are on every system (sys/wait.h).
            let signal = last & 0x7F
            return Ending(
                lines: rest, output: output.text, errors: errors?.text ?? "",
                status: signal == 0 ? last >> 8 & 0xFF : signal, isSignal: signal != 0)
        }
    }

    /// Whether it has not ended yet.
    package var isRunning: Bool { child.send(0) }

    /// Ends it without giving it a chance to do anything more.
    package func kill() { child.send(SIGKILL) }

    /// Asks it to end as control-C does.
    package func interrupt() { child.send(SIGINT) }

    private func unlessCancelled<Value: Sendable>(_ work: () async -> Value) async throws -> Value {
        let value = await withTaskCancellationHandler(operation: work) { kill() }
        try Task.checkCancellation()
        return value
    }

    /// The file of a program of this package, which lies beside the tests; `nil` where it was not built.
    ///
    /// - Parameter names: What it may be called.
    package static func program(_ names: String...) -> URL? {
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        let started = URL(filePath: ProcessInfo.processInfo.arguments[0]).resolvingSymlinksInPath()
        let places = bundles + [Bundle.main.bundleURL.appending(path: "x"), started]
        let files = places.flatMap { place in names.map { place.deletingLastPathComponent().appending(path: $0) } }
        return files.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

/// Reads what a program writes to its end, on a thread of its own, so that the program never waits for a reader.
private final class PipeReader: Sendable {
    /// The complete lines, each for one reader.
    let lines: AsyncStream<String>
    private let all = Mutex<[UInt8]>([])

    /// - Parameter descriptor: Is closed at the end.
    init(_ descriptor: Int32) {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        Thread.detachNewThread { [self] in
            var portion = [UInt8](repeating: 0, count: 64 << 10)
            var rest: [UInt8] = []
            while true {
                let count = read(descriptor, &portion, portion.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                all.withLock { $0 += portion.prefix(count) }
                rest += portion.prefix(count)
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Array(parts.removeLast())
                for part in parts { continuation.yield(String(decoding: part, as: UTF8.self)) }
            }
            close(descriptor)
            continuation.finish()
        }
    }

    /// What has come so far.
    var text: String { all.withLock { String(decoding: $0, as: UTF8.self) } }
}
