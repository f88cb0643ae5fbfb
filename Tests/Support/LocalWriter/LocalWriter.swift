import CStepKiller
import Foundation
import TacklineCore
import TacklineLocal

/// A process for the tests of the local provider to start, and to kill.
///
/// ```
/// LocalWriter kill <file> <step>        writes a number one higher to two keys, and is killed at a step of the write
/// LocalWriter fail <file> <step>        the same, where a step fails as on a full disk
/// LocalWriter count <file> <prefix> <n> writes n values to 100 keys of its own in turn, if the one before is still there
/// LocalWriter full <folder>             writes to a disk without space, then with
/// LocalWriter unprivileged <file>       writes as a user who may not
/// ```
///
/// What comes out on standard output is one line for each write: `ok` with a number, or `error` with the error.
@main
struct LocalWriter {
    static func main() {
        // Whatever goes wrong, it ends: what takes seconds, in an hour.
        alarm(3600)
        var arguments = CommandLine.arguments.dropFirst()
        guard let mode = arguments.popFirst(), let file = arguments.popFirst() else { exit(64) }
        let url = URL(filePath: file)
        switch mode {
        case "kill", "fail": write(to: url, mode, atStep: arguments.first.flatMap { Int($0) } ?? 0)
        case "count": write(to: url, prefix: arguments.first ?? "", count: arguments.last.flatMap { Int($0) } ?? 0)
        case "full": writeToFullDisk(at: url)
        case "unprivileged": writeUnprivileged(to: url)
        default: exit(64)
        }
    }

    private static func write(to url: URL, _ mode: String, atStep step: Int) {
        let provider = LocalProvider(file: url, changeDetection: .off)
        var number: Int128 = 1
        if case .integer(let last)? = provider.value(at: "a") { number = last + 1 }
        if mode == "kill" { kill_at_step(step) } else { fail_at_step(step, ENOSPC) }
        tell {
            try provider.setValues(["a": .integer(number), "group/b": .integer(number)])
        } number: {
            if case .integer(let present)? = provider.value(at: "a") { present } else { 0 }
        }
        say("steps \(count_of_steps()) \(count_of_renames_of_unsynced())")
    }

    private static func write(to url: URL, prefix: String, count: Int) {
        let provider = LocalProvider(file: url, settings: .init(lockTimeLimit: .seconds(3600)))
        for number in 0..<count {
            let key = FlagKeyPath("\(prefix)/\(number % 100)")
            let old = number < 100 ? Optional.none : EncodedFlagValue.integer(Int128(number - 100))
            guard provider.value(for: key) == old else {
                say("lost \(number - 100)")
                continue
            }
            tell {
                try provider.setValue(.integer(Int128(number)), for: key)
            } number: {
                Int128(number)
            }
        }
    }

    /// Mounts a file system of 64 KiB, so run it in a mount namespace of its own.
    private static func writeToFullDisk(at folder: URL) {
        #if os(Linux)
            let url = folder.appending(path: "a.json")
            let filler = folder.appending(path: "filler")
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                guard mount("tackline", folder.path, "tmpfs", 0, "size=64k") == 0 else {
                    say("mount: \(String(cString: strerror(errno)))")
                    exit(77)
                }
                try Data(#"{"kept": true}"#.utf8).write(to: url)
                try Data(repeating: 0, count: 48_000).write(to: filler)
            } catch {
                say("\(error)")
                exit(77)
            }
            writeThroughShortage(to: url, size: 30_000, ignoring: "filler") {
                try? FileManager.default.removeItem(at: filler)
            }
        #else
            exit(77)
        #endif
    }

    /// Writes while there is too little space, and again once there is enough.
    private static func writeThroughShortage(
        to url: URL,
        size: Int,
        ignoring ignored: String = "",
        relieve: () -> Void
    ) {
        let text = { (try? String(contentsOf: url, encoding: .utf8)) ?? "gone" }
        let names = {
            let folder = url.deletingLastPathComponent().path
            return (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { $0 != ignored } ?? []
        }
        say("before \(text())")
        let provider = LocalProvider(file: url)
        let big = EncodedFlagValue.string(String(repeating: "x", count: size))
        tell {
            try provider.setValue(big, for: "big")
        } number: {
            1
        }
        say("then \(text()) \(provider.value(at: "big").map { "\($0)" } ?? "nil") \(names())")
        relieve()
        tell {
            try provider.setValue(big, for: "big")
        } number: {
            2
        }
        guard case .string(let written)? = LocalProvider(file: url).value(at: "big") else { return }
        say("finally \(provider.value(at: "kept") == true) \(written.count)")
    }

    /// 65534 is `nobody` on Linux; on macOS it is a number that nobody has.
    private static func writeUnprivileged(to url: URL) {
        guard setgid(65534) == 0, setuid(65534) == 0 else { exit(77) }
        let provider = LocalProvider(file: url)
        say("status \(provider.status)")
        tell {
            try provider.setValue(true, for: "x")
        } number: {
            provider.value(at: "x") == nil ? 0 : 1
        }
    }

    private static func tell(_ write: () throws -> Void, number: () -> Int128) {
        do {
            try write()
            say("ok \(number())")
        } catch {
            say("error \(number()) \(error)")
        }
    }

    /// One line in one call, so that a kill cannot cut it.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
