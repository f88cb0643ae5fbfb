#if CommandLine
    import TacklineCore
    import TacklineFiles
    import TacklineManifest

    /// Functions that replace whole files.
    enum FileWriting {
        /// Replaces a file durably and in one step; `-` writes to standard output.
        static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
            if path == "-" { return try CommandOutput.standard.write(bytes) }
            try rewrite(path) { _ in bytes }
        }

        /// Changes a file durably and in one step.
        ///
        /// - Parameters:
        ///   - path: The file; `-` reads standard input and writes the new text to standard output.
        ///   - change: Receives the bytes, or `nil` if there is no file, and returns the new ones.
        /// - Throws: The reason for the failure. The file is then unchanged.
        static func rewrite(
            _ path: String, _ change: ([UInt8]?) throws(CommandFailure) -> [UInt8]
        ) throws(CommandFailure) {
            if path == "-" { return try CommandOutput.standard.write(try change(InputFile(path: path).bytes)) }
            do {
                try StoredFile(path, maximumBytes: 16 << 20).rewrite { bytes in try change(bytes) }
            } catch let error as CommandFailure {
                throw error.finding == nil ? error : CommandFailure("\(error.message). Nothing was written.")
            } catch {
                throw CommandFailure("Nothing was written: \(error). Check the file and its folder.")
            }
        }
    }

    extension FlagFile {
        /// Returns the text of the file with other members: an edit that keeps its layout, or the library's own text.
        func text(holding new: [String: EncodedFlagValue]) throws(CommandFailure) -> (bytes: [UInt8], keepsLayout: Bool)
        {
            if new == members { return (input.bytes, true) }
            do throws(FlagValueError) {
                if format == .json, let text = try FlagJSONEdit.text(input.bytes, from: members, to: new) {
                    return (text, true)
                }
                return (try format.text(of: new), false)
            } catch {
                throw CommandFailure("The values cannot be written: \(error).")
            }
        }
    }

    extension FlagFile.Format {
        /// Creates the format that the name of a new file implies.
        init(ofNewFile path: String) {
            switch path.split(separator: ".").last?.lowercased() {
            case "plist", "xml": self = .xmlPropertyList
            case "bplist": self = .binaryPropertyList
            default: self = .json
            }
        }

        /// Returns the library's own text of values.
        func text(of members: [String: EncodedFlagValue]) throws(FlagValueError) -> [UInt8] {
            switch self {
            case .json: try FlagJSONWriter(layout: .pretty).bytes(of: .object(members))
            case .xmlPropertyList: try FlagPropertyList.encode(.object(members), as: .xml)
            case .binaryPropertyList: try FlagPropertyList.encode(.object(members), as: .binary)
            }
        }
    }

    extension EncodedFlagValue {
        /// Replaces, adds or removes the part at a path of names and positions. Objects around it are made.
        mutating func set(_ value: EncodedFlagValue?, at path: ArraySlice<String>) {
            guard let name = path.first else {
                self = value ?? self
                return
            }
            switch self {
            case .object(var members):
                if path.count == 1 {
                    members[name] = value
                } else {
                    members[name, default: [:]].set(value, at: path.dropFirst())
                }
                self = .object(members)
            case .array(var elements):
                guard let position = Int(name), elements.indices.contains(position) else { return }
                elements[position].set(value, at: path.dropFirst())
                self = .array(elements)
            default: break
            }
        }
    }
#endif
