#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    struct ConvertCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert",
            abstract: "Turns JSON, property lists and flag definitions into each other.",
            discussion: """
                To flagd, each value becomes the default variant of a flag, a Boolean with the variants on and off; objects \
                are groups of flags unless a manifest says that a flag is one. From flagd, each flag gives its default \
                variant. What cannot be carried over is said on standard error. An existing output file is replaced.

                  tackline convert flags.json --to plist --output flags.plist
                  tackline convert flags.json --to flagd > rollout.flagd.json
                """
        )

        @Argument(help: "The file.", completion: .file()) var file: String
        @Option(help: "The format: json, plist, binary-plist or flagd.") var to: TargetFormat
        @Option(name: .shortAndLong, help: "The file to write; standard output otherwise.", completion: .file())
        var output: String?
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?

        func run() throws {
            let index = try manifest.map(ManifestIndex.init(path:))
            let source = try FlagFile(path: file)
            let conversion: FileConversion
            switch (source.content, to) {
            case (.manifest, _):
                throw CommandFailure("\(file) holds a manifest; tackline manifest --format openfeature converts it.")
            case (.values, .flagd): conversion = .definitions(of: source, index)
            case (.flagd, .flagd), (.values, _): conversion = FileConversion(members: source.members)
            case (.flagd, _): conversion = .values(of: try source.definitions())
            }
            let bytes = try FileWriting.bytes(of: conversion.members, format: to.format)
            for loss in conversion.losses { CommandOutput.error.report("\(file): note: \(loss)") }
            try FileWriting.write(bytes, to: output ?? "-")
        }
    }

    /// The name of a format on the command line.
    enum TargetFormat: String, ExpressibleByArgument, CaseIterable {
        case json, plist, flagd
        case binaryPlist = "binary-plist"

        fileprivate var format: FlagFile.Format {
            switch self {
            case .json, .flagd: .json
            case .plist: .xmlPropertyList
            case .binaryPlist: .binaryPropertyList
            }
        }
    }

    /// A conversion of a file's members to another format.
    struct FileConversion {
        private(set) var members: [String: EncodedFlagValue]
        /// A line for each item that the new format cannot hold.
        private(set) var losses: [String] = []

        /// Returns flag definitions in which each value becomes the default variant of a flag.
        ///
        /// - Parameter index: The manifest, which distinguishes flags that are objects from groups; `nil` if every
        ///   object is a group.
        static func definitions(of file: FlagFile, _ index: ManifestIndex?) -> FileConversion {
            var conversion = FileConversion(members: [:])
            var flags: [String: EncodedFlagValue] = [:]
            var pending = file.members.filter { $0.key != "$schema" }.map { (path: [$0.key], value: $0.value) }
            while let (path, value) = pending.popLast() {
                let flag = index?.flag(at: path)
                let key = flag?.key ?? path.joined(separator: FlagKeyPath.defaultSeparator)
                if flag == nil, case .object(let inner) = value, !inner.isEmpty {
                    pending += inner.map { (path + [$0.key], $0.value) }
                } else if value == .null {
                    conversion.losses.append("\"\(key)\" is null, which means no opinion; it was left out")
                } else if path.count > 1, file.members[key] != nil {
                    conversion.losses.append("\"\(key)\" is there flat and nested; the flat one was taken")
                } else {
                    flags[key] = definition(of: value)
                }
            }
            conversion.losses.sort()
            conversion.members = document(of: flags)
            return conversion
        }

        /// Returns the members of a document of flag definitions.
        static func document(of flags: [String: EncodedFlagValue]) -> [String: EncodedFlagValue] {
            ["$schema": "https://flagd.dev/schema/v0/flags.json", "flags": .object(flags)]
        }

        /// Returns a definition that gives a value to all users.
        ///
        /// - Parameter cases: All values that the flag takes; `nil` if there is no list. If all are non-empty strings,
        ///   they become the variants.
        static func definition(of value: EncodedFlagValue, cases: [EncodedFlagValue]? = nil) -> EncodedFlagValue {
            let variants: [String: EncodedFlagValue]
            let name: String
            let texts = (cases ?? []).compactMap { value -> String? in
                if case .string(let text) = value, !text.isEmpty { text } else { nil }
            }
            if case .bool(let isOn) = value {
                variants = ["on": true, "off": false]
                name = isOn ? "on" : "off"
            } else if case .string(let text) = value, texts.contains(text), texts.count == cases?.count {
                variants = Dictionary(texts.map { ($0, .string($0)) }) { first, _ in first }
                name = text
            } else {
                variants = ["value": value]
                name = "value"
            }
            return ["state": "ENABLED", "variants": .object(variants), "defaultVariant": .string(name)]
        }

        /// Returns the value of each flag's default variant.
        static func values(of definitions: FlagDefinitions) -> FileConversion {
            var conversion = FileConversion(members: [:])
            for (key, flag) in definitions.flags.sorted(by: { $0.key < $1.key }) {
                if let error = flag.error {
                    conversion.losses.append("\"\(key)\" is wrong (\(error)); it was left out")
                } else if !flag.isEnabled {
                    conversion.losses.append("\"\(key)\" is disabled; it was left out")
                } else if let value = flag.defaultVariant.flatMap({ flag.variants[$0] }) {
                    conversion.members[key] = value
                    if flag.targeting != nil {
                        conversion.losses.append("\"\(key)\" has a rule; only its default variant was taken")
                    }
                } else {
                    conversion.losses.append("\"\(key)\" has no default variant; it was left out")
                }
            }
            return conversion
        }

        /// Creates a conversion that keeps the members.
        init(members: [String: EncodedFlagValue]) {
            self.members = members
        }
    }
#endif
