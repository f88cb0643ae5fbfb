#if CommandLine
    import ArgumentParser
    import TacklineCore

    struct SetCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Sets a value in a value file.",
            discussion: """
                The value is JSON, or any other text, which is then a string. With a manifest, a value that the app would \
                refuse is refused; without one, a value is not replaced by one of another type unless you say so, with \
                --change-type. The file is made if it is not there, and written in one step, so that \
                a running app sees the old file or the new one; the layout of a JSON file is kept. \
                With - it reads standard input and writes the edited document to standard output.

                  tackline set flags.json secrets/boom_feature true
                  tackline set flags.json title "Hello" --manifest manifest.json
                  tackline set flags.json retries -- -1
                  curl -s https://cdn.example.com/flags.json | tackline set - sson true > flags.json
                """
        )

        @Argument(
            help: "The value file; - is standard input, and the result then goes to standard output.",
            completion: .file())
        var file: String
        @Argument(help: "The key.") var key: String
        @Argument(help: "The value: true, 3, [1, 2] or a text; after -- if it begins with a dash.") var value: String
        @ArgumentParser.Flag(help: "Take the value as a string, whatever it looks like.") var string = false
        @ArgumentParser.Flag(help: "Replace a value by one of another type.") var changeType = false
        @Option(help: "The manifest of the app.", completion: .file()) var manifest: String?
        @OptionGroup var options: ContentOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let index = try manifest.map(ManifestIndex.init(path:))
            let keyPath = index?.keyPath(key) ?? FlagKeyPath(key)
            guard keyPath.components.allSatisfy({ !$0.isEmpty }) else {
                throw CommandFailure("No flag has the key \"\(key)\": a name in it is empty.", status: .usage)
            }
            let flag = try index?.require(key)
            let new = try ValueArgument.value(value, isString: string, for: flag)
            let edit = try ValueFileEdit([(keyPath, new)], as: options.content, to: file) {
                old throws(CommandFailure) in
                guard flag == nil, !string, !changeType else { return }
                try ValueArgument.check(new, typed: value, for: key, over: old[keyPath])
            }
            let old = edit.before[keyPath]
            var members: [String: EncodedFlagValue] = [
                "key": .string(key), "new": new, "keepsLayout": .bool(edit.keepsLayout),
            ]
            members["old"] = old
            try output.print("set", members, of: file) { _ in
                let was = old.map { $0 == new ? ", as before" : " (was \(ValueArgument.json($0)))" }
                return (["\(key) = \(ValueArgument.json(new))\(was ?? " (had no value)")"] + edit.remarks).lines
            }
        }
    }
#endif
