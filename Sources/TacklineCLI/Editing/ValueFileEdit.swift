#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineLocal

    /// Sets and removes values in a value file.
    enum ValueFileEdit {
        /// What an edit did.
        struct Outcome {
            /// The values before, by key; `nil` for a key that had none.
            var before: [String: EncodedFlagValue?] = [:]
            /// Whether the rest of the file looks as before.
            var keepsLayout = true
        }

        /// Makes the values those of the keys, removing a key with `nil`, as durably as a `LocalProvider` would.
        ///
        /// - Parameters:
        ///   - separator: What stands between the names in the keys.
        ///   - content: What the file holds; `nil` to tell from its members.
        ///   - path: The file; with `-` standard input is read and the edited document goes to standard output.
        ///   - check: Gets the values before, and may refuse.
        /// - Throws: What went wrong. The file is then as it was.
        static func apply(
            _ values: [(key: String, value: EncodedFlagValue?)], separator: String = FlagKeyPath.defaultSeparator,
            as content: FlagFile.Content? = nil, to path: String,
            check: ([String: EncodedFlagValue?]) throws(CommandFailure) -> Void = { _ in }
        ) throws(CommandFailure) -> Outcome {
            let values = values.map { (key: FlagKeyPath($0.key, separator: separator), value: $0.value) }
            var outcome = Outcome()
            try FileWriting.rewrite(path) { bytes throws(CommandFailure) in
                outcome = Outcome()
                let new = try edited(bytes, path: path, as: content, values, &outcome)
                try check(outcome.before)
                return new
            }
            return outcome
        }

        private static func edited(
            _ bytes: [UInt8]?, path: String, as content: FlagFile.Content?,
            _ values: [(key: FlagKeyPath, value: EncodedFlagValue?)], _ outcome: inout Outcome
        ) throws(CommandFailure) -> [UInt8] {
            guard let bytes else {
                var document = FlagDocument()
                for (key, value) in values {
                    outcome.before[key.text] = .some(nil)
                    document.setValue(value, for: key)
                }
                return try FileWriting.bytes(of: document.root, format: FileWriting.format(ofNewFile: path))
            }
            let file: FlagFile
            do throws(FlagFileError) {
                file = try FlagFile(InputFile(path: path, bytes: bytes), as: content)
            } catch {
                throw CommandFailure("\(error.finding.line()). Nothing was written.")
            }
            try file.requireValues()
            var document = file.document
            var edit = file.format == .json ? JSONEdit(bytes) : nil
            for (key, value) in values {
                guard !document.hasNamesake(of: key) else {
                    throw CommandFailure(
                        """
                        \(path) has a key that differs only by Unicode normalisation; write the key as it stands there. \
                        Nothing was written.
                        """)
                }
                outcome.before[key.text] = document.value(for: key)
                if edit?.apply(value, for: key, in: document) == false { edit = nil }
                document.setValue(value, for: key)
            }
            // The text has to say the same as the library's own edit; else the library's is written.
            if let edit, case .object(let members)? = try? FlagJSONReader().read(edit.plainResult),
                FlagDocument(members) == document
            {
                return edit.result
            }
            if document == file.document { return bytes }
            if file.comment != nil { throw JSONEdit.lostComments(path) }
            outcome.keepsLayout = false
            return try FileWriting.bytes(of: document.root, format: file.format)
        }
    }

    extension JSONEdit {
        /// Does in the text what `FlagDocument.setValue(_:for:)` does.
        ///
        /// - Returns: `false` if it cannot be done in the text.
        fileprivate mutating func apply(
            _ value: EncodedFlagValue?, for key: FlagKeyPath, in document: FlagDocument
        ) -> Bool {
            let isFlat = document.root[key.text] != nil
            guard let value else {
                if isFlat, !removeMember(at: [key.text]) { return false }
                return JSONEdit.removal(of: key.components, in: document.root).map { removeMember(at: $0) } ?? true
            }
            if isFlat || key.components.count == 1 { return (try? set(value, at: [key.text])) ?? false }
            // Into the innermost object that is there, with objects for the names that are missing.
            var depth = 0
            var members = document.root
            while depth < key.components.count - 1, case .object(let inner)? = members[key.components[depth]] {
                members = inner
                depth += 1
            }
            guard depth > 0 else { return (try? set(value, at: [key.text])) ?? false }
            // Something else than an object is in the way.
            if depth < key.components.count - 1, members[key.components[depth]] != nil {
                return (try? set(value, at: [key.text])) ?? false
            }
            let wrapped = key.components.dropFirst(depth + 1).reversed().reduce(value) { .object([$1: $0]) }
            return (try? set(wrapped, at: Array(key.components.prefix(depth + 1)))) ?? false
        }

        /// The outermost member that goes when a nested value is removed: objects that become empty go too.
        private static func removal(of components: [String], in root: [String: EncodedFlagValue]) -> [String]? {
            guard components.count > 1 else { return nil }
            var members = root
            var removed = 1
            for (depth, name) in components.enumerated() {
                if members.count > 1 { removed = depth + 1 }
                guard let value = members[name] else { return nil }
                if depth == components.count - 1 { return Array(components.prefix(removed)) }
                guard case .object(let inner) = value else { return nil }
                members = inner
            }
            return nil
        }
    }
#endif
