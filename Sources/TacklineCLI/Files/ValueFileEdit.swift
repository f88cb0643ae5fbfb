#if CommandLine
    import TacklineCore
    import TacklineManifest

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
                let new = try edited(bytes, as: content, values)
                try check(before)
                return new
            }
        }

        /// A line that says so if the layout was lost.
        var remarks: [String] { keepsLayout ? [] : ["\(path) was written anew, sorted by key."] }

        private mutating func edited(
            _ bytes: [UInt8]?, as content: FlagFile.Content?, _ values: [(key: FlagKeyPath, value: EncodedFlagValue?)]
        ) throws(CommandFailure) -> [UInt8] {
            guard let bytes else {
                var document = FlagDocument()
                for (key, value) in values { document.setValue(value, for: key) }
                return try FileWriting.bytes(of: document.root, format: FileWriting.format(ofNewFile: path))
            }
            let file = try FlagFile(InputFile(path: path, bytes: bytes), as: content)
            try file.requireValues()
            var document = file.document
            var edit = file.format == .json ? FlagJSONEdit(bytes) : nil
            for (key, value) in values {
                before[key] = document.value(for: key)
                if edit?.setValue(value, for: key, in: document) == false { edit = nil }
                document.setValue(value, for: key)
            }
            // The edited text must equal the library's own edit. Otherwise the library's document is written.
            if let edit, case .object(let members)? = try? FlagJSONReader().read(edit.result),
                FlagDocument(members) == document
            {
                return edit.result
            }
            if document == file.document { return bytes }
            keepsLayout = false
            return try FileWriting.bytes(of: document.root, format: file.format)
        }
    }
#endif
