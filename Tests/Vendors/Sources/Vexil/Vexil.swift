// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on Vexil uses of version 3, with its signatures.

public protocol FlagValue {
    associatedtype BoxedValueType = Data
    init?(boxedFlagValue: BoxedFlagValue)
    var boxedFlagValue: BoxedFlagValue { get }
}

public enum BoxedFlagValue: Equatable, Sendable {
    case array([BoxedFlagValue])
    case bool(Bool)
    case dictionary([String: BoxedFlagValue])
    case data(Data)
    case double(Double)
    case float(Float)
    case integer(Int)
    case none
    case string(String)
}

extension Bool: FlagValue {
    public typealias BoxedValueType = Bool
    public init?(boxedFlagValue: BoxedFlagValue) {
        guard case .bool(let value) = boxedFlagValue else { return nil }
        self = value
    }
    public var boxedFlagValue: BoxedFlagValue { .bool(self) }
}

extension Int: FlagValue {
    public typealias BoxedValueType = Int
    public init?(boxedFlagValue: BoxedFlagValue) {
        guard case .integer(let value) = boxedFlagValue else { return nil }
        self = value
    }
    public var boxedFlagValue: BoxedFlagValue { .integer(self) }
}

public struct FlagKeyPath: Hashable, Sendable {
    public let key: String

    public init(_ key: String, separator: String = ".") { self.key = key }
}

public enum FlagChange: Sendable {
    case all
    case some(Set<FlagKeyPath>)
}

public protocol FlagValueSource: AnyObject & Sendable {
    associatedtype ChangeStream: AsyncSequence where ChangeStream.Element == FlagChange
    var flagValueSourceID: String { get }
    var flagValueSourceName: String { get }
    func flagValue<Value>(key: String) -> Value? where Value: FlagValue
    func setFlagValue(_ value: (some FlagValue)?, key: String) throws
    func flagValueChanges(keyPathMapper: @Sendable @escaping (String) -> FlagKeyPath) -> ChangeStream
}

/// Values in memory, for tests of those who use a source.
public final class FlagValueDictionary: FlagValueSource, @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: BoxedFlagValue] = [:]
    private var continuations: [UUID: AsyncStream<FlagChange>.Continuation] = [:]

    public init() {}

    public let flagValueSourceID = "dictionary"
    public let flagValueSourceName = "Dictionary"

    public func flagValue<Value>(key: String) -> Value? where Value: FlagValue {
        lock.withLock { values[key] }.flatMap { Value(boxedFlagValue: $0) }
    }

    public func setFlagValue(_ value: (some FlagValue)?, key: String) throws {
        let continuations = lock.withLock {
            values[key] = value?.boxedFlagValue
            return self.continuations.values
        }
        for continuation in continuations { continuation.yield(.some([FlagKeyPath(key)])) }
    }

    public func flagValueChanges(keyPathMapper: @Sendable @escaping (String) -> FlagKeyPath) -> AsyncStream<FlagChange>
    {
        let id = UUID()
        let (stream, continuation) = AsyncStream.makeStream(of: FlagChange.self)
        continuation.onTermination = { [weak self] _ in
            self?.lock.withLock { _ = self?.continuations.removeValue(forKey: id) }
        }
        lock.withLock { continuations[id] = continuation }
        return stream
    }

    // MARK: For tests

    public var streamCount: Int { lock.withLock { continuations.count } }
}
