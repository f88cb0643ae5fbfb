#if CommandLine
    import Foundation
    import Synchronization
    import TacklineCore
    import TacklineManifest

    /// A collection of the flags in a list, for a tool that does not have the app's types.
    struct DeclaredFlags: FlagCollectionProtocol {
        /// The entries from which the next collection is made.
        @TaskLocal static var entries: [FlagManifest.Entry] = []

        /// Creates a flag for each entry. The loader finds them by their declarations, so they need no property.
        init() { for entry in Self.entries { Self.makeFlag(entry) } }

        /// Creates a flag of the type that fits best. ``FileBackend`` checks the rest of the entry's type.
        private static func makeFlag(_ entry: FlagManifest.Entry) {
            switch entry.type.kind {
            case .boolean: makeFlag(Bool.self, entry)
            case .integer: makeFlag(Int128.self, entry)
            case .number: makeFlag(Double.self, entry)
            case .string: makeFlag(String.self, entry)
            case .data: makeFlag(Data.self, entry)
            case .date: makeFlag(Date.self, entry)
            case .url: makeFlag(URL.self, entry)
            case .uuid: makeFlag(UUID.self, entry)
            case .array: makeFlag([EncodedFlagValue].self, entry)
            case .object: makeFlag([String: EncodedFlagValue].self, entry)
            case .any: makeFlag(EncodedFlagValue.self, entry)
            }
        }

        private static func makeFlag<Value: FlagValue>(_ type: Value.Type, _ entry: FlagManifest.Entry) {
            if !entry.type.isOptional, let encoded = entry.defaultValue, let value = try? Value(encoded: encoded) {
                _ = Flag<Value>(declaration(value, entry))
                return
            }
            let value = entry.defaultValue.flatMap { try? Value?(encoded: $0) } ?? nil
            _ = Flag<Value?>(declaration(value, entry))
        }

        private static func declaration<Value: FlagValue>(
            _ defaultValue: Value, _ entry: FlagManifest.Entry
        ) -> FlagDeclaration {
            // The flag has no place in a source, so a number of its own distinguishes its declaration.
            let number = UInt(counter.add(1, ordering: .relaxed).newValue)
            let metadata = FlagMetadata(
                name: entry.name, description: entry.description, isInternal: entry.isInternal,
                isLocked: entry.isLocked,
                tags: entry.tags, owner: entry.owner, expiryDate: entry.expiryDate, ticket: entry.ticket)
            let name = (entry.property.isEmpty ? entry.key : entry.property).split(separator: ".").last ?? ""
            return FlagDeclaration(
                name: entry.name, key: .absolute(entry.key), defaultValue: defaultValue, metadata: metadata,
                site: FlagSite(
                    fileID: #fileID, line: number, column: 0,
                    member: FlagMember(String(name), of: Self.self, description: entry.key)))
        }

        private static let counter = Atomic<Int>(0)
    }
#endif
