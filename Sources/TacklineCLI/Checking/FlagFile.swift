#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineTargeting

    /// A file that holds values, flag definitions or a manifest, read and told apart.
    struct FlagFile {
        enum Format: String {
            case json, xmlPropertyList, binaryPropertyList
        }

        enum Content: String {
            /// Values by key.
            case values
            /// Flag definitions in flagd's format.
            case flagd
            /// What an app declares.
            case manifest
        }

        let input: InputFile
        let format: Format
        /// The outermost members.
        let members: [String: EncodedFlagValue]
        let content: Content
        /// The text without its comments, which are blanks in it; the input itself where it has none.
        let plain: [UInt8]
        /// Where the first comment of a JSON text stands; `nil` if it has none. Apps refuse it, and the tool keeps it.
        let comment: TextPosition?

        var path: String { input.path }
        var document: FlagDocument { FlagDocument(members) }

        /// Reads a file.
        ///
        /// - Parameter content: What it holds; `nil` to tell from its members.
        /// - Throws: What is wrong with it, with its place.
        init(_ input: InputFile, as content: Content? = nil) throws(FlagFileError) {
            self.input = input
            let value: EncodedFlagValue
            (format, value, plain, comment) = try FlagFile.read(input)
            guard case .object(let members) = value else {
                throw FlagFileError(
                    input, nil,
                    "there is \(value.kind) where an object of values by key is needed; put braces around it")
            }
            self.members = members
            self.content = content ?? FlagFile.content(of: members)
        }

        /// Reads a file by its path.
        ///
        /// - Throws: What is wrong with it, as a message for people.
        init(path: String, as content: Content? = nil) throws(CommandFailure) {
            let input = try InputFile(path: path)
            do {
                self = try FlagFile(input, as: content)
            } catch {
                throw CommandFailure(error.finding.line())
            }
        }

        /// The definitions of a document in flagd's format, whose splits go by a generation of `fractional`.
        func definitions(_ generation: FractionalGeneration = .v2) throws(CommandFailure) -> FlagDefinitions {
            guard content == .flagd else {
                throw CommandFailure(
                    "\(path) holds \(content.phrase), not flag definitions; tackline convert --to flagd makes some.")
            }
            do {
                return try FlagDefinitions(.object(members), fractional: generation)
            } catch {
                throw CommandFailure("\(path): \(error)")
            }
        }

        /// Throws unless the file holds values, with the command that does what was probably meant.
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
                    \(path) holds \(content.phrase), not values by key: \(advice). If they are values all the same, \
                    say --as values.
                    """)
            }
        }

        /// Where members and elements lead; `nil` where that cannot be said.
        func locate(_ paths: [[String]]) -> [TextPosition?] {
            switch format {
            case .json:
                let outline = JSONOutline(plain)
                return TextPosition.positions(of: paths.map { outline.offset(of: $0) }, in: input.bytes)
            case .xmlPropertyList:
                let outline = PropertyListOutline(input.bytes)
                let offsets = paths.map { outline.offset(of: $0) }
                let positions = TextPosition.positions(of: offsets.map { $0 ?? 0 }, in: input.bytes)
                return zip(offsets, positions).map { $0 == nil ? nil : $1 }
            case .binaryPropertyList:
                return paths.map { _ in nil }
            }
        }

        /// A document is taken for flag definitions if its `flags` look like some, or its `$schema` says so.
        static func content(of members: [String: EncodedFlagValue]) -> Content {
            if members["tacklineManifest"] != nil { return .manifest }
            if case .string(let schema)? = members["$schema"], schema.contains("flagd") { return .flagd }
            let flags: [EncodedFlagValue] =
                switch members["flags"] {
                case .object(let flags)?: Array(flags.values)
                case .array(let flags)?: flags
                default: []
                }
            for case .object(let flag) in flags {
                if flag["variants"] != nil || flag["state"] != nil { return .flagd }
                if flag["flagType"] != nil { return .manifest }
            }
            return .values
        }

        private static func read(
            _ input: InputFile
        ) throws(FlagFileError) -> (Format, EncodedFlagValue, plain: [UInt8], comment: TextPosition?) {
            let ending = input.path.split(separator: ".").last?.lowercased() ?? ""
            if ["yaml", "yml"].contains(ending) {
                throw FlagFileError(
                    input, nil,
                    "this is YAML, which tackline does not read; make it JSON, for example with yq -o=json")
            }
            let isBinary = input.bytes.starts(with: "bplist".utf8)
            if isBinary || ["plist", "xml", "bplist"].contains(ending) || input.bytes.starts(with: "<?xml".utf8) {
                do {
                    let format = isBinary ? Format.binaryPropertyList : .xmlPropertyList
                    return (format, try FlagPropertyListReader().read(input.bytes), input.bytes, nil)
                } catch {
                    let position = isBinary ? nil : TextPosition(of: error.byteOffset, in: input.bytes)
                    throw FlagFileError(input, position, error.message)
                }
            }
            do throws(FlagJSONError) {
                do throws(FlagJSONError) {
                    return (.json, try readJSON(input.bytes), input.bytes, nil)
                } catch {
                    let comments = JSONComments(input.bytes)
                    guard let first = comments.ranges.first else { throw error }
                    let value = try readJSON(comments.plain)
                    return (.json, value, comments.plain, TextPosition(of: first.lowerBound, in: input.bytes))
                }
            } catch {
                throw FlagFileError(input, TextPosition(line: error.line, column: error.column), error.message)
            }
        }

        /// How deep flag definitions may be: an operator of a rule takes two levels.
        static var definitionsDepth: Int { 2 * TargetingLimits.default.maximumDepth + 16 }

        /// Flag definitions may be deeper than values, and what one flag cannot hold spoils only that.
        private static func readJSON(_ bytes: [UInt8]) throws(FlagJSONError) -> EncodedFlagValue {
            do {
                return try FlagJSONReader().read(bytes)
            } catch {
                let format = FlagDocumentFormat.flagd(context: .fixed(EvaluationContext()))
                guard let document = try? format.document(json: Data(bytes), limits: FlagJSONReader.Limits()),
                    content(of: document.root) == .flagd, document.namesakes.isEmpty
                else { throw error }
                return .object(document.root)
            }
        }
    }

    extension FlagFile.Content {
        var phrase: String {
            switch self {
            case .values: "values by key"
            case .flagd: "flag definitions"
            case .manifest: "a manifest"
            }
        }
    }
#endif
