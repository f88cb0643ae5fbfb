import Foundation
import TacklineCore
import TacklineLaunchGuard
import TacklineClosure
import Synchronization
import TacklineTestSupport
import Testing

/// A folder of launches, in which launches of this process can die.
struct LaunchWorld {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: 0, description: "A number") var number: Int
        @Flag(default: 0, updatePolicy: .session, description: "A pinned number") var pinned: Int
        @Flag(default: 0, updatePolicy: .nextLaunch, description: "A number for a launch") var kept: Int
        @Flag(default: .null, description: "Anything") var any: EncodedFlagValue
    }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func launch(_ change: (inout LaunchGuard.Options) -> Void = { _ in }) -> LaunchGuard {
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        options.issueReporter = FlagIssueReporter { _ in }
        // A process that another test starts shares the lock for a moment, which a busy machine makes long.
        options.lockTimeLimit = .seconds(60)
        change(&options)
        return LaunchGuard(folder: folder.url, options: options)
    }

    /// A guarded provider, whose values can be replaced.
    final class Remote: Sendable {
        let provider: ClosureProvider
        private let box: Box

        private final class Box: Sendable {
            let values: Mutex<[String: EncodedFlagValue]>
            init(_ values: [String: EncodedFlagValue]) { self.values = Mutex(values) }
        }

        init(_ values: [String: EncodedFlagValue]) {
            let box = Box(values)
            self.box = box
            provider = ClosureProvider(name: "remote", values: { box.values.withLock { $0 } })
        }

        func replace(_ values: [String: EncodedFlagValue]) {
            box.values.withLock { $0 = values }
            provider.valuesDidChange()
        }
    }

    func flags(_ launches: LaunchGuard, _ providers: any FlagProvider...) -> FlagsLoader<Flags> {
        FlagsLoader(
            Flags.self, providers: providers, issueReporter: FlagIssueReporter { _ in },
            launchGuard: launches)
    }

    /// Leaves what a process leaves behind that dies after the closure.
    func die(limit: Int = 3, _ body: (LaunchGuard) throws -> Void) throws {
        let launches = launch { $0.deathLimit = limit }
        try body(launches)
        try kill(launches)
    }

    /// Leaves what a process leaves behind that dies now.
    func kill(_ launches: LaunchGuard) throws {
        let notes = try notes()
        launches.end()
        try notes.write(to: notesFile())
    }

    /// The folder of this executable.
    func executable() throws -> URL {
        folder.url.appending(path: try #require(try folder.names().first))
    }

    /// The file of the launch that isn't healthy yet.
    func notesFile() throws -> URL { try executable().appending(path: "notes") }

    func notes() throws -> Data { try Data(contentsOf: notesFile()) }

    /// The record of this executable.
    func record() throws -> URL { try executable().appending(path: "record") }
}
