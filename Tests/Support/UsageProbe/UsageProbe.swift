import CStepKiller
import Foundation
import TacklineCore
import TacklineMemory
import TacklineUsage

/// An app for the tests of `FlagUsage`, which run it as a process of its own.
///
/// ```
/// UsageProbe <file> <changes>   changes a flag with a record of its usage, and exits
/// ```
///
/// The flag `number` has the values from 0 up to the number of changes. It prints its issues and at last `done`. With the
/// variable `FAIL_AT_STEP` that call of the system that concerns files fails, as on a disk that is full.
@main
struct UsageProbe {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: 0, description: "A number") var number: Int
    }

    static func main() {
        // Whatever goes wrong, it ends.
        alarm(3600)
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let changes = Int(arguments[2]) else { exit(64) }
        if let step = ProcessInfo.processInfo.environment["FAIL_AT_STEP"].flatMap({ Int($0) }) {
            fail_at_step(step, ENOSPC)
        }
        let usage = FlagUsage.$lockTimeLimit.withValue(.seconds(3600)) {
            FlagUsage(file: URL(filePath: arguments[1]), issueReporter: FlagIssueReporter { say("issue \($0.code)") })
        }
        let memory = MemoryProvider(name: "memory")
        let flags = FlagsLoader(Flags.self, providers: [memory], observers: [usage])
        _ = flags.number
        for number in 1...max(1, changes) {
            memory.setValue(.integer(Int128(number)), for: "number")
            _ = flags.number
        }
        say("done")
        exit(0)
    }

    /// Prints a line at once: what is buffered dies, too.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
