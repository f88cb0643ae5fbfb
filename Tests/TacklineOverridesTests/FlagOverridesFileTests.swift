import Foundation
import Tackline
import TacklineTestSupport
import Testing

@Suite("Overrides in a file")
struct FlagOverridesFileTests {
    @Test("are there after a relaunch, whatever their type")
    func relaunch() throws {
        let folder = try TemporaryFolder()
        let open = { FlagOverrides(file: folder.file("overrides.json"), environment: .nonProduction) }
        let before = open()
        let flags = FlagsLoader(OverriddenFlags.self, environment: .nonProduction, providers: [before])
        let end = Date(timeIntervalSinceReferenceDate: 4_000_000_000.25)
        try before.setValue(true, for: flags.$newCheckout, expires: end)
        try before.setValue(.null, for: "mood")
        try before.setValue(["a": [1, 2.5, "é\n\"/", true, .null]], for: "limits.attempts")
        let after = open()
        #expect(after.status == .ready && after.overrides == before.overrides && after.overrides.count == 3)
        #expect(after.overrides.last?.expires == end)
        try after.removeAll()
        #expect(open().overrides.isEmpty)
    }

    @Test("that is damaged stay as they are, and the status and each write say where and what to do, in the same words")
    func damaged() throws {
        for text in [
            "junk", "{", "", #"{"tackline-overrides": {"format": "tackline-overrides", "ov"#, "[1]", "\u{FEFF}\0",
        ] {
            let folder = try TemporaryFolder()
            let file = try folder.file("overrides.json", text)
            let overrides = FlagOverrides(file: file, environment: .nonProduction)
            #expect(overrides.overrides.isEmpty && overrides.value(for: "a") == nil)
            let error = #expect(throws: FlagError.self) { try overrides.setValue(1, for: "a") }
            #expect(error.map { overrides.status == .failed($0) } == true, "\(text): \(overrides.status)")
            #expect(error?.code == .unreadable && error?.message.contains("Correct") == true, "\(text)")
            #expect(error?.message.contains("recovery:") == false, "\(text)")
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }

    /// The same file in each process, and another one for another copy of the package.
    private static let shared = FileManager.default.temporaryDirectory
        .appending(path: "tackline-killed\(#filePath.replacing("/", with: "-")).json")

    @Test("are whole and in order whenever the process that writes them is killed")
    func killed() async throws {
        defer { try? FileManager.default.removeItem(at: Self.shared) }
        try? FileManager.default.removeItem(at: Self.shared)
        var last = 0
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                let overrides = FlagOverrides(file: Self.shared, environment: .nonProduction)
                var number = overrides.value(for: "second").flatMap { try? Int(encoded: $0) } ?? 0
                Thread.detachNewThread {
                    for _ in 0..<Int.random(in: 0..<20_000) { sched_yield() }
                    kill(getpid(), SIGKILL)
                }
                while true {
                    number += 1
                    for key: FlagKeyPath in ["first", "second"] {
                        try overrides.setValue(.integer(Int128(number)), for: key)
                    }
                }
            }
            let overrides = FlagOverrides(file: Self.shared, environment: .nonProduction)
            #expect(overrides.status == .ready)
            let numbers = try ["first", "second"].map { try overrides.value(at: $0).map { try Int(encoded: $0) } ?? 0 }
            #expect(numbers[0] >= last && (0...1).contains(numbers[0] - numbers[1]), "\(numbers) after \(last)")
            last = numbers[0]
        }
        #expect(last > 0)
    }
}
