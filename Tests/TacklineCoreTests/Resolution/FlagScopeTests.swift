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

    @Test("wins over everything in its task and the child tasks, and in no other task")
    func wins() async throws {
        let memory = MemoryProvider(values: ["secrets/boom_feature": false])
        let user = FlagsLoader(UserExperiments.self, providers: [memory])
        #expect(!user.secrets.boomFeature)
        let scope = try scope(true)
        await FlagScope.run(scope) {
            #expect(user.secrets.boomFeature)
            #expect(user.$secrets.flags.first?.explain().source == .scope)
            #expect(user.snapshot()["secrets/boom_feature"] == true)
            async let child = user.secrets.boomFeature
            #expect(await child)
            let detached = Task.detached { user.secrets.boomFeature }
            #expect(await detached.value == false)
        }
        #expect(!user.secrets.boomFeature)
    }

    @Test("does not change an optional flag that it does not set")
    func optional() throws {
        let user = FlagsLoader(UserExperiments.self, providers: [MemoryProvider(values: ["nickname": "Al"])])
        FlagScope.run(try scope(true)) {
            #expect(user.nickname == "Al")
        }
    }

    @Test("applies to every loader of the collection, and to the first value of a sequence")
    func everyLoader() async throws {
        let loaders = (0..<2).map { _ in FlagsLoader(UserExperiments.self, providers: []) }
        await FlagScope.run(try scope(true)) {
            #expect(loaders.allSatisfy { $0.secrets.boomFeature })
            var values = loaders[0].secrets.$boomFeature.values.makeAsyncIterator()
            #expect(await values.next(isolation: nil) == true)
        }
        #expect(loaders.allSatisfy { !$0.secrets.boomFeature })
    }
}
