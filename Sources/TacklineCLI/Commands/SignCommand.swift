#if CommandLine
    import ArgumentParser

    struct SignCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "Signs a document for apps that trust the key.",
            discussion: """
                The document is JSON with a $version. The private key comes from a file that only you may read, from \
                standard input, or from a variable of the environment; never from the arguments.

                  tackline sign flags.json --key release.key --output flags.signed.json
                  tackline sign --add flags.signed.json --key security.key --output flags.signed.json
                """
        )

        @Argument(help: "The document; with --add the signed one.", completion: .file()) var file: String
        @Option(help: "The file with the private key; - is standard input.", completion: .file()) var key: String?
        @Option(help: "The variable of the environment with the private key.") var keyVariable: String?
        @ArgumentParser.Flag(help: "Adds a signature to a signed document.") var add = false
        @Option(help: "What it is signed as; the app's payloadType.") var type: String?
        @Option(help: "Where the signed document goes; standard output unless given.", completion: .file())
        var output: String?

        func run() throws {
            #if canImport(CryptoKit) || Signing
                let source = try PrivateKeySource(file: key, variable: keyVariable)
                if source == .standardInput, file == "-" {
                    throw CommandFailure(
                        "Key and document cannot both come from standard input; name a file for one of them.",
                        status: .usage)
                }
                try CommandOutput.write(
                    SigningJob.signed(InputFile(path: file), adds: add, type: type, key: source.key()), to: output)
            #else
                throw CommandFailure.withoutSigning
            #endif
        }
    }

    extension CommandOutput {
        /// Writes bytes to a file, or to standard output if `path` is `nil`.
        static func write(_ bytes: [UInt8], to path: String?) throws(CommandFailure) {
            if let path { try FileWriting.write(bytes, to: path) } else { try CommandOutput.standard.write(bytes) }
        }
    }
#endif
