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
        func number() -> Int128 { if case .integer(let number)? = provider.value(at: "a") { number } else { 0 } }
        let next = EncodedFlagValue.integer(number() + 1)
        if mode == "kill" { kill_at_step(step) } else { fail_at_step(step, ENOSPC) }
        attempt(number()) { try provider.setValues(["a": next, "group/b": next]) }
        say("steps \(count_of_steps()) \(count_of_renames_of_unsynced())")
    }

    private static func write(to url: URL, prefix: String, count: Int) {
        let provider = LocalProvider(file: url, settings: .init(lockTimeLimit: .seconds(3600)))
        for number in 0..<count {
            let key = FlagKeyPath("\(prefix)/\(number % 100)")
            if provider.value(for: key) != (number < 100 ? nil : .integer(Int128(number - 100))) {
                say("lost \(number - 100)")
            }
            attempt(Int128(number)) { try provider.setValue(.integer(Int128(number)), for: key) }
        }
    }

    /// Mounts a file system of 64 KiB, so run it in a mount namespace of its own. Writes while there is too little space,
    /// and again once there is enough.
    private static func writeToFullDisk(at folder: URL) {
        #if os(Linux)
            let (url, filler) = (folder.appending(path: "a.json"), folder.appending(path: "filler"))
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                guard mount("tackline", folder.path, "tmpfs", 0, "size=64k") == 0 else { exit(77) }
                try Data(#"{"kept": true}"#.utf8).write(to: url)
                try Data(repeating: 0, count: 48_000).write(to: filler)
            } catch {
                say("\(error)")
                exit(77)
            }
            let text = { (try? String(contentsOf: url, encoding: .utf8)) ?? "gone" }
            say("before \(text())")
            let provider = LocalProvider(file: url)
            let big = EncodedFlagValue.string(String(repeating: "x", count: 30_000))
            attempt(1) { try provider.setValue(big, for: "big") }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let value = provider.value(at: "big").map { "\($0)" } ?? "nil"
            say("then \(text()) \(value) \(names.filter { $0 != "filler" })")
            try? FileManager.default.removeItem(at: filler)
            attempt(2) { try provider.setValue(big, for: "big") }
            guard case .string(let written)? = LocalProvider(file: url).value(at: "big") else { return }
            say("finally \(provider.value(at: "kept") == true) \(written.count)")
        #else
            exit(77)
        #endif
    }

    /// 65534 is `nobody` on Linux; on macOS it is a number that nobody has.
    private static func writeUnprivileged(to url: URL) {
        guard setgid(65534) == 0, setuid(65534) == 0 else { exit(77) }
        let provider = LocalProvider(file: url)
        say("status \(provider.status)")
        attempt(provider.value(at: "x") == nil ? 0 : 1) { try provider.setValue(true, for: "x") }
    }

    /// Writes, and then says which number there is.
    private static func attempt(_ number: @autoclosure () -> Int128, _ write: () throws -> Void) {
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
