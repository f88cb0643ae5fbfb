import Tackline
import Vexil

extension ClosureProvider {
    /// - Parameter types: The type of each key, since a source is asked for a value of a type.
    static func vexil(
        _ source: some FlagValueSource, types: [String: any (Vexil.FlagValue & Sendable).Type]
    ) -> ClosureProvider {
        ClosureProvider(
            name: source.flagValueSourceName,
            traits: .live,
            values: {
                var values: [String: EncodedFlagValue] = [:]
                for (key, type) in types { values[key] = source.encodedValue(of: type, key: key) }
                return values
            },
            observe: { changed in
                let task = Task {
                    for try await _ in source.flagValueChanges(keyPathMapper: { Vexil.FlagKeyPath($0) }) { changed() }
                }
                return { task.cancel() }
            }
        )
    }
}

extension FlagValueSource {
    func encodedValue<Value: Vexil.FlagValue>(of type: Value.Type, key: String) -> EncodedFlagValue? {
        let value: Value? = flagValue(key: key)
        return value?.boxedFlagValue.encoded
    }
}

extension BoxedFlagValue {
    var encoded: EncodedFlagValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.encoded })
        case .bool(let value): .bool(value)
        case .dictionary(let members): .object(members.mapValues { $0.encoded })
        case .data(let value): .data(value)
        case .double(let value): .double(value)
        case .float(let value): .double(Double(value))
        case .integer(let value): .integer(Int128(value))
        case .none: .null
        case .string(let value): .string(value)
        }
    }
}

func makeFlags(_ source: some FlagValueSource, overrides: FlagOverrides) -> FlagsLoader<CheckoutFlags> {
    FlagsLoader(
        CheckoutFlags.self, keyConfiguration: KeyConfiguration(pathSeparator: ".", keyTransform: .kebabCase),
        providers: [overrides, ClosureProvider.vexil(source, types: ["new-checkout": Bool.self])])
}
