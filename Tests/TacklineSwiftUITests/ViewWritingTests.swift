import Foundation
import TacklineBrowser
import TacklineComposition
import TacklineCore
import TacklineLocal
import TacklineOverrides
import TacklineTestSupport
import Testing

@testable import TacklineSwiftUI

/// A file of flags in a folder of its own, locked by somebody else.
private final class LockedFile: Sendable {
    private let folder: TemporaryFolder
    private let descriptor: CInt
    let provider: LocalProvider

    init() throws {
        folder = try TemporaryFolder()
        descriptor = open(folder.file(".a.json.writing").path, O_RDWR | O_CREAT, 0o644)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        // Long enough that a write which waited for it would hang the test.
        provider = LocalProvider(
            file: folder.file("a.json"), name: "file", changeDetection: .off,
            settings: .init(lockTimeLimit: .seconds(3600)))
    }

    func unlock() {
        unlink(folder.file(".a.json.writing").path)
        close(descriptor)
    }

    var text: String? { try? folder.text("a.json") }
}

@Suite("A write from a view", .hangLimit)
struct ViewWritingTests {
    @Test("changes the value at once and waits for no file, in the flag browser whatever the command")
    @MainActor
    func writes() async throws {
        let file = try LockedFile()
        let overrides = FlagOverrides(storage: file.provider, environment: .nonProduction)
        let flags = FlagsLoader(ViewFlags.self, environment: .nonProduction, providers: [overrides])
        let screen = FlagsBrowserScreen(FlagsBrowser(flags))
        let bundle = """
            {"format": "tackline-overrides", "version": 1, "overrides": [
              {"key": "is_on", "value": true}, {"key": "number", "value": 7, "expires": "9999-01-01T00:00:00Z"}]}
            """
        let commands: [FlagsBrowserCommand] = [
            .set(flag: "ViewFlags:is_on", text: "true"), .reset(flag: "ViewFlags:is_on"),
            .importBundle(bundle: bundle, isReplacing: true), .resetAll(),
        ]
        flags.$isOn.setValueFromView(true, providerNamed: overrides.name)
        #expect(flags.isOn)
        for command in commands { screen.begin(command) }
        await screen.finish()
        screen.undo()
        await screen.finish()
        #expect(screen.failure == nil)
        #expect(flags.isOn && flags.number == 7 && overrides.overrides.contains { $0.expires != nil })
        #expect(file.text == nil)
        file.unlock()
        try file.provider.flush()
        #expect(file.text?.contains("is_on") == true)
    }
}
