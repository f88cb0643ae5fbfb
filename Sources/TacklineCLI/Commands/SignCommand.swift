#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore

    #if canImport(CryptoKit) || Signing
        import TacklineSigning
    #endif

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
                if source == .file("-"), file == "-" {
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
                        throw CommandFailure("\(file) has as many signatures as there may be; sign the original again.")
                    }
                    if let type, envelope.payloadType != type {
                        throw CommandFailure(
                            "\(file) was signed as \(envelope.payloadType), not as \(type); sign the original again.")
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
#endif
