import CStepKiller
import Foundation
import TacklineCore
import TacklineLaunchGuard
import TacklineLocal

/// An app for the tests of `LaunchGuard`, which dies soon after its start if a flag is on.
///
/// ```
/// LaunchProbe <folder> <way>
/// LaunchProbe <folder> launches <file>
/// ```
///
/// The second form is many launches, each in a process of its own: a line of the file is the name of a folder in the
/// folder, a way, and variables, with tabs between them. After each launch it prints `ended` and the status.
///
/// The values are in `flags.json` of the folder, or in the file that the variable `VALUES` names. The ways to die are
/// those of ``die(_:)``; with `always-` before one of them it dies whatever its flags are. It prints the issues of the
/// guard, `boom` or `calm` with the edition, and at last `healthy`.
///
/// Variables kill it elsewhere: `KILL_AT_STEP` at a call of the system that concerns files, `KILL_HEALTH_AT_STEP` at
/// that call of what makes the launch healthy, and `KILL_AFTER` after so many microseconds. With `FAIL_AT_STEP` and
/// `FAIL_HEALTH_AT_STEP` that call fails, as on a disk that is full or broken. With `PAUSE_AT_STEP` it waits before
/// that call for an interrupt, and with the way `end` before it exits. With `COUNT_STEPS` it prints the number of
/// these calls, and with `COUNT_START` what the guard alone did at the start.
@main
struct LaunchProbe {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: false, description: "The flag that makes the app die") var boom: Bool
        @Flag(default: 0, description: "The edition of the values") var edition: Int
        @Flag(default: 1.5, description: "A number that may be infinite") var factor: Double
    }

    static func main() {
        // Whatever goes wrong, it ends.
        alarm(3600)
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, let last = arguments.last else { exit(64) }
        if arguments.count == 3 {
            // The copies need not look up again which types there are. This starts no thread.
            warmUp(in: folder)
            for line in readLines(last) { launchCopy(in: folder, line.split(separator: "\t").map { String($0) }) }
        } else {
            launch(in: folder, last)
        }
    }

    /// Does once what a launch does, in a folder of its own.
    private static func warmUp(in folder: String) {
        let folder = "\(folder)/warm"
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        let launches = LaunchGuard(folder: URL(filePath: folder).appending(path: "launches"), options: options)
        let flags = load("\(folder)/flags.json", launches)
        _ = (flags.boom, flags.edition)
        launches.markHealthy()
        launches.end()
    }

    /// Launches a copy of this process, and waits for its end.
    private static func launchCopy(in folder: String, _ line: [String]) {
        let copy = copy_process()
        guard copy >= 0 else { exit(71) }
        if copy == 0 {
            alarm(3600)
            for variable in line.dropFirst(2) {
                let parts = variable.split(separator: "=", maxSplits: 1)
                setenv(String(parts[0]), String(parts[1]), 1)
            }
            launch(in: "\(folder)/\(line[0])", line[1])
            exit(0)
        }
        var status: Int32 = 0
        while waitpid(copy, &status, 0) < 0, errno == EINTR {}
        print("ended \(status)")
        fflush(nil)
    }

    private static func readLines(_ path: String) -> [Substring] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { exit(66) }
        return text.split(separator: "\n")
    }

    private static func launch(in folder: String, _ way: String) {
        let variables = ProcessInfo.processInfo.environment
        if let step = variables["KILL_AT_STEP"].flatMap({ Int($0) }) { kill_at_step(step) }
        prepare_for_interrupts()
        if let step = variables["PAUSE_AT_STEP"].flatMap({ Int($0) }) { pause_at_step(step) }
        if let step = variables["FAIL_AT_STEP"].flatMap({ Int($0) }) {
            fail_at_step(step, variables["FAIL_WITH"].flatMap { Int32($0) } ?? EIO)
        }
        if variables["COUNT_STEPS"] != nil || variables["COUNT_START"] != nil { kill_at_step(0) }
        if let time = variables["KILL_AFTER"].flatMap({ Int($0) }) { kill_after_microseconds(time) }
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        options.deathLimit = variables["DEATH_LIMIT"].flatMap { Int($0) } ?? options.deathLimit
        options.issueReporter = FlagIssueReporter { say("issue \($0.code)") }
        let launches = LaunchGuard(folder: URL(filePath: folder).appending(path: "launches"), options: options)
        if variables["COUNT_START"] != nil { say("start \(count_of_steps()) \(count_of_bytes())") }
        let flags = load("\(folder)/\(variables["VALUES"] ?? "flags.json")", launches)
        say("\(flags.boom ? "boom" : "calm") \(flags.edition)")
        if way == "end" {
            say("waiting")
            wait_for_interrupt()
            exit(0)
        }
        if way.hasPrefix("always-") { die(String(way.dropFirst(7))) }
        if flags.boom { die(way) }
        if let step = variables["FAIL_HEALTH_AT_STEP"].flatMap({ Int($0) }) { fail_at_step(step, ENOSPC) }
        if let step = variables["KILL_HEALTH_AT_STEP"].flatMap({ Int($0) }) { kill_at_step(step) }
        launches.markHealthy()
        if variables["COUNT_STEPS"] != nil { say("steps \(count_of_steps()) \(count_of_renames_of_unsynced())") }
        say("healthy")
    }

    private static func load(_ path: String, _ launches: LaunchGuard) -> FlagsLoader<Flags> {
        // Nothing waits for changes of the file.
        let file = LocalProvider(file: URL(filePath: path), changeDetection: .off)
        return FlagsLoader(
            Flags.self, providers: [file], issueReporter: FlagIssueReporter { _ in }, launchGuard: launches)
    }

    /// Prints a line at once: what is buffered dies, too.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Doesn't return, unless the way is to exit.
    static func die(_ way: String) {
        switch way {
        case "signal": raise(SIGSEGV)
        case "kill": raise(SIGKILL)
        case "trap": fatalError("the flag is on")
        case "exit": exit(0)
        default:
            // Another process kills it.
            say("waiting")
            while true { pause() }
        }
    }
}
