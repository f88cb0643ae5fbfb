#if CommandLine
    import Foundation
    import Synchronization
    import TacklineCore

    /// A collection of the flags that a list names, for a tool that does not have the app's types.
    struct DeclaredFlags: ListedFlagCollection {
        /// What the next collection is made of.
        @TaskLocal static var entries: [FlagManifest.Entry] = []

        let listedFlags: [(name: String, slotAddress: UInt)]

        init() {
            listedFlags = Self.entries.map { entry in
                let name = entry.property.isEmpty ? entry.key : entry.property
                return (String(name.split(separator: ".").last ?? ""), Self.flag(for: entry).slotAddress)
            }
        }

        /// Makes a flag of the type that fits best; what it takes beyond that is ``FileBackend``'s business.
        private static func flag(for entry: FlagManifest.Entry) -> any ReflectedFlag {
            switch entry.type.kind {
            case .boolean: flag(Bool.self, entry)
            case .integer: flag(Int128.self, entry)
            case .number: flag(Double.self, entry)
            case .string: flag(String.self, entry)
            case .data: flag(Data.self, entry)
            case .date: flag(Date.self, entry)
            case .url: flag(URL.self, entry)
            case .uuid: flag(UUID.self, entry)
            case .array: flag([EncodedFlagValue].self, entry)
            case .object: flag([String: EncodedFlagValue].self, entry)
            case .any: flag(EncodedFlagValue.self, entry)
            }
        }

        private static func flag<Value: FlagValue>(
            _ type: Value.Type, _ entry: FlagManifest.Entry
        ) -> any ReflectedFlag {
            if !entry.type.isOptional, let encoded = entry.defaultValue, let value = try? Value(encoded: encoded) {
                return Flag(declaration(value, entry))
            }
            let value = entry.defaultValue.flatMap { try? Value?(encoded: $0) } ?? nil
            return Flag(declaration(value, entry))
        }

        private static func declaration<Value: FlagValue>(
            _ defaultValue: Value, _ entry: FlagManifest.Entry
        ) -> FlagDeclaration<Value> {
            // There is no place in a source; a number of its own tells declarations apart.
            let number = UInt(counter.add(1, ordering: .relaxed).newValue)
            let metadata = FlagMetadata(
                name: entry.name, description: entry.description, isInternal: entry.isInternal,
                isLocked: entry.isLocked,
                tags: entry.tags, owner: entry.owner, expiryDate: entry.expiryDate, ticket: entry.ticket)
            return FlagDeclaration(
                name: entry.name, key: .absolute(entry.key), defaultValue: defaultValue, excludedProviderTypes: [],
                updatePolicy: .live, computedValue: nil, computed: nil, metadata: metadata,
                site: FlagSite(fileID: #fileID, line: number, column: 0, label: entry.key))
        }

        private static let counter = Atomic<Int>(0)
    }
#endif
