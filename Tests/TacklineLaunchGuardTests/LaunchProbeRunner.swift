import Foundation
import TacklineTestSupport
import Testing

/// A launch of `LaunchProbe`, the program that dies.
struct ProbeLaunch {
    /// A folder of its own for the launches.
    var folder = "."
    var way = "kill"
    var variables: [String: String] = [:]
}

/// Launches `LaunchProbe` in a temporary folder.
struct LaunchProbeRunner {
    static let probe = ChildProcess.program("LaunchProbe")
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Starts a copy of the program, or the program itself.
    func start(_ way: String, _ variables: [String: String] = [:], program: URL? = nil) throws -> ChildProcess {
        let environment = variables.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        return try ChildProcess(#require(program ?? Self.probe), [folder.url.path, way], environment: environment)
    }

    /// Launches it and returns what it printed, with a line for its death.
    func launch(
        _ way: String = "kill", _ variables: [String: String] = [:], program: URL? = nil
    ) async throws -> [String] {
        let ending = try await start(way, variables, program: program).ending()
        return ending.lines + (ending.isSignal ? ["died"] : [])
    }

    /// Launches one after the other, and returns what each printed, with a line for its death.
    ///
    /// On Linux, each launch is a copy of one process, which takes a fraction of a start.
    func launch(_ launches: [ProbeLaunch]) async throws -> [[String]] {
        var printed: [[String]] = [[]]
        #if os(Linux)
            let lines = launches.map { launch in
                ([launch.folder, launch.way] + launch.variables.map { "\($0)=\($1)" }).joined(separator: "\t")
            }
            let plan = try folder.file("plan", lines.joined(separator: "\n"))
            let ending = try await ChildProcess(
                #require(Self.probe), [folder.url.path, "launches", plan.path],
                environment: ["SWIFT_BACKTRACE": "enable=no"]
            ).ending()
            try #require(ending.status == 0 && !ending.isSignal, "\(ending)")
            for line in ending.lines {
                if line.hasPrefix("ended ") {
                    if line != "ended 0" { printed[printed.count - 1].append("died") }
                    printed.append([])
                } else {
                    printed[printed.count - 1].append(line)
                }
            }
            printed.removeLast()
            try #require(printed.count == launches.count)
        #else
            printed = []
            for launch in launches {
                let place = folder.url.appending(path: launch.folder)
                let environment = launch.variables.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
                let child = try ChildProcess(
                    #require(Self.probe), [place.path, launch.way], environment: environment)
                let ending = try await child.ending()
                printed.append(ending.lines + (ending.isSignal ? ["died"] : []))
            }
        #endif
        return printed
    }
}
