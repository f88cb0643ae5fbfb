#if CommandLine
    import TacklineCore

    /// An edit of the values in a value file.
    struct ValueFileEdit {
        /// The values that the keys had before; keys without a value are left out.
        private(set) var before: [FlagKeyPath: EncodedFlagValue] = [:]
        /// Whether the rest of the file kept its layout.
        private(set) var keepsLayout = true
        private let path: String

        /// Sets the values for their keys, or removes a key whose value is `nil`, as durably as `LocalProvider` does.
        ///
        /// - Parameters:
        ///   - content: The content of the file; `nil` to recognize it from its members.
        ///   - path: The file; `-` reads standard input and writes the edited document to standard output.
        ///   - check: Receives the previous values and may refuse the edit by throwing.
        /// - Throws: The reason for the failure. The file is then unchanged.
        @discardableResult
        init(
            _ values: [(key: FlagKeyPath, value: EncodedFlagValue?)], as content: FlagFile.Content? = nil,
            to path: String, check: ([FlagKeyPath: EncodedFlagValue]) throws(CommandFailure) -> Void = { _ in }
        ) throws(CommandFailure) {
            self.path = path
            try FileWriting.rewrite(path) { bytes throws(CommandFailure) in
                (before, keepsLayout) = ([:], true)
                let file = try bytes.map { bytes throws(CommandFailure) in
                    try FlagFile(InputFile(path: path, bytes: bytes), as: content)
                }
                try file?.requireValues()
                var document = file?.document ?? FlagDocument()
                for (key, value) in values {
                    before[key] = document.value(for: key)
                    document.setValue(value, for: key)
                }
                try check(before)
                let new: [UInt8]
                if let file {
                    (new, keepsLayout) = try file.text(holding: document.root)
                } else {
                    do { new = try FlagFile.Format(ofNewFile: path).text(of: document.root) } catch {
                        throw CommandFailure("The values cannot be written: \(error).")
                    }
                }
                return new
            }
        }

        /// A line that says so if the layout was lost.
        var remarks: [String] { keepsLayout ? [] : ["\(path) was rewritten, sorted by key."] }
    }
#endif
