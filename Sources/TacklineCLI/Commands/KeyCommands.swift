#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore

    #if canImport(CryptoKit) || Signing
        import TacklineSigning
    #endif

    // Foundation: documents are `Data` and expire at a `Date`.

    struct KeygenCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keygen",
            abstract: "Makes a key that signs documents.",
            discussion: """
                Writes the private key to a new file, which only you may read, and prints the public key, which apps are \
                given. Keep the file where the documents are not.

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
                let json = Data(try InputFile(path: file).bytes)
                var envelope: SignedEnvelope
                if add {
                    do { envelope = try SignedEnvelope(json: json) } catch {
                        throw CommandFailure("\(file): \(error.reason).")
                    }
                    guard envelope.signatures.count < SignedEnvelope.maximumSignatures else {
                        throw CommandFailure("\(file) has as many signatures as there may be; sign it anew.")
                    }
                    if let type, envelope.payloadType != type {
                        throw CommandFailure(
                            "\(file) was signed as \(envelope.payloadType), not as \(type); sign it anew.")
                    }
                } else if (try? SignedEnvelope(json: json)) != nil {
                    throw CommandFailure("\(file) is signed already; a second party signs it with --add.")
                } else {
                    envelope = SignedEnvelope(payload: json, payloadType: type ?? SignedEnvelope.flagsPayloadType)
                }
                try checkTerms(envelope.payload)
                let key = try source.key()
                do { try envelope.sign(with: key) } catch {
                    throw CommandFailure("The document could not be signed: \(error).")
                }
                try FileWriting.write(Array(envelope.json), to: output ?? "-")
            #else
                throw CommandFailure.withoutSigning
            #endif
        }

        #if canImport(CryptoKit) || Signing
            /// Throws if no app would accept the document, so that it is not signed.
            private func checkTerms(_ payload: Data) throws(CommandFailure) {
                do {
                    guard try DocumentTerms(FlagDocument(json: payload).root).version == nil else { return }
                } catch {
                    throw CommandFailure("\(file) is not a document: \(error).")
                }
                throw CommandFailure(
                    "\(file) has no $version, which every signed document needs: add one, and raise it each time.")
            }
        #endif
    }

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
                let input = try InputFile(path: file)
                var trust = DocumentTrust(keys: key.map { TrustedKey($0) }, required: required)
                trust.payloadType = type ?? SignedEnvelope.flagsPayloadType
                do {
                    let envelope = try SignedEnvelope(json: Data(input.bytes))
                    let (payload, signers) = try trust.openedDocument(envelope)
                    let root = try FlagDocument(json: payload).root
                    let version = try trust.checkTerms(root, at: Date())
                    let expiry = try DocumentTerms(root).expires.map { ", expires \($0.formatted(.iso8601))" } ?? ""
                    let count = "\(signers.count) of \(Set(trust.keys).count) keys"
                    let summary = "\(file): version \(version)\(expiry), signed by \(count)\n"
                    try CommandOutput.standard.write(document ? Array(payload) : Array(summary.utf8))
                } catch let failure as CommandFailure {
                    throw failure
                } catch {
                    throw CommandFailure("\(file) would be rejected: \(error).", status: .findings)
                }
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
