#if Configuration
    import Configuration
    import Foundation
    import TacklineCore

    // Foundation: bytes are `Data`.

    /// The key and type with which swift-configuration is asked for a flag.
    struct AskedFlag: Sendable, Equatable {
        let path: FlagKeyPath
        let key: [String]
        let type: ConfigType
        /// Whether a text stands for something else, such as an object in JSON.
        let readsText: Bool

        /// The flags of some collections.
        static func all(
            in collections: [any FlagCollectionProtocol.Type], _ keys: ConfigurationKeys
        ) -> [AskedFlag] {
            func flags<Collection: FlagCollectionProtocol>(of type: Collection.Type) -> [AnyFlagHandle] {
                FlagProbe<Collection>.flags
            }
            return collections.flatMap { flags(of: $0) }.map { flag in
                let (type, readsText) = flag.valueType.configType
                let key =
                    keys == .flagKeys ? flag.keyPath.components : flag.property.split(separator: ".").map(String.init)
                return AskedFlag(path: flag.keyPath, key: key, type: type, readsText: readsText)
            }
        }

        /// The neutral form of what the source gave.
        func encoded(_ content: ConfigContent) -> EncodedFlagValue {
            switch content {
            case .string(let value): readsText ? .unparsed(value) : .string(value)
            case .int(let value): .integer(Int128(value))
            case .double(let value): .double(value)
            case .bool(let value): .bool(value)
            case .bytes(let value): .data(Data(value))
            case .stringArray(let values): .array(values.map { .string($0) })
            case .intArray(let values): .array(values.map { .integer(Int128($0)) })
            case .doubleArray(let values): .array(values.map { .double($0) })
            case .boolArray(let values): .array(values.map { .bool($0) })
            case .byteChunkArray(let chunks): .array(chunks.map { .data(Data($0)) })
            }
        }
    }

    // MARK: Types

    extension FlagValue {
        /// The type to ask for, and whether a text of that type is to be read by the flag.
        fileprivate static var configType: (type: ConfigType, readsText: Bool) {
            if let optional = self as? any WrappingFlagValue.Type { return optional.wrapped.configType }
            if let array = self as? any ListFlagValue.Type {
                switch array.element.configType {
                case (.bool, _): return (.boolArray, false)
                case (.int, _): return (.intArray, false)
                case (.double, _): return (.doubleArray, false)
                case (.bytes, _): return (.byteChunkArray, false)
                case (.string, false): return (.stringArray, false)
                // A list of lists or of objects: JSON in a text.
                default: return (.string, true)
                }
            }
            if let raw = (self as? any RawRepresentable.Type)?.rawType { return raw.configType }
            switch self {
            case is Bool.Type: return (.bool, false)
            case is any BinaryInteger.Type: return (.int, false)
            case is any BinaryFloatingPoint.Type: return (.double, false)
            case is Data.Type: return (.bytes, false)
            case is String.Type, is URL.Type, is UUID.Type, is Date.Type: return (.string, false)
            default: return (.string, true)
            }
        }
    }

    extension RawRepresentable {
        fileprivate static var rawType: (any FlagValue.Type)? { RawValue.self as? any FlagValue.Type }
    }

    private protocol WrappingFlagValue {
        static var wrapped: any FlagValue.Type { get }
    }

    extension Optional: WrappingFlagValue where Wrapped: FlagValue {
        fileprivate static var wrapped: any FlagValue.Type { Wrapped.self }
    }

    private protocol ListFlagValue {
        static var element: any FlagValue.Type { get }
    }

    extension Array: ListFlagValue where Element: FlagValue {
        fileprivate static var element: any FlagValue.Type { Element.self }
    }

    // MARK: A reader, which has a method for each type

    extension ConfigSnapshotReader {
        /// Returns a value of a type; `nil` if there is none.
        func value(forKey key: ConfigKey, type: ConfigType) -> ConfigValue? {
            let content: ConfigContent? =
                switch type {
                case .string: string(forKey: key).map { .string($0) }
                case .int: int(forKey: key).map { .int($0) }
                case .double: double(forKey: key).map { .double($0) }
                case .bool: bool(forKey: key).map { .bool($0) }
                case .bytes: bytes(forKey: key).map { .bytes($0) }
                case .stringArray: stringArray(forKey: key).map { .stringArray($0) }
                case .intArray: intArray(forKey: key).map { .intArray($0) }
                case .doubleArray: doubleArray(forKey: key).map { .doubleArray($0) }
                case .boolArray: boolArray(forKey: key).map { .boolArray($0) }
                case .byteChunkArray: byteChunkArray(forKey: key).map { .byteChunkArray($0) }
                }
            return content.map { ConfigValue($0, isSecret: false) }
        }
    }
#endif
