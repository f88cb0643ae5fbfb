import TacklineCore
import TacklineMemory
import TacklineTestSupport
import TacklineTesting
import Testing

private struct SubjectFlags: FlagCollectionProtocol {
    @Flag(default: "", description: "Not pinned") var live: String
    @Flag(default: "", updatePolicy: .session, description: "Pinned for a session") var session: String
    @Flag(default: "", updatePolicy: .nextLaunch, description: "Pinned for a launch") var launch: String
    @Flag(
        default: "", updatePolicy: .session, computed: { (flags: SubjectFlags) in "of " + flags.live },
        description: "Computed and pinned")
    var computed: String
}

/// A provider of one user's values, who may change.
private final class Account: FlagProvider {
    let name = "account"
    let store: FlagProviderStore

    init(_ user: EncodedFlagValue) { store = FlagProviderStore(Self.document(user)) }

    private static func document(_ user: EncodedFlagValue) -> FlagDocument {
        FlagDocument(["live": user, "session": user, "launch": user])
    }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
    func logIn(_ user: EncodedFlagValue) {
        store.replaceDocument(with: Self.document(user))
        store.announceSubjectChange()
    }
}

/// A provider whose values are the current task's.
private struct PerTask: FlagProvider {
    @TaskLocal static var user: EncodedFlagValue?
    let name = "per task"
    let traits = FlagProviderTraits.taskDependent

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { key.text == "unknown" ? nil : Self.user }
    // Not true, and of no effect.
    func observe(_ observer: FlagProviderObserver) -> Bool { true }
}

@Suite("A pinned value of one subject", .hangLimit)
struct PinnedSubjectTests {
    private func values(_ flags: FlagsLoader<SubjectFlags>) -> [String] {
        [flags.live, flags.session, flags.launch, flags.computed]
    }

    @Test("ends when any provider of the chain announces another subject, and so does a computed one")
    func subjectChange() {
        let (high, account) = (MemoryProvider(name: "high"), Account("ada"))
        let flags = FlagsLoader(SubjectFlags.self, providers: [high, account])
        #expect(values(flags) == ["ada", "ada", "ada", "of ada"])
        account.store.setValue("other", for: "session")
        high.setValue("high", for: "launch")
        #expect(values(flags) == ["ada", "ada", "ada", "of ada"])
        account.logIn("ben")
        #expect(values(flags) == ["ben", "ben", "high", "of ben"])
        #expect(flags.$session.explain().pinned?.value == "ben")
    }

    @Test("is not made beside a provider whose answers differ from task to task, which is reported and explained")
    func perTask() {
        let issues = IssueRecorder()
        let memory = MemoryProvider(values: ["session": "everybody"])
        let flags = FlagsLoader(SubjectFlags.self, providers: [memory], issueReporter: issues.reporter)
        #expect(flags.session == "everybody" && flags.$session.explain().pinned != nil)
        flags.providers = [Wrapping(), memory]
        for user in ["ada", "ben", "ada"] {
            PerTask.$user.withValue(.string(user)) {
                #expect(values(flags) == [user, user, user, "of \(user)"])
                #expect(flags.$session.explain().pinned == nil)
            }
        }
        #expect(flags.session == "everybody")
        #expect(
            flags.$session.explain().reason == """
                the first usable value in the chain; it is not pinned, since answers of provider "Wrapping" differ from \
                task to task
                """)
        #expect(issues.codes == [.pinnedPerTask, .pinnedPerTask, .pinnedPerTask])
        #expect(
            issues.issues.first?.message == """
                Flag "session" is to be pinned (update policy session), but the chain has provider "Wrapping", whose \
                answers differ from task to task. It is not pinned, so that no task reads the value of another one. \
                Declare the flag with updatePolicy: .live.
                """)
        flags.providers = [memory]
        #expect(flags.session == "everybody" && flags.$session.explain().pinned != nil)
    }
}

private struct Wrapping: FlagProvider {
    let wrappedProviders: [any FlagProvider] = [PerTask()]
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { wrappedProviders[0].value(for: key) }
}
