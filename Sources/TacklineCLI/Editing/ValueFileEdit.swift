#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineLocal
    import TacklineManifest

    /// Edits of the values in a value file.
    enum ValueFileEdit {
        /// The result of an edit.
        struct Outcome {
            /// The values before, by key; `nil` for a key that had none.
            var before: [String: EncodedFlagValue?] = [:]
            /// Whether the rest of the file kept its layout.
            var keepsLayout = true
        }

        /// Sets the values for their keys, or removes a key whose value is `nil`, as durably as `LocalProvider` does.
        ///
        /// - Parameters:
        ///   - separator: The text between the names in a key.
        ///   - content: The content of the file; `nil` to recognize it from its members.
        ///   - path: The file; `-` reads standard input and writes the edited document to standard output.
        ///   - check: Receives the previous values and may refuse the edit by throwing.
        /// - Throws: The reason for the failure. The file is then unchanged.
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
            var edit = file.format == .json ? FlagJSONEdit(bytes) : nil
            for (key, value) in values {
                guard !document.hasNamesake(of: key) else {
                    throw CommandFailure(
                        """
                        \(path) has a key that differs only by Unicode normalization; write the key as it stands there. \
                        Nothing was written.
                        """)
                }
                outcome.before[key.text] = document.value(for: key)
                if edit?.apply(value, for: key, in: document) == false { edit = nil }
                document.setValue(value, for: key)
            }
            // The edited text must equal the library's own edit. Otherwise the library's document is written.
            if let edit, case .object(let members)? = try? FlagJSONReader().read(edit.plainResult),
                FlagDocument(members) == document
            {
                return edit.result
            }
            if document == file.document { return bytes }
            if file.comment != nil { throw CommandFailure.lostComments(path) }
            outcome.keepsLayout = false
            return try FileWriting.bytes(of: document.root, format: file.format)
        }
    }

    extension FlagJSONEdit {
        /// Makes the change of `FlagDocument.setValue(_:for:)` in the text.
        ///
        /// - Returns: `false` if the change cannot be made in the text.
        fileprivate mutating func apply(
            _ value: EncodedFlagValue?, for key: FlagKeyPath, in document: FlagDocument
        ) -> Bool {
            let isFlat = document.root[key.text] != nil
            guard let value else {
                if isFlat, !removeMember(at: [key.text]) { return false }
                return FlagJSONEdit.removal(of: key.components, in: document.root).map { removeMember(at: $0) } ?? true
            }
            if isFlat || key.components.count == 1 { return (try? set(value, at: [key.text])) ?? false }
            // The value goes into the innermost object that exists, inside new objects for the missing names.
            var depth = 0
            var members = document.root
            while depth < key.components.count - 1, case .object(let inner)? = members[key.components[depth]] {
                members = inner
                depth += 1
            }
            guard depth > 0 else { return (try? set(value, at: [key.text])) ?? false }
            // A value that is not an object is in the way.
            if depth < key.components.count - 1, members[key.components[depth]] != nil {
                return (try? set(value, at: [key.text])) ?? false
            }
            let wrapped = key.components.dropFirst(depth + 1).reversed().reduce(value) { .object([$1: $0]) }
            return (try? set(wrapped, at: Array(key.components.prefix(depth + 1)))) ?? false
        }

        /// Returns the path of the outermost member that the removal of a nested value removes: an object that would
        /// become empty is removed too.
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
