import TacklineRemoteJSON
import Testing

// The transport of Examples/Server, where its `check-transport` runs these tests.
#if canImport(AsyncHTTPTransport)
    import AsyncHTTPTransport
#endif

/// Which transport tests use: those of a suite with the trait ``Trait/overEachTransport`` run once with each.
enum TestTransport: Sendable, CaseIterable {
    case system
    #if canImport(AsyncHTTPTransport)
        case asyncHTTPClient
    #endif

    @TaskLocal static var current = TestTransport.system

    /// Makes the transport of the current test.
    static func make() -> any HTTPTransport {
        #if canImport(AsyncHTTPTransport)
            if current == .asyncHTTPClient { return AsyncHTTPClientTransport() }
        #endif
        return RemoteJSONProvider.Configuration().effectiveTransport
    }
}

/// Runs each test once with each transport.
struct OverEachTransport: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for transport in TestTransport.allCases {
            try await TestTransport.$current.withValue(transport) { try await function() }
        }
    }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> OverEachTransport? {
        testCase == nil ? nil : self
    }
}

extension Trait where Self == OverEachTransport {
    /// Runs each test once with each transport.
    static var overEachTransport: OverEachTransport { OverEachTransport() }
}
