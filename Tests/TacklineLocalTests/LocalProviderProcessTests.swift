import Foundation
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import Testing

@Suite("With several processes, a local file", .needsTheMachine)
struct LocalProviderProcessTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Starts the executable `LocalWriter`, by a program and arguments in front of its own if there are any.
    private func writer(_ arguments: [String], wrapper: [String] = []) throws -> ChildProcess {
        let program = try #require(ChildProcess.program("LocalWriter"))
        if wrapper.isEmpty { return try ChildProcess(program, arguments) }
        return try ChildProcess(URL(filePath: "/usr/bin/env"), wrapper + [program.path] + arguments)
    }

    @Test("holds the old or the new state after a write was killed, or failed, at each of its steps")
    func steps() async throws {
        let url = folder.file("folder/a.json")
        var state: Int128 = 0
        for mode in ["kill", "fail"] {
            var isOver = false
            for step in 1...100 where !isOver {
                let ending = try await writer([mode, url.path, "\(step)"]).ending()
                let provider = LocalProvider(file: url, changeDetection: .off)
                #expect(provider.status == .ready, "\(mode) \(step)")
                var number: Int128 = 0
                if case .integer(let found)? = provider.value(at: "a") { number = found }
                #expect(provider.value(at: "group/b") == (number == 0 ? nil : .integer(number)), "\(mode) \(step)")
                #expect(number == state || number == state + 1, "\(mode) \(step)")
                // What was accepted is there, and memory holds what was there before a failure.
                if let line = ending.lines.first(where: { $0.hasPrefix("ok ") }) { #expect(line == "ok \(number)") }
                if let line = ending.lines.first(where: { $0.hasPrefix("error ") }) {
                    #expect(line.hasPrefix("error \(state) "), "\(line)")
                }
                state = number
                guard let line = ending.lines.first(where: { $0.hasPrefix("steps ") }) else { continue }
                let counts = line.split(separator: " ").compactMap { Int($0) }
                #expect(counts.last == 0, "renamed before the disk had it: \(line)")
                isOver = counts[0] < step
                // The number of calls up to the renaming.
                if isOver { #expect(step > 10) }
            }
            #expect(isOver)
        }
        // What the last one left behind hinders no later write.
        try LocalProvider(file: url).setValue(0, for: "a")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("folder").path) == ["a.json"])
    }

    @Test("takes 300 writes of each of two processes to keys of their own")
    func twoProcesses() async throws {
        let url = folder.file("a.json")
        let watching = LocalProvider(file: url)
        let processes = try ["left", "right"].map { try writer(["count", url.path, $0, "300"]) }
        for process in processes {
            let ending = try await process.ending()
            #expect(ending.lines == (0..<300).map { "ok \($0)" })
            #expect(ending.status == 0, "\(ending.errors)")
        }
        let document = try #require(LocalProvider(file: url).document)
        #expect(document.root.count == 200)
        for prefix in ["left", "right"] {
            for number in 0..<100 {
                #expect(document.value(for: FlagKeyPath("\(prefix)/\(number)")) == .integer(Int128(200 + number)))
            }
        }
        try watching.reload()
        #expect(watching.document == document)
        #expect(try folder.names() == ["a.json"])
    }

    @Test(
        "is intact after the disk was full, and written once there is space; where it is mounted alone, it says what to do",
        .enabled("no file system can be mounted here") { try await mountingWrapper() != nil })
    func fullDisk() async throws {
        let wrapper = try #require(try await Self.mountingWrapper())
        let ending = try await writer(["full", folder.file("disk").path], wrapper: wrapper).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        let lines = ending.lines
        try #require(lines.count == 5)
        #expect(lines[0] == #"before {"kept": true}"#)
        #expect(lines[1].hasPrefix("error 1 Provider \"LocalProvider\", flag \"big\": "))
        #expect(lines[1].contains("a.json was not written, and nothing has changed: No space left on device"))
        #expect(lines[2...] == [#"then {"kept": true} nil ["a.json"]"#, "ok 2", "finally true 30000"])
        // Nor is a file written that is mounted alone, as containers do, because nothing can be renamed onto it.
        let url = try folder.file("a.json", #"{"kept":true}"#)
        let mount = ["sh", "-c", #"mount --bind "$0" "$0" && exec "$@""#, url.path]
        let busy = try await writer(["count", url.path, "a", "1"], wrapper: wrapper + mount).ending()
        #expect(busy.lines.first?.contains("If the file is mounted alone, mount its folder in its place.") == true)
        #expect(try folder.text("a.json") == #"{"kept":true}"# && folder.names() == ["a.json", "disk"])
    }

    /// What starts a program that may mount a file system, which only it sees and which goes with it; `nil` if nothing does.
    private static func mountingWrapper() async throws -> [String]? {
        let place = try TemporaryFolder()
        for wrapper in [["unshare", "--mount"], ["unshare", "--map-root-user", "--mount"]] {
            let command = wrapper + ["mount", "-t", "tmpfs", "tackline", place.url.path]
            let ending = try await ChildProcess(URL(filePath: "/usr/bin/env"), command).ending()
            if ending.status == 0 { return wrapper }
        }
        return nil
    }

    @Test(
        "is left alone by a user who may not write it, or not even read it",
        .enabled(if: getuid() == 0, "only the superuser can become somebody without permission"))
    func permissions() async throws {
        let cases = [
            (0o600, 0o777, "cannot be read: Permission denied", "Permission denied (open"),
            (0o644, 0o755, "ready", "Permission denied"), (0o444, 0o777, "ready", "Permission denied (access"),
        ]
        for (index, (file, folderMode, status, error)) in cases.enumerated() {
            let name = "case\(index)"
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
            let url = try folder.file("\(name)/a.json", #"{"kept":true}"#)
            try #require(chmod(url.path, mode_t(file)) == 0 && chmod(folder.file(name).path, mode_t(folderMode)) == 0)
            let ending = try await writer(["unprivileged", url.path]).ending()
            let lines = ending.lines
            try #require(ending.status == 0 && lines.count == 2, "\(ending.errors)")
            #expect(lines[0].contains(status), "\(lines[0])")
            #expect(lines[1].hasPrefix("error 0") && lines[1].contains("nothing has changed: \(error)"), "\(lines[1])")
            #expect(try folder.text("\(name)/a.json") == #"{"kept":true}"#)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file(name).path) == ["a.json"])
        }
        // What another user's writer left behind when it was killed can be read only, and hinders no write.
        let url = try folder.file("case2/a.json", "{}")
        let left = try folder.file("case2/.a.json.writing", "{")
        try #require(chmod(url.path, 0o666) == 0 && chmod(left.path, 0o644) == 0)
        #expect(try await writer(["unprivileged", url.path]).ending().lines.last == "ok 1")
    }
}
