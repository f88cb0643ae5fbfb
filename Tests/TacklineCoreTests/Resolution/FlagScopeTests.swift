import TacklineComposition
import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

@Suite("A scope", .hangLimit)
struct FlagScopeTests {
    private func scope(_ value: Bool) throws -> FlagScope {
        let ordinal = try FlagProbe<UserExperiments>.ordinal(of: \.secrets.boomFeature)
        var scope = FlagScope()
        scope.set(value, for: .init(root: ObjectIdentifier(UserExperiments.self), ordinal: ordinal))
        return scope
    }

    @Test("wins over everything in its task and the child tasks, in each loader of the collection")
    func wins() async throws {
        let memory = MemoryProvider(values: ["secrets/boom_feature": false, "nickname": "Al"])
        let user = FlagsLoader(UserExperiments.self, providers: [memory])
        let other = FlagsLoader(UserExperiments.self, providers: [])
        #expect(!user.secrets.boomFeature && !other.secrets.boomFeature)
        await FlagScope.run(try scope(true)) {
            #expect(user.secrets.boomFeature && other.secrets.boomFeature)
            #expect(user.nickname == "Al", "a flag that it does not set")
            async let child = user.secrets.boomFeature
            #expect(await child)
            let detached = Task.detached { user.secrets.boomFeature }
            #expect(await detached.value == false)
        }
        #expect(!user.secrets.boomFeature && !other.secrets.boomFeature)
    }

    @Test("has no effect on a task that outlives it, whatever other scopes are active")
    func outlived() async throws {
        let user = FlagsLoader(UserExperiments.self, providers: [])
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        var outlivesBoth: Task<Bool, Never>?
        var outlivesInner: Task<(inner: Bool, outer: Bool), Never>?
        let (ran, run) = AsyncStream.makeStream(of: Void.self)
        var scopeOfNickname = FlagScope()
        let nickname = try FlagProbe<UserExperiments>.ordinal(of: \.nickname)
        scopeOfNickname.set(
            String?.some("Al"), for: .init(root: ObjectIdentifier(UserExperiments.self), ordinal: nickname))
        try await FlagScope.run(scopeOfNickname) {
            FlagScope.run(try scope(true)) {
                outlivesBoth = Task {
                    for await _ in ended { break }
                    return user.secrets.boomFeature || user.nickname != nil
                }
                outlivesInner = Task {
                    for await _ in ran { break }
                    return (user.secrets.boomFeature, user.nickname == "Al")
                }
            }
            run.yield()
            let seen = await outlivesInner?.value
            #expect(seen?.inner == false && seen?.outer == true)
        }
        // Another scope is active while the task reads.
        await FlagScope.run(try scope(true)) {
            end.yield()
            #expect(await outlivesBoth?.value == false)
            #expect(user.secrets.boomFeature)
        }
    }

    @Test("sets no flag of another type, also if constructions of the collection differ")
    func otherType() throws {
        let ordinal = try Shifting.$features.withValue([.first, .second]) {
            try FlagProbe<Shifting>.ordinal(of: \.text)
        }
        var scope = FlagScope()
        scope.set("scoped", for: .init(root: ObjectIdentifier(Shifting.self), ordinal: ordinal))
        let loader = Shifting.$features.withValue([.first]) { FlagsLoader(Shifting.self, providers: []) }
        FlagScope.run(scope) { #expect(loader.last == 3 && loader.text.isEmpty) }
    }
}

/// A collection whose flags differ from one construction to the next.
private struct Shifting: FlagCollectionProtocol {
    @TaskLocal static var features: [ShiftingFeature] = []

    @FlagCollection var features: FlagFeatureCollection<ShiftingFeature>
    @Flag(default: "") var text: String
    @Flag(default: 3) var last: Int
}

private enum ShiftingFeature: String, FlagFeature {
    case first, second
    static var allCases: [ShiftingFeature] { Shifting.features }
}
