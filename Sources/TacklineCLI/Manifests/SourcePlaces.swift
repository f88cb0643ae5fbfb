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

        /// Returns whether a flag is mentioned other than at its declaration.
        func mentions(_ flag: FlagManifest.Entry) -> Bool {
            places[flag.key, default: []].contains { $0.kind != .declaration }
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
#endif
