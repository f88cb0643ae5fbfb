import CStepKiller
import Dispatch
import Foundation
import Synchronization
import Tackline
import TacklineCore
import TacklineLaunchGuard
import TacklineRemoteJSON
import TacklineSigning
import TacklineTargeting

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
/// The variables `REMOTE`, `OTHER` and `OVERRIDES` are objects of JSON, the contents of providers. With `CACHED` the remote
/// one is a `RemoteJSONProvider` without a network, which has what its cache has; `SIGNED` and `RULES` say what documents it
/// takes, and `USER` is the targeting key. With `LATE` the remote content arrives after the first read, and with `AFTER`
/// when the launch is healthy.
///
/// The ways to die are those of ``die(_:)``; with `always-` before one of them it dies whatever its flags are, and with
/// `early-` before it reads one. It prints the codes of the guard's issues, `boom` or `calm` with the edition, and at last
/// `healthy`. `HOURS` puts the clock forward. `FOLDER` replaces the folder, `DAMAGED` is the name of a file in it that is
/// damaged before, `FULL_DISK` lets no file grow, and with `DEBUGGED` another process traces this one.
///
/// Variables kill it elsewhere: `KILL_AT_STEP` at a call of the system that concerns files, and `KILL_HEALTH_AT_STEP` at
/// that call of what makes the launch healthy. With `FAIL_AT_STEP` and `FAIL_HEALTH_AT_STEP` that call fails, as on a disk
/// that is full or broken. With `COUNT_STEPS` it prints the number of these calls, with `COUNT_START` what the guard alone
/// did at the start, and with `COUNT_COST` what it does later; `NO_GUARD` loads flags without it.
@main
struct LaunchProbe {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: false, description: "A flag that makes the app die") var boom: Bool
        @Flag(default: false, description: "Another one, which is read later") var bang: Bool
        @Flag(default: 0, description: "The edition of the values") var edition: Int
        @Flag(default: false, updatePolicy: .nextLaunch, description: "The same as boom, pinned") var pinned: Bool
        @Flag(default: "", description: FlagMetadata(description: "A text that makes it die", tags: ["secret"]))
        var secret: String
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
        let flags = load(["REMOTE": "{}"], launches, URL(filePath: folder)).flags
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
            let place = "\(folder)/\(line[0])"
            if line.contains(where: { $0.hasPrefix("CACHED") }) {
                // It starts over, since what it uses has threads, which a copy lacks.
                let texts = [CommandLine.arguments[0], place, line[1]]
                let arguments: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
                execv(texts[0], arguments)
                exit(71)
            }
            launch(in: place, line[1])
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
        // A shell may ignore them for programs in its background.
        for number in [SIGINT, SIGHUP] { signal(number, SIG_DFL) }
        if let step = variables["KILL_AT_STEP"].flatMap({ Int($0) }) { kill_at_step(step) }
        if let step = variables["FAIL_AT_STEP"].flatMap({ Int($0) }) {
            fail_at_step(step, variables["FAIL_WITH"].flatMap { Int32($0) } ?? EIO)
        }
        if variables["COUNT_STEPS"] != nil || variables["COUNT_START"] != nil { kill_at_step(0) }
        var options = LaunchGuard.Options()
        options.healthyAfter = nil
        options.countsInBackground = variables["COUNTS_IN_BACKGROUND"] != nil
        let hours = variables["HOURS"].flatMap { Double($0) } ?? 0
        options.now = { Date() + hours * 3600 }
        options.issueReporter = FlagIssueReporter { say("issue \($0.code)") }
        if variables["DEBUGGED"] != nil { trace_process() }
        let place = variables["FOLDER"].map { URL(filePath: $0) } ?? URL(filePath: folder).appending(path: "launches")
        if let name = variables["DAMAGED"] { damage(name, in: place) }
        if variables["FULL_DISK"] != nil { fill_disk() }
        let launches = LaunchGuard(folder: place, options: options)
        if variables["COUNT_START"] != nil { say("start \(count_of_steps()) \(count_of_bytes())") }
        let (flags, replaceRemote) = load(variables, launches, URL(filePath: folder))
        if variables["COUNT_COST"] != nil { return countCost(flags, launches, replaceRemote) }
        if way.hasPrefix("early-") { die(String(way.dropFirst(6))) }
        if let late = variables["LATE"] {
            _ = flags.edition
            replaceRemote(late)
        }
        let isCalm = !flags.boom && !flags.pinned && flags.secret.isEmpty
        say("\(isCalm ? "calm" : "boom") \(flags.edition)")
        if way.hasPrefix("always-") { die(String(way.dropFirst(7))) }
        if flags.boom || flags.bang || flags.pinned || !flags.secret.isEmpty { die(way, launches) }
        if let step = variables["FAIL_HEALTH_AT_STEP"].flatMap({ Int($0) }) { fail_at_step(step, ENOSPC) }
        if let step = variables["KILL_HEALTH_AT_STEP"].flatMap({ Int($0) }) { kill_at_step(step) }
        launches.markHealthy()
        if variables["COUNT_STEPS"] != nil { say("steps \(count_of_steps()) \(count_of_renames_of_unsynced())") }
        say("healthy")
        if let after = variables["AFTER"] { replaceRemote(after) }
    }

    /// Prints the number of calls of the system for the first read, for later ones, for the first read of another content, for
    /// becoming healthy, and for everything later.
    private static func countCost(
        _ flags: FlagsLoader<Flags>, _ launches: LaunchGuard, _ replaceRemote: (String) -> Void
    ) {
        kill_at_step(0)
        var count = count_of_steps()
        func cost(_ body: () -> Void) -> Int {
            defer { count = count_of_steps() }
            body()
            return count_of_steps() - count
        }
        let read = { for _ in 0..<100 { _ = (flags.boom, flags.bang, flags.edition, flags.pinned, flags.secret) } }
        let costs = [
            cost { _ = flags.edition }, cost(read),
            cost {
                replaceRemote(#"{"edition": 8}"#)
                _ = flags.edition
            },
            cost { launches.markHealthy() },
            cost {
                replaceRemote(#"{"edition": 9}"#)
                read()
                launches.end()
            },
        ]
        say("costs \(costs)")
    }

    private static func damage(_ name: String, in folder: URL) {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.lastPathComponent == name {
            try? Data("{\"deaths\": [".utf8).write(to: file)
        }
    }

    private static func load(
        _ variables: [String: String], _ launches: LaunchGuard, _ folder: URL
    ) -> (flags: FlagsLoader<Flags>, replaceRemote: @Sendable (String) -> Void) {
        let (remote, replaceRemote) = variables["CACHED"] == nil ? closure(variables) : server(variables, folder)
        let other = values(variables["OTHER"] ?? "{}")
        let overrides = FlagOverrides(storage: MemoryProvider(), environment: .nonProduction)
        for (key, value) in values(variables["OVERRIDES"] ?? "{}") {
            try? overrides.setValue(value, for: FlagKeyPath(key))
        }
        let providers: [any FlagProvider] = [
            overrides, remote, ClosureProvider(name: "other", values: { other }),
        ]
        if variables["NO_GUARD"] != nil {
            let flags = FlagsLoader(
                Flags.self, environment: .nonProduction, providers: providers, issueReporter: .silent)
            return (flags, replaceRemote)
        }
        let flags = FlagsLoader(
            Flags.self, environment: .nonProduction, providers: providers, issueReporter: .silent, launchGuard: launches
        )
        return (flags, replaceRemote)
    }

    private typealias Source = (provider: any FlagProvider, replace: @Sendable (String) -> Void)

    private static func closure(_ variables: [String: String]) -> Source {
        let content = Mutex(values(variables["REMOTE"] ?? "{}"))
        let provider = ClosureProvider(name: "remote", values: { content.withLock { $0 } })
        return (
            provider,
            { text in
                content.withLock { $0 = values(text) }
                provider.valuesDidChange()
            }
        )
    }

    private static func server(_ variables: [String: String], _ folder: URL) -> Source {
        let answer = Mutex("")
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .directory(folder.appending(path: "cache"))
        configuration.transport = StubTransport { _ in
            HTTPTransportResponse(json: answer.withLock { $0 })
        }
        if variables["SIGNED"] != nil { configuration.trust = Signer.trust }
        let context = CurrentContext(EvaluationContext(targetingKey: variables["USER"] ?? "nobody"))
        let provider = RemoteJSONProvider(
            url: URL(string: "https://flags.example.com") ?? folder, name: "remote",
            format: variables["RULES"] == nil ? .values : .flagd(context: .current(context)),
            configuration: configuration)
        return (
            provider,
            { text in
                answer.withLock { $0 = variables["SIGNED"] == nil ? text : Signer.envelope(text) }
                let isOver = DispatchSemaphore(value: 0)
                Task.detached {
                    do { try await provider.refresh() } catch { say("\(error)") }
                    isOver.signal()
                }
                isOver.wait()
            }
        )
    }

    /// A signer of documents, whose signature is its key.
    private struct Signer: SignatureAlgorithm {
        static let key = TrustedKey(bytes: Data(1...32))
        static let trust = DocumentTrust(keys: [key], algorithm: Signer())

        func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool { signature == key }

        static func envelope(_ text: String) -> String {
            let signature = SignedEnvelope.Signature(keyID: key.id, bytes: key.bytes ?? Data())
            let envelope = SignedEnvelope(payload: Data(text.utf8), signatures: [signature])
            return String(decoding: envelope.json, as: UTF8.self)
        }
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

    /// Doesn't return.
    static func die(_ way: String, _ launches: LaunchGuard? = nil) {
        switch way {
        case "signal": raise(SIGSEGV)
        case "kill": raise(SIGKILL)
        case "trap": fatalError("the flag is on")
        case "exit": exit(0)
        case "terminate": raise(SIGTERM)
        case "interrupt": raise(SIGINT)
        case "hang up": raise(SIGHUP)
        case "background":
            // The user leaves the app and closes it.
            launches?.end()
            raise(SIGKILL)
        case "hang":
            // A watchdog ends it.
            kill_after_microseconds(1)
            while true { pause() }
        default:
            // Another process kills it.
            say("waiting")
            while true { pause() }
        }
    }
}
