#if CommandLine
    import ArgumentParser

    struct ValidateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "Checks value files, flag definitions and manifests.",
            discussion: """
                Prints a line for each thing that is wrong, with file, line, column and what to do about it, in the form \
                that editors and CI systems understand. Ends with 1 if there is an error, and with --strict also if there is a \
                warning.

                JSON and property lists are told apart by the ending .plist or .xml, and what a file holds by its \
                members, unless --as says it. With a manifest, values are compared with what the app declares: unknown \
                keys, wrong types, keys that are there twice, expired flags, and as a note those without a value. Of \
                flag definitions it finds attributes that no context has, as the manifest or --context says it, and \
                whom they break a constraint for that the document or the manifest carries.

                With --versions, a folder of the manifests of an app's versions, 5.1.json and so on, it says which versions \
                refuse a value or do not know its flag, which flags have changed, and what users of each version get.

                  tackline validate flags.json rollout.flagd.json
                  tackline validate --manifest manifest.json flags.json
                  tackline validate flags.json --versions manifests --min 5.2
                  tackline validate flags.json --format github
                  tackline validate --schema values --manifest manifest.json > flags.schema.json
                """
        )

        @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String] = []
        @Option(help: "The manifest of the app, see the command manifest.", completion: .file()) var manifest: String?
        @Option(
            help: "A folder with the manifest of each version of the app: 5.1.json, 5.2.json.", completion: .directory)
        var versions: String?
        @Option(name: .customLong("min"), help: "The oldest version that counts, with --versions.") var minimum: String?
        @Option(
            help: "A context such as the app makes, as JSON: what rules may ask for, by name and type.",
            completion: .file())
        var context: String?
        @Option(name: .customLong("as"), help: "What the files hold: values, flagd or manifest.") var content:
            ContentName?
        @Option(help: "Print a JSON Schema for editors instead: values (needs --manifest), flagd or manifest.")
        var schema: ContentName?
        @ArgumentParser.Flag(help: "Treat warnings as errors.") var strict = false
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: FindingsOptions

        func validate() throws {
            if schema == nil, files.isEmpty { throw ValidationError("Name at least one file.") }
            if schema != nil, !files.isEmpty { throw ValidationError("--schema prints a schema and takes no files.") }
            if minimum != nil, versions == nil { throw ValidationError("--min needs --versions.") }
            if schema != nil, versions != nil { throw ValidationError("--schema takes no --versions.") }
            if schema == .values, manifest == nil { throw ValidationError("--schema values needs --manifest.") }
        }

        func run() throws {
            if let schema { return try CommandOutput.standard.write(Validation.schema(schema, manifest: manifest)) }
            let validation = try Validation(
                files: files, content: content, manifest: manifest,
                versions: versions.map { folder throws(CommandFailure) in
                    try AppVersions(folder: folder, minimum: minimum)
                },
                context: context, generation: fractional.generation, isStrict: strict)
            let style = TextStyle(for: .standard)
            try CommandOutput.standard.write(validation.text(output.chosen, style))
            if !validation.isGood { throw CommandFailure.found }
        }
    }

    /// The option of commands that work on values to read a file as values even if it is recognized as something else.
    struct ContentOptions: ParsableArguments {
        @Option(
            name: .customLong("as"), help: "What the file holds, if not what it looks like: values, flagd or manifest.")
        var name: ContentName?
    }

    /// The name of a file's content on the command line.
    enum ContentName: String, ExpressibleByArgument, CaseIterable {
        case values, flagd, manifest
    }
#endif
