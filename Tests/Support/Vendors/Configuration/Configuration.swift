// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on swift-configuration uses of version 1, with its signatures.

public struct AbsoluteConfigKey: Sendable, Hashable {
    public var components: [String]

    public init(_ components: [String]) { self.components = components }
}

public enum ConfigType: String, Sendable, Hashable {
    case string, int, double, bool, bytes, stringArray, intArray, doubleArray, boolArray, byteChunkArray
}

public enum ConfigContent: Sendable, Hashable {
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case bytes([UInt8])
    case stringArray([String])
    case intArray([Int])
    case doubleArray([Double])
    case boolArray([Bool])
    case byteChunkArray([[UInt8]])
}

public struct ConfigValue: Sendable, Hashable {
    public var content: ConfigContent
    public var isSecret: Bool

    public init(_ content: ConfigContent, isSecret: Bool) {
        self.content = content
        self.isSecret = isSecret
    }
}

public struct LookupResult: Sendable, Hashable {
    public var encodedKey: String
    public var value: ConfigValue?

    public init(encodedKey: String, value: ConfigValue?) {
        self.encodedKey = encodedKey
        self.value = value
    }
}

public struct ConfigUpdatesAsyncSequence<Element: Sendable, Failure: Error>: AsyncSequence {
    private let upstream: any AsyncSequence<Element, Failure>

    public init(_ upstream: some AsyncSequence<Element, Failure>) { self.upstream = upstream }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var upstream: any AsyncIteratorProtocol<Element, Failure>

        public mutating func next() async throws(Failure) -> Element? { try await upstream.next(isolation: nil) }
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await upstream.next(isolation: actor)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(upstream: upstream.makeAsyncIterator()) }
}

public protocol ConfigSnapshot: Sendable {
    var providerName: String { get }
    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult
}

public protocol ConfigProvider: Sendable {
    var providerName: String { get }
    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult
    func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult
    func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws -> Return
    ) async throws -> Return
    func snapshot() -> any ConfigSnapshot
    func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return
}

/// Values in memory, for tests of those who use a provider.
public final class MutableInMemoryProvider: ConfigProvider, @unchecked Sendable {
    private struct Snapshot: ConfigSnapshot {
        let providerName = "MutableInMemoryProvider"
        let values: [AbsoluteConfigKey: ConfigValue]

        struct WrongType: Error {}

        func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            let value = values[key]
            if case .int? = value?.content, type != .int { throw WrongType() }
            if case .bool? = value?.content, type != .bool { throw WrongType() }
            return LookupResult(encodedKey: key.components.joined(separator: "."), value: value)
        }
    }

    private let lock = NSLock()
    private var values: [AbsoluteConfigKey: ConfigValue] = [:]
    private var continuations: [UUID: AsyncStream<any ConfigSnapshot>.Continuation] = [:]

    public init() {}

    public let providerName = "MutableInMemoryProvider"

    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try snapshot().value(forKey: key, type: type)
    }

    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws -> Return
    ) async throws -> Return {
        let result = Result { try value(forKey: key, type: type) }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(AsyncStream { $0.yield(result) }))
    }

    public func snapshot() -> any ConfigSnapshot { lock.withLock { Snapshot(values: values) } }

    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let id = UUID()
        let (stream, continuation) = AsyncStream.makeStream(of: (any ConfigSnapshot).self)
        lock.withLock {
            continuations[id] = continuation
            continuation.yield(Snapshot(values: values))
        }
        defer { lock.withLock { _ = continuations.removeValue(forKey: id) } }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(stream))
    }

    public func setValue(_ value: ConfigValue?, forKey key: AbsoluteConfigKey) {
        lock.withLock {
            values[key] = value
            for continuation in continuations.values { continuation.yield(Snapshot(values: values)) }
        }
    }

    // MARK: For tests

    public var watcherCount: Int { lock.withLock { continuations.count } }
}
