import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import Testing

/// Checks that a bad answer changes nothing: the old values stay, and the old tag is sent again afterwards.
///
/// - Parameter codes: The codes of what the refresh may throw, where transports differ in how they see it.
/// - Returns: What the refresh threw.
@discardableResult
func expectKept(
    _ bad: LoopbackReply, codes: [FlagError.Code], location: SourceLocation = #_sourceLocation,
    configure: (inout RemoteJSONProvider.Configuration) -> Void = { _ in }
) async throws -> FlagError? {
    let server = try LoopbackServer(replies: [good(), bad, .response(.notModified(etag: "\"1\""))])
    let provider = FlagIssueReporter.withReporter(.silent) {
        RemoteJSONProvider(url: server.url, configuration: .forTests(configure))
    }
    try await provider.refresh()
    let thrown = await provider.failure()
    #expect(thrown.map { codes.contains($0.code) } == true, "\(String(describing: thrown))", sourceLocation: location)
    #expect(provider.value(for: "a") == .integer(1), sourceLocation: location)
    #expect(try await provider.refresh() == .unchanged, sourceLocation: location)
    #expect(server.requests.last?.headerValue("If-None-Match") == "\"1\"", sourceLocation: location)
    #expect(server.requests.count == 3, sourceLocation: location)
    return thrown
}

extension RemoteJSONProvider {
    /// Refreshes, and returns what that threw.
    func failure() async -> FlagError? {
        do {
            try await refresh()
            return nil
        } catch {
            return error as? FlagError
        }
    }

    /// Refreshes, and returns the outcome or the code of what that threw.
    func result() async -> Result<FlagRefreshOutcome, Failure> {
        do { return .success(try await refresh()) } catch { return .failure(Failure((error as? FlagError)?.code)) }
    }

    struct Failure: Error, Equatable, ExpressibleByStringLiteral {
        var code: FlagError.Code?

        init(_ code: FlagError.Code?) { self.code = code }
        init(stringLiteral value: String) { code = FlagError.Code(value) }
    }
}
