import CStepKiller
import Foundation
import Synchronization
import TacklineCore
import TacklineMemory
import TacklineRecording

/// An app for the tests of `FlagCrashRecord` and `FlagUsage`, which dies.
///
/// ```
/// RecordProbe crash <file> <changes> <time>   changes flags, and kills itself with SIGKILL so many microseconds after so many
/// RecordProbe wait <file> <changes>           changes flags, prints "waiting" and waits for an interrupt
/// RecordProbe usage <file> <changes>          changes flags with a record of their usage, and exits
/// ```
///
/// The flag `number` has the values from 1 upwards, and `text` the same number, repeated. It prints its issues and at last
/// `done`. With the variable `FAIL_AT_STEP` that call of the system that concerns files fails, as on a disk that is full.
@main
struct RecordProbe {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: 0, description: "A number") var number: Int
        @Flag(default: "", description: "A text") var text: String
        @Flag(default: "", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
    }

    /// The number of changes so far.
    private static let count = Atomic(0)

    static func main() {
        // Whatever goes wrong, it ends.
        alarm(3600)
        let arguments = CommandLine.arguments
        guard arguments.count > 3, let changes = Int(arguments[3]) else { exit(64) }
        let file = URL(filePath: arguments[2])
        prepare_for_interrupts()
        if let step = ProcessInfo.processInfo.environment["FAIL_AT_STEP"].flatMap({ Int($0) }) {
            fail_at_step(step, ENOSPC)
        }
        if arguments.count > 4, let time = UInt32(arguments[4]) {
            Thread.detachNewThread {
                while count.load(ordering: .relaxed) < changes { usleep(20) }
                usleep(time)
                kill(getpid(), SIGKILL)
            }
        }
        let issues = FlagIssueReporter { say("issue \($0.code)") }
        let observer: any FlagResolutionObserver =
            arguments[1] == "usage"
            ? FlagUsage(file: file, issueReporter: issues)
            : FlagCrashRecord(file: file, maximumFlags: 8, issueReporter: issues)
        let memory = MemoryProvider(name: "memory", values: ["token": "s3cret"])
        let flags = FlagsLoader(Flags.self, providers: [memory], observers: [observer])
        _ = (flags.token, flags.number, flags.text)
        for number in 1...(arguments.count > 4 ? 1_000_000 : max(1, changes)) {
            memory.setValue(.integer(Int128(number)), for: "number")
            _ = flags.number
            memory.setValue(.string(String(repeating: "\(number) ", count: 8)), for: "text")
            _ = flags.text
            count.add(2, ordering: .relaxed)
        }
        if arguments[1] == "wait" {
            say("waiting")
            wait_for_interrupt()
        }
        say("done")
        exit(0)
    }

    /// Prints a line at once: what is buffered dies, too.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
