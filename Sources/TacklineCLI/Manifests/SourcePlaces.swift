#if CommandLine
    import Foundation
    import TacklineManifest

    /// The places in source files at which flags are declared or mentioned.
    ///
    /// A mention is the name of the flag's property or its key in quotes. Another thing of the same name counts too.
    struct SourcePlaces {
        /// A mention of a flag in a source file.
        struct Place {
            /// The form of a mention.
            enum Kind: Equatable {
                /// The declaration, after `@Flag`.
                case declaration
                /// The name of the property.
                case name
                /// The key in quotes.
                case key
            }

            let kind: Kind
            let path: String
            /// The number of the line, from 1.
            let line: Int
            /// The number of the byte in the line, from 0.
            let column: Int
            /// The bytes of the line.
            let text: [UInt8]
        }

        private(set) var places: [String: [Place]] = [:]
        /// The number of files that were read.
        private(set) var fileCount = 0
        /// A line for each file or folder that was skipped.
        private(set) var remarks: [String] = []

        /// Finds the places of flags by their keys.
        ///
        /// - Throws: If a folder cannot be listed.
        init(of flags: [FlagManifest.Entry], in folders: [String]) throws(CommandFailure) {
            var keys: [String: [String]] = [:]
            for flag in flags where !keys[SourcePlaces.property(of: flag), default: []].contains(flag.key) {
                keys[SourcePlaces.property(of: flag), default: []].append(flag.key)
            }
            let texts = Set(flags.map(\.key))
            let files = try SourceFiles(folders: folders)
            var places: [String: [Place]] = [:]
            let skipped = files.read(ProgressReport("Reading sources")) { path, bytes in
                let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
                var scanner = SourceScanner(bytes)
                var lines = SourceLines(bytes)
                var isAfterAttribute = false
                scanner.scan { token in
                    func add(_ kind: Place.Kind, _ key: String) {
                        let (line, column, text) = lines.line(at: token.offset)
                        places[key, default: []].append(
                            Place(kind: kind, path: path, line: line, column: column, text: text))
                    }
                    if token.isText {
                        if !token.isDeclared, texts.contains(token.content) { add(.key, token.content) }
                        return
                    }
                    if token.content == "Flag" { isAfterAttribute = true }
                    let found = keys[token.content] ?? []
                    if token.previous == "var" {
                        if isAfterAttribute { for key in found { add(.declaration, key) } }
                        isAfterAttribute = false
                    } else if !token.isDeclared {
                        for key in found { add(.name, key) }
                    }
                }
            }
            self.places = places
            fileCount = files.paths.count - skipped.count
            remarks = files.remarks + skipped
        }

        /// Returns the name of a flag's property, without those of its groups.
        static func property(of flag: FlagManifest.Entry) -> String {
            flag.property.split(separator: ".").last.map(String.init) ?? flag.key
        }

        /// Returns whether a flag is mentioned other than at its declaration: by its key in quotes or, if it is known, by
        /// the name of its property.
        func mentions(_ flag: FlagManifest.Entry) -> Bool {
            places[flag.key, default: []].contains { $0.kind == .key || $0.kind == .name && !flag.property.isEmpty }
        }

        /// Returns the places of a flag's declaration, such as `Sources/Flags.swift:4`; empty if they are not known.
        func declarations(of key: String) -> [String] {
            (places[key] ?? []).filter { $0.kind == .declaration }.map { "\($0.path):\($0.line)" }
        }
    }

    /// The lines of a text, whose positions are asked for in increasing order.
    private struct SourceLines {
        private let bytes: [UInt8]
        private var number = 1
        private var start = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// Returns the line of an offset, and the position of the offset in it.
        mutating func line(at offset: Int) -> (number: Int, column: Int, text: [UInt8]) {
            if offset < start { (number, start) = (1, 0) }
            while let end = bytes[start...].firstIndex(of: 0x0A), end < offset {
                number += 1
                start = end + 1
            }
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            return (number, offset - start, Array(bytes[start..<end]))
        }
    }

    /// The source files in folders and their subfolders.
    ///
    /// Symbolic links inside them are not followed, which rules out cycles. Files and folders whose names begin with a dot
    /// are skipped.
    struct SourceFiles {
        private(set) var paths: [String] = []
        /// A line for each folder that was skipped.
        private(set) var remarks: [String] = []

        private static let endings: Set = ["swift", "m", "mm", "h", "kt", "java", "js", "ts", "storyboard", "xib"]
        private static let sizeLimit = 4 << 20
        private static let fileLimit = 200_000

        /// Finds the files.
        ///
        /// - Throws: If a folder cannot be listed.
        init(folders: [String]) throws(CommandFailure) {
            for folder in folders { try collect(folder) }
        }

        private mutating func collect(_ root: String) throws(CommandFailure) {
            let manager = FileManager.default
            var isFolder: ObjCBool = false
            guard manager.fileExists(atPath: root, isDirectory: &isFolder) else {
                throw CommandFailure("\(root) is not there; name a folder of sources.")
            }
            guard isFolder.boolValue else {
                guard InputFile.isRegular(root) else {
                    throw CommandFailure("\(root) is neither a folder nor a file; name a folder of sources.")
                }
                paths.append(root)
                return
            }
            var pending = [root]
            while let folder = pending.popLast() {
                guard let names = try? manager.contentsOfDirectory(atPath: folder) else {
                    if folder == root { throw CommandFailure("\(root) cannot be listed; check its permissions.") }
                    remarks.append("\(folder) cannot be listed and was passed over.")
                    continue
                }
                for name in names.sorted() where !name.hasPrefix(".") {
                    let path = folder + "/" + name
                    // These are the attributes of a link itself, not of its destination.
                    guard let attributes = try? manager.attributesOfItem(atPath: path) else { continue }
                    switch attributes[.type] as? FileAttributeType {
                    case .typeDirectory?: pending.append(path)
                    case .typeRegular? where Self.endings.contains(String(name.split(separator: ".").last ?? "")):
                        guard paths.count < Self.fileLimit else {
                            throw CommandFailure("More than \(Self.fileLimit) source files; name smaller folders.")
                        }
                        paths.append(path)
                    default: break
                    }
                }
            }
        }

        /// Calls a closure with the path and the bytes of each file.
        ///
        /// - Returns: A line for each file that was skipped.
        func read(_ progress: ProgressReport, _ body: (_ path: String, _ bytes: [UInt8]) -> Void) -> [String] {
            var skipped: [String] = []
            for (position, path) in paths.enumerated() {
                progress.advance(to: position + 1, of: paths.count)
                guard let input = try? InputFile(path: path), input.bytes.count <= Self.sizeLimit else {
                    skipped.append("\(path) cannot be read, or is too large, and was passed over.")
                    continue
                }
                body(path, input.bytes)
            }
            progress.finish()
            return skipped
        }
    }
#endif
