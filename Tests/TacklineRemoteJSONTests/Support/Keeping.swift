import TacklineCore
import TacklineLoopback
import TacklineRemoteJSON
import Testing

/// Checks that a bad answer changes nothing: the old values stay, and the old tag is sent again afterwards.
///
/// - Returns: What the refresh threw.
@discardableResult
func expectKept(
    _ bad: LoopbackReply,
    code: FlagError.Code,
    location: SourceLocation = #_sourceLocation,
    configure: (inout RemoteJSONConfiguration) -> Void = { _ in }
) async throws -> FlagError? {
    try await expectKept(bad, codes: [code], location: location, configure: configure)
}

/// The same, where transports differ in how they see it.
@discardableResult
func expectKept(
    _ bad: LoopbackReply,
    codes: [FlagError.Code],
    location: SourceLocation = #_sourceLocation,
    configure: (inout RemoteJSONConfiguration) -> Void = { _ in }
) async throws -> FlagError? {
    let server = try LoopbackServer(replies: [good(), bad, .response(.notModified(etag: "\"1\""))])
    let provider = FlagIssueReporter.withReporter(.silent) {
        RemoteJSONProvider(url: server.url, configuration: .forTests(configure))
    }
    try await provider.refresh()
    var thrown: FlagError?
    do {
        let outcome = try await provider.refresh()
        Issue.record("the bad answer was taken: \(outcome)", sourceLocation: location)
    } catch {
        thrown = error
    }
    #expect(thrown.map { codes.contains($0.code) } == true, "\(String(describing: thrown))", sourceLocation: location)
    #expect(provider.value(for: "a") == .integer(1), sourceLocation: location)
    #expect(try await provider.refresh() == .unchanged, sourceLocation: location)
    #expect(server.requests.last?.headerValue("If-None-Match") == "\"1\"", sourceLocation: location)
    #expect(server.requests.count == 3, sourceLocation: location)
    return thrown
}
