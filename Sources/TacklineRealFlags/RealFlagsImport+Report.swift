public import TacklineCore

extension RealFlagsImport {
    /// The result of an import.
    public struct Report: Sendable, Equatable, CustomStringConvertible {
        /// A value that was found.
        public struct Entry: Sendable, Equatable {
            /// The key under which RealFlags kept it.
            public var oldKey: FlagKeyPath
            /// The flag's key now.
            public var key: FlagKeyPath
            /// The value as the flag's type writes it, or as RealFlags kept it if the type refuses it.
            public var value: EncodedFlagValue
            /// The reason why the flag's type refuses the value, or `nil` if it takes it.
            public var error: FlagValueError?
        }

        /// The values that the call wrote, in the order of the flags.
        public var imported: [Entry] = []
        /// The values that were not written, because the provider has a value for the flag already.
        public var kept: [Entry] = []
        /// The values that were not written, because the flag's type refuses them. They stay in the old file, and the next
        /// call tries them again.
        public var refused: [Entry] = []
        /// The keys in the old file that belong to no flag of these loaders, sorted. Empty where no file was read.
        public var unclaimedKeys: [String] = []

        /// Whether there was nothing to do: everything was imported before, or RealFlags left nothing.
        public var isEmpty: Bool { imported.isEmpty && kept.isEmpty && refused.isEmpty && unclaimedKeys.isEmpty }

        /// A line for each value that was found and each key that belongs to no flag.
        public var description: String {
            var lines = imported.map { "imported \($0.oldKey) as \($0.key) = \($0.value)" }
            lines += kept.map { "kept \($0.key), which has a value already; \($0.oldKey) was \($0.value)" }
            lines += refused.map { "refused \($0.oldKey) for \($0.key)\($0.error.map { ": \($0)" } ?? "")" }
            lines += unclaimedKeys.map { "no flag has \($0)" }
            return lines.joined(separator: "\n")
        }
    }
}
