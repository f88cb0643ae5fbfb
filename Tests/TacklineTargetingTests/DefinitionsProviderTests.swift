import Synchronization
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

private struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Table reservations")
    var reservations: Bool

    @Flag(default: "none", description: "Whose values these are")
    var owner: String

    @Flag(key: "never", default: 7, description: "A flag that no document has")
    var never: Int
}

@Suite("A provider of definitions", .hangLimit)
struct DefinitionsProviderTests {
    /// `owner` names the user; `reservations` is on for staff; `broken` is wrong.
    private func definitions(staff: String = "@example.com") throws -> FlagDefinitions {
        let owners = (0..<20).map { #""user-\#($0)": "user-\#($0)""# }.joined(separator: ", ")
        return try FlagDefinitions(
            json(
                """
                {"flags": {
                "reservations": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                    "targeting": {"if": [{"ends_with": [{"var": "email"}, "\(staff)"]}, "on"]}},
                "owner": {"state": "ENABLED", "variants": {\(owners)}, "targeting": {"var": "targetingKey"}},
                "steady": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on"},
                "group": {"state": "ENABLED", "variants": {"on": {"inner": {"deep": 5}}}, "defaultVariant": "on"},
                "broken": {"state": "ENABLED"}}}
                """))
    }

    private let ada: EvaluationContext = ["targetingKey": "user-1", "email": "ada@example.com"]
    private let bob: EvaluationContext = ["targetingKey": "user-2", "email": "bob@example.org"]

    @Test("answers for the current context, and leaves what it cannot answer to the next provider")
    func answers() throws {
        let provider = DefinitionsProvider(try definitions(), context: .current(CurrentContext(ada)))
        #expect(provider.value(for: "reservations") == true)
        #expect(provider.value(for: "owner") == "user-1")
        #expect(provider.value(for: "broken") == nil)
        #expect(provider.value(for: "unknown") == nil)
        #expect(provider.value(for: "group/inner/deep") == 5)
        #expect(provider.value(for: "group/outer") == nil)
        #expect(provider.evaluation(for: "reservations").reason == .targetingMatch)
        #expect(provider.evaluation(for: "broken").errorCode == .parseError)
        #expect(provider.document?.value(for: "owner") == "user-1")
    }

    @Test("announces exactly the flags whose value a new context changes, and another subject with another key")
    func contextChange() async throws {
        let context = CurrentContext(ada)
        let provider = DefinitionsProvider(try definitions(), context: .current(context))
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        context.set(ada)
        context.update { $0["shoe size"] = 43 }
        context.set(bob)
        context.set(EvaluationContext())
        var iterator = notices.makeAsyncIterator()
        guard case .changed(let changes)? = await iterator.next() else { throw CancellationError() }
        #expect(await iterator.next() == .subjectChanged)
        #expect(Set(changes.map(\.key.text)) == ["reservations", "owner"])
        #expect(changes.first { $0.key == "owner" }?.new == "user-2")
        guard case .changed(let last)? = await iterator.next() else { throw CancellationError() }
        #expect(last == [FlagProviderChange(key: "owner", old: "user-2", new: nil)])
        #expect(await iterator.next() == .subjectChanged)
        withExtendedLifetime(observer) {}
    }

    @Test("announces exactly the flags whose value a new document changes")
    func documentChange() async throws {
        let provider = DefinitionsProvider(try definitions(), context: .fixed(bob))
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        provider.update(try definitions())
        provider.update(try definitions(staff: "@example.org"))
        var iterator = notices.makeAsyncIterator()
        #expect(
            await iterator.next()
                == .changed([FlagProviderChange(key: "reservations", old: false, new: true)]))
        withExtendedLifetime(observer) {}
    }

    @Test("changes what a loader reads, and only that")
    func loader() throws {
        let context = CurrentContext(ada)
        let provider = DefinitionsProvider(try definitions(), context: .current(context))
        let flags = FlagsLoader(AppFlags.self, providers: [provider])
        #expect(flags.reservations)
        #expect(flags.owner == "user-1")
        #expect(flags.never == 7)
        context.set(bob)
        #expect(!flags.reservations)
        #expect(flags.owner == "user-2")
        context.set(EvaluationContext())
        #expect(flags.owner == "none")
        provider.update(try definitions(staff: ""))
        #expect(!flags.reservations)
    }

    @Test("gives each of a thousand requests at once its own values")
    func requests() async throws {
        let provider = DefinitionsProvider(try definitions(), context: .task())
        let flags = FlagsLoader(AppFlags.self, providers: [provider])
        #expect(flags.owner == "none")
        await withTaskGroup(of: Bool.self) { group in
            for request in 0..<1_000 {
                group.addTask {
                    let user = "user-\(request % 20)"
                    return await withEvaluationContext(EvaluationContext(targetingKey: user, attributes: [:])) {
                        for _ in 0..<5 {
                            if flags.owner != user { return false }
                            await Task.yield()
                        }
                        async let child = flags.owner
                        return await child == user
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(flags.owner == "none")
    }

    @Test("falls back to the context it was given outside of any request, and an inner context replaces the outer one")
    func nesting() throws {
        let provider = DefinitionsProvider(try definitions(), context: .task(fallback: bob))
        #expect(provider.value(for: "owner") == "user-2")
        withEvaluationContext(ada) {
            #expect(provider.value(for: "owner") == "user-1")
            withEvaluationContext(EvaluationContext()) { #expect(provider.value(for: "owner") == nil) }
            #expect(provider.value(for: "owner") == "user-1")
            #expect(provider.document?.value(for: "reservations") == true)
        }
        #expect(provider.value(for: "owner") == "user-2")
    }

    @Test("passes on what the operation of a context throws")
    func throwing() async {
        struct Refusal: Error, Equatable {}
        #expect(throws: Refusal()) { try withEvaluationContext(ada) { throw Refusal() } }
        await #expect(throws: Refusal()) {
            try await withEvaluationContext(ada) {
                await Task.yield()
                throw Refusal()
            }
        }
    }

    @Test("never shows one user's values to another, while users and documents change")
    func consistency() async throws {
        let context = CurrentContext(bob)
        let provider = DefinitionsProvider(try definitions(), context: .current(context))
        let flags = FlagsLoader(AppFlags.self, providers: [provider])
        let documents = [try definitions(), try definitions(staff: "@example.org")]
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<2 {
                group.addTask {
                    for round in 0..<200 {
                        context.set(EvaluationContext(targetingKey: "user-\((round + task * 7) % 20)", attributes: [:]))
                    }
                }
            }
            group.addTask {
                for round in 0..<200 { provider.update(documents[round % 2]) }
            }
            group.addTask {
                for _ in 0..<500 {
                    let evaluation = provider.evaluation(for: "owner")
                    #expect(evaluation.variant.map { .string($0) } == evaluation.value)
                }
            }
        }
        context.set(ada)
        #expect(flags.owner == "user-1")
        #expect(provider.document?.value(for: "owner") == "user-1")
    }

    @Test("tells who was given a value, once, and when it changes again")
    func exposures() async throws {
        final class Recording: ExposureObserver {
            let exposures = Mutex<[FlagExposure]>([])
            func observe(_ batch: [FlagExposure]) async { exposures.withLock { $0 += batch } }
        }
        let recording = Recording()
        let recorder = ExposureRecorder(observer: recording)
        let context = CurrentContext(ada)
        let provider = DefinitionsProvider(
            try definitions(), name: "rules", context: .current(context))
        let flags = FlagsLoader(AppFlags.self, providers: [provider], observers: [recorder])
        for _ in 0..<10 { _ = flags.reservations }
        _ = flags.never
        context.set(bob)
        for _ in 0..<10 { _ = flags.reservations }
        context.set(ada)
        _ = flags.reservations
        await recorder.flush()
        let told = recording.exposures.withLock { $0 }
        #expect(told.map(\.contextID) == ["user-1", "user-2"])
        #expect(told.map(\.variant) == ["on", "off"])
        #expect(told.map(\.reason) == [.targetingMatch, .default])
        #expect(told.allSatisfy { $0.flagKey == "reservations" && $0.providerName == "rules" })
    }

    @Test("shows variant, reason and metadata, without taking that for an exposure")
    func details() async throws {
        let recorder = ExposureRecorder(observer: Nobody())
        let provider = DefinitionsProvider(
            try definitions(), name: "rules", context: .fixed(ada))
        let flags = FlagsLoader(AppFlags.self, providers: [provider], observers: [recorder])
        let resolution = flags.$reservations.resolution()
        #expect(resolution.variant == "on" && resolution.reason == .targetingMatch && resolution.value)
        #expect(flags.$reservations.explain().description.contains("[variant \"on\", TARGETING_MATCH]"))
        #expect(provider.evaluation(for: "broken").errorCode == .parseError)
        #expect(provider.evaluation(for: "group/inner/deep").variant == "on")
        #expect(provider.evaluation(for: "unknown") == FlagEvaluation(value: nil), "no error")
        #expect(
            recorder.record(provider.evaluation(for: "reservations"), of: "reservations", for: ada),
            "nothing was recorded before")
        _ = flags.owner
        #expect(!recorder.record(provider.evaluation(for: "owner"), of: "owner", for: ada), "a read was recorded")
    }

    @Test("tells of the next user who is given the same value, which a loader had kept")
    func exposuresOfEqualValues() async throws {
        let recorder = ExposureRecorder(observer: Nobody())
        let context = CurrentContext(bob)
        let provider = DefinitionsProvider(try definitions(), context: .current(context))
        let flags = FlagsLoader(AppFlags.self, providers: [provider], observers: [recorder])
        #expect(!flags.reservations)
        let eve: EvaluationContext = ["targetingKey": "user-3", "email": "eve@example.org"]
        context.set(eve)
        #expect(
            recorder.record(provider.evaluation(for: "owner"), of: "owner", for: eve), "she has not been given that")
        #expect(!flags.reservations)
        #expect(!recorder.record(provider.evaluation(for: "reservations"), of: "reservations", for: eve))
    }

    private struct Nobody: ExposureObserver {
        func observe(_ exposures: [FlagExposure]) async {}
    }
}
