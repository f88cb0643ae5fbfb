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

                  tackline validate flags.json rollout.flagd.json
                  tackline validate --manifest manifest.json flags.json
                  tackline validate flags.json --format github
                  tackline validate --schema values --manifest manifest.json > flags.schema.json
                """
        )

        @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String] = []
        @Option(help: "The manifest of the app, see the command manifest.", completion: .file()) var manifest: String?
        @Option(
            help: "A context such as the app makes, as JSON: what rules may ask for, by name and type.",
            completion: .file())
        var context: String?
        @Option(name: .customLong("as"), help: "What the files hold: values, flagd or manifest.") var content:
            ContentName?
        @Option(help: "Print a JSON Schema for editors instead: values (needs --manifest), flagd or manifest.")
        var schema: ContentName?
        @ArgumentParser.Flag(help: "Take warnings for errors.") var strict = false
        @OptionGroup var fractional: FractionalOptions
        @OptionGroup var output: FindingsOptions

        func validate() throws {
            if schema == nil, files.isEmpty { throw ValidationError("Name at least one file.") }
            if schema != nil, !files.isEmpty { throw ValidationError("--schema prints a schema and takes no files.") }
            if schema == .values, manifest == nil { throw ValidationError("--schema values needs --manifest.") }
        }

        func run() throws {
            if let schema { return try CommandOutput.standard.write(Validation.schema(schema, manifest: manifest)) }
            let validation = try Validation(
                files: files, content: content, manifest: manifest, context: context,
                generation: fractional.generation, isStrict: strict)
            let style = TextStyle(for: .standard)
            try CommandOutput.standard.write(validation.text(output.chosen, style))
            if !validation.isGood { throw CommandFailure.found }
        }
    }
#endif
