// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// The public declarations of OpenFeature's SDK for Swift 0.6.0, with bodies of our own.

public enum Value: Equatable, Codable {
    case boolean(Bool)
    case string(String)
    case integer(Int64)
    case double(Double)
    case date(Date)
    case list([Value])
    case structure([String: Value])
    case null
}

public enum MetadataValue: Equatable, Codable {
    case boolean(Bool)
    case string(String)
    case integer(Int64)
    case double(Double)
}

public typealias FlagMetadata = [String: FlagMetadataValue]
public typealias FlagMetadataValue = MetadataValue

public protocol AllowedFlagValueType: Equatable {}

extension Bool: AllowedFlagValueType {}
extension Int64: AllowedFlagValueType {}
extension Double: AllowedFlagValueType {}
extension String: AllowedFlagValueType {}
extension Value: AllowedFlagValueType {}

// The raw values are the names of the cases, not the words of OpenFeature's specification.
public enum Reason: String {
    case staticReason
    case defaultReason
    case targetingMatch
    case split
    case cached
    case disabled
    case unknown
    case stale
    case error
}

public enum ErrorCode: Int {
    case providerNotReady
    case flagNotFound
    case parseError
    case typeMismatch
    case targetingKeyMissing
    case invalidContext
    case general
    case providerFatal
}

public enum OpenFeatureError: Error, Equatable {
    case flagNotFoundError(key: String)
    case generalError(message: String)
    case parseError(message: String)
    case targetingKeyMissingError
    case typeMismatchError
    case valueNotConvertableError
    case providerNotReadyError

    public func errorCode() -> ErrorCode {
        switch self {
        case .flagNotFoundError: .flagNotFound
        case .generalError, .valueNotConvertableError: .general
        case .parseError: .parseError
        case .targetingKeyMissingError: .targetingKeyMissing
        case .typeMismatchError: .typeMismatch
        case .providerNotReadyError: .providerNotReady
        }
    }
}

// MARK: Contexts

public protocol Structure {
    func asMap() -> [String: Value]
}

public protocol EvaluationContext: Structure {
    func getTargetingKey() -> String
}

public class ImmutableStructure: Structure {
    private let attributes: [String: Value]

    public init(attributes: [String: Value] = [:]) { self.attributes = attributes }

    public func asMap() -> [String: Value] { attributes }
}

public struct ImmutableContext: EvaluationContext {
    private let targetingKey: String
    private let structure: ImmutableStructure

    public init(targetingKey: String = "", structure: ImmutableStructure = ImmutableStructure()) {
        self.targetingKey = targetingKey
        self.structure = structure
    }

    public func getTargetingKey() -> String { targetingKey }
    public func asMap() -> [String: Value] { structure.asMap() }
}
