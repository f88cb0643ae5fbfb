#if CommandLine
    import ArgumentParser
    import Foundation

    // Foundation: documents expire at a `Date`.

    struct VerifyCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Checks a signed document as an app would.",
            discussion: """
                Prints its version, its expiry and how many keys have signed it; with --document the document itself. Ends \
                with 1 if an app would reject it.

                  tackline verify flags.signed.json --key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
                """
        )

        @Argument(help: "The signed document.", completion: .file()) var file: String
        @Option(help: "A public key; several times for several.") var key: [String]
        @Option(help: "How many of the keys must have signed.") var required = 1
        @Option(help: "What it must have been signed as; the app's payloadType.") var type: String?
        @ArgumentParser.Flag(help: "Prints the document.") var document = false

        func run() throws {
            #if canImport(CryptoKit) || Signing
                try CommandOutput.standard.write(
                    SigningJob.verified(
                        InputFile(path: file), keys: key, required: required, type: type, printsDocument: document,
                        at: Date()))
            #else
                throw CommandFailure.withoutSigning
            #endif
        }
    }
#endif
