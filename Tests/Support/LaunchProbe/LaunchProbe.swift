import Foundation
import TacklineCore
import TacklineLaunchGuard
import TacklineLocal

/// An app for the tests of `LaunchGuard`, which dies soon after its start if a flag is on.
///
/// ```
/// LaunchProbe <folder> <way>
/// ```
///
/// The values are in `flags.json` of the folder. The ways to die are those of ``die(_:)``; with `always-` before one of them it
/// dies whatever its flags are. It prints `boom` or `calm`, what the guard told, and at last `healthy`.
@main
struct LaunchProbe {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: false, description: "What makes the app die") var boom: Bool
        @Flag(default: 0, description: "Which edition this is") var edition: Int
    }

    static func main() {
        // Whatever goes wrong, it ends.
        alarm(3600)
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, let way = arguments.last else { exit(64) }
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        options.issueReporter = FlagIssueReporter { say("issue \($0.code)") }
        let launches = LaunchGuard(folder: URL(filePath: folder).appending(path: "launches"), options: options)
        let file = LocalProvider(localURL: URL(filePath: folder).appending(path: "flags.json"))
        let flags = FlagsLoader(Flags.self, providers: [launches.guarding(file)])
        say("\(flags.boom ? "boom" : "calm") \(flags.edition)")
        if way.hasPrefix("always-") { die(String(way.dropFirst(7))) }
        if flags.boom { die(way) }
        launches.markHealthy()
        say("healthy")
    }

    /// Prints a line at once: what is buffered dies, too.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Does not return, unless the way is to exit.
    static func die(_ way: String) {
        switch way {
        case "signal": raise(SIGSEGV)
        case "kill": raise(SIGKILL)
        case "trap": fatalError("the flag is on")
        case "exit": return
        default:
            // Somebody else kills it.
            say("waiting")
            while true { pause() }
        }
    }
}
