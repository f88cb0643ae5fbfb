import Configuration
import Tackline

extension VendorProvider {
    /// - Parameter types: The type of each key, since a provider is asked for a value of a type.
    static func configuration(_ provider: any ConfigProvider, types: [String: ConfigType]) -> VendorProvider {
        VendorProvider(
            name: provider.providerName,
            values: {
                let snapshot = provider.snapshot()
                var values: [String: EncodedFlagValue] = [:]
                for (key, type) in types {
                    // A value of another type is an error there, and absent here.
                    let path = AbsoluteConfigKey(FlagKeyPath(key).components)
                    let result = try? snapshot.value(forKey: path, type: type)
                    values[key] = result?.value?.content.encoded
                }
                return values
            },
            observe: { changed in
                Task {
                    try await provider.watchSnapshot { updates in
                        for await _ in updates { changed() }
                    }
                }
            },
            stopObserving: { task in task.cancel() }
        )
    }
}

extension ConfigContent {
    var encoded: EncodedFlagValue {
        switch self {
        case .string(let value): .string(value)
        case .int(let value): .integer(Int128(value))
        case .double(let value): .double(value)
        case .bool(let value): .bool(value)
        case .bytes(let value): .array(value.map { .integer(Int128($0)) })
        case .stringArray(let values): .array(values.map { .string($0) })
        case .intArray(let values): .array(values.map { .integer(Int128($0)) })
        case .doubleArray(let values): .array(values.map { .double($0) })
        case .boolArray(let values): .array(values.map { .bool($0) })
        case .byteChunkArray(let chunks): .array(chunks.map { chunk in .array(chunk.map { .integer(Int128($0)) }) })
        }
    }
}

func makeFlags(_ provider: any ConfigProvider, overrides: MemoryProvider) -> FlagsLoader<CheckoutFlags> {
    FlagsLoader(
        CheckoutFlags.self,
        providers: [overrides, VendorProvider.configuration(provider, types: ["new_checkout": .bool])])
}
