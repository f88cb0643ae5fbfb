import Synchronization
import TacklineClosure
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
    func logIn(_ user: EncodedFlagValue) { store.replaceDocument(with: Self.document(user), isOtherSubject: true) }
}

/// A provider whose values are the current task's.
private struct PerTask: FlagProvider {
    @TaskLocal static var user: EncodedFlagValue?
    let name = "per task"
    let kind = FlagProviderKind.taskDependent

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { key.text == "unknown" ? nil : Self.user }
    // Not true, and of no effect.
    func observe(_ observer: FlagProviderObserver) -> Bool { true }
}

@Suite("A pinned value of one subject", .hangLimit)
struct PinnedSubjectTests {
    private func values(_ flags: FlagsLoader<SubjectFlags>) -> [String] {
        [flags.live, flags.session, flags.launch, flags.computed]
    }

    @Test("ends when its provider announces another subject, and so does a computed one")
    func subjectChange() {
        let account = Account("ada")
        let flags = FlagsLoader(SubjectFlags.self, providers: [account])
        #expect(values(flags) == ["ada", "ada", "ada", "of ada"])
        account.store.setValue("other", for: "session")
        #expect(flags.session == "ada")
        account.logIn("ben")
        #expect(values(flags) == ["ben", "ben", "ben", "of ben"])
        #expect(flags.$session.explain().pinned?.value == "ben")
    }

    @Test("ends though the new subject has the same values, as it is resolved anew")
    func announcement() {
        let account = Account("ada")
        let low = MemoryProvider(values: ["session": "low"])
        let flags = FlagsLoader(SubjectFlags.self, providers: [account, low])
        #expect(flags.session == "ada")
        account.store.setValue(nil, for: "session")
        #expect(flags.session == "ada")
        account.store.announceSubjectChange()
        #expect(flags.session == "low")
    }

    @Test("stays if a provider was not asked that changes its subject, and ends if one was that had no value")
    func otherProviders() {
        let (high, low) = (MemoryProvider(name: "high", values: ["session": "high"]), Account("ada"))
        let flags = FlagsLoader(SubjectFlags.self, providers: [high, low])
        #expect(flags.session == "high" && flags.launch == "ada")
        high.setValues(["session": "newer", "launch": "newer"])
        low.logIn("ben")
        #expect(flags.session == "high" && flags.launch == "newer")

        let empty = FlagProviderStore()
        let unpinned = FlagsLoader(SubjectFlags.self, providers: [StoreProvider(store: empty)])
        #expect(unpinned.session.isEmpty)
        empty.replaceDocument(with: FlagDocument(["session": "ben"]), isOtherSubject: true)
        #expect(unpinned.session == "ben", "nothing was what the former subject had")
    }

    @Test("ends after the chain was replaced, even by one without its provider")
    func chainChange() {
        let account = Account("ada")
        let flags = FlagsLoader(SubjectFlags.self, providers: [account])
        #expect(flags.session == "ada")
        flags.providers = [MemoryProvider(values: ["session": "memory"])]
        #expect(flags.session == "ada")
        account.logIn("ben")
        #expect(flags.session == "memory")
    }

    @Test("is never given to a reader after another thread has changed the subject")
    func threads() async {
        let account = Account(0)
        let flags = FlagsLoader(NumberFlags.self, providers: [account])
        let current = Current()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for user in 1...300 {
                    account.logIn(.integer(Int128(user)))
                    current.user.store(user, ordering: .sequentiallyConsistent)
                }
            }
            group.addTask {
                while true {
                    let before = current.user.load(ordering: .sequentiallyConsistent)
                    #expect(flags.session >= before)
                    if before == 300 { return }
                    await Task.yield()
                }
            }
        }
        #expect(flags.session == 300)
    }

    @Test("is not made of a provider whose answers differ from task to task, which is reported once")
    func perTask() {
        let issues = IssueRecorder()
        let flags = FlagsLoader(SubjectFlags.self, providers: [PerTask()], issueReporter: issues.reporter)
        for user in ["ada", "ben", "ada"] {
            PerTask.$user.withValue(.string(user)) {
                #expect(values(flags) == [user, user, user, "of \(user)"])
                #expect(flags.$session.explain().pinned == nil)
            }
        }
        #expect(flags.session.isEmpty)
        #expect(issues.codes == [.pinnedPerTask, .pinnedPerTask, .pinnedPerTask])
        #expect(
            issues.issues.first?.message == """
                Flag "session" is to be pinned (updatePolicy: .session), but its value depends on provider "per task", \
                whose answers differ from task to task. It is not pinned, so that no task reads the value of another \
                one. Declare the flag with updatePolicy: .live.
                """)
    }

    @Test("is not made of the next provider's value where the first has none for this task alone")
    func absentForTask() {
        let memory = MemoryProvider(values: ["session": "everybody", "launch": "everybody"])
        let flags = FlagsLoader(SubjectFlags.self, providers: [PerTask(), memory], issueReporter: .silent)
        #expect(flags.session == "everybody")
        PerTask.$user.withValue("ada") { #expect(flags.session == "ada") }
        #expect(flags.session == "everybody")
    }

    @Test("is not made of a value that a wrapped or a computed provider takes from the task")
    func inherited() {
        let flags = FlagsLoader(SubjectFlags.self, providers: [PerTask()])
        let live = flags.$live
        let computed = ClosureProvider { $0.text == "session" ? .string(live.value) : nil }
        let reading = FlagsLoader(SubjectFlags.self, providers: [computed], issueReporter: .silent)
        let wrapping = FlagsLoader(SubjectFlags.self, providers: [Wrapping()], issueReporter: .silent)
        for user in ["ada", "ben"] {
            PerTask.$user.withValue(.string(user)) {
                #expect(reading.session == user)
                #expect(wrapping.session == user)
            }
        }
    }

    @Test("is none of a server's, where each of many requests reads its own values, pinned or not")
    func server() async {
        let flags = FlagsLoader(SubjectFlags.self, providers: [PerTask()], issueReporter: .silent)
        await withTaskGroup(of: Void.self) { group in
            for request in 0..<500 {
                group.addTask {
                    let user = "user-\(request)"
                    await PerTask.$user.withValue(.string(user)) {
                        for _ in 0..<3 {
                            #expect([flags.live, flags.session, flags.launch] == [user, user, user])
                            await Task.yield()
                        }
                        #expect(flags.computed == "of \(user)")
                    }
                }
            }
        }
    }
}

/// The user of the current request.
private final class Current: Sendable {
    let user = Atomic<Int>(0)
}

private struct NumberFlags: FlagCollectionProtocol {
    @Flag(default: 0, updatePolicy: .session, description: "Pinned for a session") var session: Int
}

private struct StoreProvider: FlagProvider {
    let store: FlagProviderStore
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
    func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}

private struct Wrapping: FlagProvider {
    let wrappedProviders: [any FlagProvider] = [PerTask()]
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { wrappedProviders[0].value(for: key) }
}
