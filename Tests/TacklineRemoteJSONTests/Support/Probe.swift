import Foundation
import TacklineTestSupport

/// The executable `RemoteJSONProbe`, run in a process of its own.
enum Probe {
    /// Where the executable is: beside the tests. `nil` where it was not built.
    static let executable = ChildProcess.program("RemoteJSONProbe")

    static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        guard let executable else { throw CocoaError(.fileNoSuchFile) }
        return try ChildProcess(executable, arguments, environment: environment)
    }

    /// Runs it to its end and returns what it printed.
    static func output(_ arguments: [String]) async throws -> String {
        try await start(arguments).ending().lines.joined(separator: "\n")
    }
}
