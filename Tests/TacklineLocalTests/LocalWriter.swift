import Foundation
import TacklineTestSupport

/// The executable `LocalWriter`, run in a process of its own.
enum LocalWriter {
    /// Starts it.
    ///
    /// - Parameter wrapper: A program and arguments that start it, in front of its own.
    static func start(_ arguments: [String], wrapper: [String] = []) throws -> ChildProcess {
        guard let program = ChildProcess.program("LocalWriter") else { throw CocoaError(.fileNoSuchFile) }
        if wrapper.isEmpty { return try ChildProcess(program, arguments) }
        return try ChildProcess(URL(filePath: "/usr/bin/env"), wrapper + [program.path] + arguments)
    }
}
