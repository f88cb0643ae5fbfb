import Synchronization
public import TacklineCore

/// A provider without values that reports every flag that it is asked for. Put it after the values of a test to find
/// out which other flags are read.
///
/// ```swift
/// let flags = FlagsLoader(AppFlags.self, providers: [.unimplemented])
/// withFlags(AppFlags.self) { $0.set(\.newCheckout, to: true) } operation: {
///     #expect(Checkout(flags).steps == 2)               // fails if Checkout reads another flag
/// }
/// ```
///
/// Nothing crashes: the flag gets its value from the next provider or its default. Each read is reported to the issue
/// reporter of the loader, or of the last one if several have the provider. If that is the standard reporter and a test of Swift Testing or XCTest is running, the test
/// fails.
public final class UnimplementedProvider: FlagProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String

    /// The reporter of the loader that has the provider, or of the last one of several.
    private let loaderReporter = Mutex<FlagIssueReporter?>(nil)

    /// Creates a provider with a name.
    public init(name: String = "unimplemented") { self.name = name }

    /// Reports the read, and returns `nil` for every key.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        let issue = FlagError(
            .unimplementedFlag,
            """
            Flag "\(key)" was read and nothing gives it a value: provider "\(name)" was asked for it, so the flag \
            falls through to what is behind, or to its default. Give it a value with withFlags, or in a provider \
            before "\(name)".
            """,
            key: key, provider: name)
        let reporter = loaderReporter.withLock { $0 } ?? .current
        if reporter === FlagIssueReporter.standard, TestFailure.record(issue) { return nil }
        reporter.report(issue)
        return nil
    }

    /// Records the reporter of the loader and returns `false`, so that the provider is asked at each read.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        var reporter: FlagIssueReporter? = observer.issueReporter
        // The former one is released outside of the lock.
        loaderReporter.withLock { swap(&$0, &reporter) }
        return false
    }
}

extension FlagProvider where Self == UnimplementedProvider {
    /// A provider without values that reports every flag that it is asked for.
    public static var unimplemented: UnimplementedProvider { UnimplementedProvider() }
}

extension FlagError.Code {
    /// A flag without a value was read in a test.
    public static let unimplementedFlag = FlagError.Code("unimplemented-flag")
}
