#if CommandLine
    import Foundation
    import Synchronization
    import TacklineCore
    import TacklineManifest

    /// A collection of the flags in a list, for a tool that does not have the app's types.
    struct DeclaredFlags: ListedFlagCollection {
        /// The entries from which the next collection is made.
        @TaskLocal static var entries: [FlagManifest.Entry] = []

        /// The flags by name. Unmanaged, because slots are never freed: see `FlagBlock`.
        let listedFlags: [(name: String, slot: Unmanaged<FlagSlot>)]

        init() {
            FlagConstruction.noteListedFlags(of: Self.self)
            listedFlags = Self.entries.map { entry in
                let name = entry.property.isEmpty ? entry.key : entry.property
                return (String(name.split(separator: ".").last ?? ""), Self.slot(for: entry))
            }
        }

        /// Returns a flag of the type that fits best. ``FileBackend`` checks the rest of the entry's type.
        private static func slot(for entry: FlagManifest.Entry) -> Unmanaged<FlagSlot> {
            switch entry.type.kind {
            case .boolean: slot(Bool.self, entry)
            case .integer: slot(Int128.self, entry)
            case .number: slot(Double.self, entry)
            case .string: slot(String.self, entry)
            case .data: slot(Data.self, entry)
            case .date: slot(Date.self, entry)
            case .url: slot(URL.self, entry)
            case .uuid: slot(UUID.self, entry)
            case .array: slot([EncodedFlagValue].self, entry)
            case .object: slot([String: EncodedFlagValue].self, entry)
            case .any: slot(EncodedFlagValue.self, entry)
            }
        }

        private static func slot<Value: FlagValue>(
            _ type: Value.Type, _ entry: FlagManifest.Entry
        ) -> Unmanaged<FlagSlot> {
            if !entry.type.isOptional, let encoded = entry.defaultValue, let value = try? Value(encoded: encoded) {
                return Flag<Value>(declaration(value, entry)).slot
            }
            let value = entry.defaultValue.flatMap { try? Value?(encoded: $0) } ?? nil
            return Flag<Value?>(declaration(value, entry)).slot
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
            return FlagDeclaration(
                name: entry.name, key: .absolute(entry.key), defaultValue: defaultValue, metadata: metadata,
                site: FlagSite(fileID: #fileID, line: number, column: 0, label: entry.key))
        }

        private static let counter = Atomic<Int>(0)
    }
#endif
