import CStepKiller
import Foundation
import Synchronization
import Tackline
import TacklineLaunchGuard

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
/// The variables `REMOTE`, `OTHER` and `OVERRIDES` are objects of JSON, the contents of providers. With `LATE` that of the
/// remote one arrives after the first read. The ways to die are those of ``die(_:)``; with `always-` before one of them it
/// dies whatever its flags are, and with `early-` before it reads one. It prints the codes of the guard's issues, `boom` or
/// `calm` with the edition, and at last `healthy`. `HOURS` puts the clock forward.
///
/// Variables kill it elsewhere: `KILL_AT_STEP` at a call of the system that concerns files, `KILL_HEALTH_AT_STEP` at
/// that call of what makes the launch healthy, and `KILL_AFTER` after so many microseconds. With `FAIL_AT_STEP` and
/// `FAIL_HEALTH_AT_STEP` that call fails, as on a disk that is full or broken. With `COUNT_STEPS` it prints the number of
/// these calls, and with `COUNT_START` what the guard alone did at the start.
@main
struct LaunchProbe {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: false, description: "A flag that makes the app die") var boom: Bool
        @Flag(default: false, description: "Another one, which is read later") var bang: Bool
        @Flag(default: 0, description: "The edition of the values") var edition: Int
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
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        let launches = LaunchGuard(folder: URL(filePath: folder).appending(path: "warm"), options: options)
        let flags = load(["REMOTE": "{}"], launches).flags
        _ = (flags.boom, flags.edition)
        launches.markHealthy()
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
        if let step = variables["FAIL_AT_STEP"].flatMap({ Int($0) }) {
            fail_at_step(step, variables["FAIL_WITH"].flatMap { Int32($0) } ?? EIO)
        }
        if variables["COUNT_STEPS"] != nil || variables["COUNT_START"] != nil { kill_at_step(0) }
        if let time = variables["KILL_AFTER"].flatMap({ Int($0) }) { kill_after_microseconds(time) }
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        options.deathLimit = variables["DEATH_LIMIT"].flatMap { Int($0) } ?? options.deathLimit
        options.countsInBackground = variables["COUNTS_IN_BACKGROUND"] != nil
        let hours = variables["HOURS"].flatMap { Double($0) } ?? 0
        options.now = { Date() + hours * 3600 }
        options.issueReporter = FlagIssueReporter { say("issue \($0.code)") }
        let launches = LaunchGuard(folder: URL(filePath: folder).appending(path: "launches"), options: options)
        if variables["COUNT_START"] != nil { say("start \(count_of_steps()) \(count_of_bytes())") }
        let (flags, replaceRemote) = load(variables, launches)
        if way.hasPrefix("early-") { die(String(way.dropFirst(6))) }
        if let late = variables["LATE"] {
            _ = flags.edition
            replaceRemote(late)
        }
        say("\(flags.boom ? "boom" : "calm") \(flags.edition)")
        if way.hasPrefix("always-") { die(String(way.dropFirst(7))) }
        if flags.boom || flags.bang { die(way) }
        if let step = variables["FAIL_HEALTH_AT_STEP"].flatMap({ Int($0) }) { fail_at_step(step, ENOSPC) }
        if let step = variables["KILL_HEALTH_AT_STEP"].flatMap({ Int($0) }) { kill_at_step(step) }
        launches.markHealthy()
        if variables["COUNT_STEPS"] != nil { say("steps \(count_of_steps()) \(count_of_renames_of_unsynced())") }
        say("healthy")
    }

    /// Values that can be replaced.
    private final class Remote: Sendable {
        let values: Mutex<[String: EncodedFlagValue]>

        init(_ values: [String: EncodedFlagValue]) { self.values = Mutex(values) }
    }

    private static func load(
        _ variables: [String: String], _ launches: LaunchGuard
    ) -> (flags: FlagsLoader<Flags>, replaceRemote: @Sendable (String) -> Void) {
        let content = Remote(values(variables["REMOTE"] ?? "{}"))
        let remote = ClosureProvider(name: "remote", values: { content.values.withLock { $0 } })
        let other = values(variables["OTHER"] ?? "{}")
        let overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)
        for (key, value) in values(variables["OVERRIDES"] ?? "{}") {
            try? overrides.setValue(value, for: FlagKeyPath(key))
        }
        let flags = FlagsLoader(
            Flags.self, environment: .nonProduction,
            providers: [overrides, remote, ClosureProvider(name: "other", values: { other })],
            issueReporter: FlagIssueReporter { _ in }, launchGuard: launches)
        let replaceRemote: @Sendable (String) -> Void = { text in
            content.values.withLock { $0 = values(text) }
            remote.valuesDidChange()
        }
        return (flags, replaceRemote)
    }

    private static func values(_ text: String) -> [String: EncodedFlagValue] {
        guard let values = try? JSONDecoder().decode([String: EncodedFlagValue].self, from: Data(text.utf8)) else {
            exit(65)
        }
        return values
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
        case "terminate": raise(SIGTERM)
        default:
            // Another process kills it.
            say("waiting")
            while true { pause() }
        }
    }
}
