import TacklineRemoteJSON
import TacklineTesting
import Testing

// The transport of Examples/Server, where its `check-transport` runs these tests.
#if canImport(AsyncHTTPTransport)
    import AsyncHTTPTransport
#endif
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which transport tests use: those of a suite with the trait ``Trait/overEachTransport`` run once with each.
enum TestTransport: Sendable, CaseIterable {
    case urlSession
    #if canImport(FoundationNetworking)
        case curl
    #endif
    #if canImport(AsyncHTTPTransport)
        case asyncHTTPClient
    #endif

    @TaskLocal static var current = TestTransport.urlSession

    /// Makes the transport of the current test, whose timeouts never come unless the clock is moved.
    static func make(clock: any Clock<Duration> = ManualClock()) -> any HTTPTransport {
        #if canImport(FoundationNetworking)
            if current == .curl, let transport = CurlTransport(clock: clock) { return transport }
        #endif
        #if canImport(AsyncHTTPTransport)
            if current == .asyncHTTPClient { return AsyncHTTPClientTransport(clock: clock) }
        #endif
        return URLSessionTransport(clock: clock)
    }
}

/// Runs each test once with each transport of the platform.
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
    /// Runs each test once with each transport of the platform.
    static var overEachTransport: OverEachTransport { OverEachTransport() }
}
