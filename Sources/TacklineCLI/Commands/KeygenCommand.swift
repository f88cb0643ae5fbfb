#if CommandLine
    import ArgumentParser

    #if canImport(CryptoKit) || Signing
        import TacklineSigning
    #endif

    struct KeygenCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keygen",
            abstract: "Makes a key that signs documents.",
            discussion: """
                Writes the private key to a new file, which only you may read, and prints the public key, which apps are \
                given. Keep the file apart from the documents.

                  tackline keygen release.key
                """
        )

        @Argument(help: "The file for the private key.", completion: .file()) var file: String

        func validate() throws {
            if file == "-" { throw ValidationError("A private key is not printed; name a new file for it.") }
        }

        func run() throws {
            #if canImport(CryptoKit) || Signing
                let key = DocumentSigningKey()
                try PrivateKeySource.write(key, to: file)
                try CommandOutput.standard.line(key.publicKey.id)
            #else
                throw CommandFailure.withoutSigning
            #endif
        }
    }

    #if !canImport(CryptoKit) && !Signing
        extension CommandFailure {
            /// The failure of commands that need the trait if the tool was built without it.
            static let withoutSigning = CommandFailure(
                """
                The tool was built without the package trait Signing. Build it with swift build --traits CommandLine,Signing, \
                or, in a package that depends on Tackline, add "Signing" to the dependency's traits.
                """
            )
        }
    #endif
#endif
