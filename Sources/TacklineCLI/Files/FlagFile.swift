#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFiles
    import TacklineManifest
    import TacklineTargeting

    /// A file of values, flag definitions or a manifest that has been read and recognized.
    struct FlagFile {
        enum Format: String {
            case json, xmlPropertyList, binaryPropertyList
        }

        enum Content: String, CaseIterable {
            /// Values by key.
            case values
            /// Flag definitions in flagd's format.
            case flagd
            /// The flags that an app declares.
            case manifest

            var phrase: String {
                switch self {
                case .values: "values by key"
                case .flagd: "flag definitions"
                case .manifest: "a manifest"
                }
            }
        }

        let input: InputFile
        let format: Format
        /// The members of the root object.
        let members: [String: EncodedFlagValue]
        let content: Content

        var path: String { input.path }
        var document: FlagDocument { FlagDocument(members) }
        /// The members without `$schema`, which names the schema for editors and is not a flag.
        var values: [String: EncodedFlagValue] { members.filter { $0.key != "$schema" } }

        /// Reads a file.
        ///
        /// - Parameter content: The content of the file; `nil` to recognize it from its members.
        /// - Throws: The first problem, with its place.
        init(_ input: InputFile, as content: Content? = nil) throws(CommandFailure) {
            self.input = input
            let value: EncodedFlagValue
            (format, value) = try FlagFile.read(input)
            guard case .object(let members) = value else {
                throw input.failure(
                    "the file holds \(value.kind), and flags need an object, such as { \"key\": true }; name another file"
                )
            }
            self.members = members
            self.content = content ?? FlagFile.content(of: members)
            if content == nil, ["payload", "payloadType", "signatures"].allSatisfy({ members[$0] != nil }) {
                throw input.failure(
                    """
                    this is a signed document; tackline verify says what it holds. To change it, edit the document \
                    that was signed, and sign that again
                    """)
            }
        }

        /// Reads a file by its path.
        init(path: String, as content: Content? = nil) throws(CommandFailure) {
            self = try FlagFile(InputFile(path: path), as: content)
        }

        /// Returns the definitions of a document in flagd's format. Their splits follow the given generation of
        /// `fractional`.
        func definitions(_ generation: FractionalVersion = .v2) throws(CommandFailure) -> FlagDefinitions {
            guard content == .flagd else {
                throw CommandFailure("\(path) holds \(content.phrase), not flag definitions; name another file.")
            }
            do {
                return try FlagDefinitions(.object(members), fractional: generation)
            } catch {
                throw CommandFailure("\(path): \(error)")
            }
        }

        /// Reads the manifest that the file holds.
        func manifest() throws(CommandFailure) -> FlagManifest {
            guard content == .manifest else {
                throw CommandFailure(
                    "\(path) holds \(content.phrase), not a manifest; the app exports one with FlagManifest(loader).")
            }
            do {
                return try FlagManifest(.object(members))
            } catch {
                throw input.failure("\(error)", at: locate([error.path])[0])
            }
        }

        /// Throws an error that names a suitable command unless the file holds values.
        func requireValues() throws(CommandFailure) {
            let advice =
                switch content {
                case .values: nil as String?
                case .flagd: "tackline explain says what they answer, and tackline flag and rollout change them"
                case .manifest: "name a value file, and give this as its --manifest"
                }
            if let advice {
                throw CommandFailure(
                    """
                    \(path) holds \(content.phrase), not values by key: \(advice). If they are values anyway, \
                    use --as values.
                    """)
            }
        }

        /// Returns the places of members and elements; `nil` for each in a property list.
        func locate(_ paths: [[String]]) -> [TextPosition?] {
            guard format == .json else { return paths.map { _ in nil } }
            let outline = FlagJSONOutline(input.bytes)
            return TextPosition.positions(of: paths.map { outline.offset(of: $0) }, in: input.bytes)
        }

        /// Recognizes the content from the members: a manifest by its version, flag definitions by
        /// their `$schema` or their flags' members, and values otherwise.
        static func content(of members: [String: EncodedFlagValue]) -> Content {
            if members["tacklineManifest"] != nil { return .manifest }
            if case .string(let schema)? = members["$schema"], schema.contains("flagd") { return .flagd }
            if members.filter({ !$0.key.hasPrefix("$") }) == ["flags": [:]] { return .flagd }
            let flags: [EncodedFlagValue] =
                switch members["flags"] {
                case .object(let flags)?: Array(flags.values)
                case .array(let flags)?: flags
                default: []
                }
            for case .object(let flag) in flags {
                if flag["variants"] != nil || flag["state"] != nil { return .flagd }
            }
            return .values
        }

        private static func read(_ input: InputFile) throws(CommandFailure) -> (Format, EncodedFlagValue) {
            let ending = input.path.split(separator: ".").last?.lowercased() ?? ""
            if ["yaml", "yml"].contains(ending) {
                throw input.failure(
                    "this is YAML, which tackline does not read; make it JSON, for example with yq -o=json")
            }
            let isBinary = input.bytes.starts(with: "bplist".utf8)
            if isBinary || ["plist", "xml", "bplist"].contains(ending) || input.bytes.starts(with: "<?xml".utf8) {
                do {
                    let format = isBinary ? Format.binaryPropertyList : .xmlPropertyList
                    return (format, try FlagPropertyList.decode(input.bytes))
                } catch {
                    throw input.failure("\(error)")
                }
            }
            do throws(FlagJSONError) {
                return (.json, try readJSON(input.bytes))
            } catch {
                throw input.failure(error.message, at: TextPosition(line: error.line, column: error.column))
            }
        }

        /// Reads values or, if that fails, flag definitions, which may be deeper.
        private static func readJSON(_ bytes: [UInt8]) throws(FlagJSONError) -> EncodedFlagValue {
            do {
                return try FlagJSONReader().read(bytes)
            } catch {
                let format = FlagDocumentFormat.flagd(context: .fixed(EvaluationContext()))
                guard let document = try? format.document(json: Data(bytes)),
                    content(of: document.root) == .flagd
                else { throw error }
                return .object(document.root)
            }
        }
    }
#endif
