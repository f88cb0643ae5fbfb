#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore

    #if canImport(CryptoKit) || Signing
        import TacklineSigning
    #endif

    struct VerifyCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Checks a signed document as an app would.",
            discussion: """
                Prints its version, its expiry and how many keys have signed it; with --document the document itself. Ends \
                with 1 if an app would reject it; with --allow-expired, an expired document counts as accepted.

                  tackline verify flags.signed.json --key 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
                """
        )

        @Argument(help: "The signed document.", completion: .file()) var file: String
        @Option(help: "A public key; several times for several.") var key: [String]
        @Option(help: "How many of the keys must have signed.") var required = 1
        @Option(help: "What it must have been signed as; the app's payloadType.") var type: String?
        @ArgumentParser.Flag(help: "Accepts a document that has expired.") var allowExpired = false
        @ArgumentParser.Flag(help: "Prints the document.") var document = false

        func run() throws {
            #if canImport(CryptoKit) || Signing
                let input = try InputFile(path: file)
                var trust = DocumentTrust(keys: key.map { TrustedKey($0) }, required: required)
                trust.payloadType = type ?? SignedEnvelope.flagsPayloadType
                let text: [UInt8]
                do {
                    let envelope = try SignedEnvelope(json: Data(input.bytes))
                    let (payload, signers) = try trust.openedDocument(envelope)
                    let root = try FlagDocument(json: payload).root
                    let version = try trust.checkTerms(root, at: allowExpired ? .distantPast : Date())
                    let expiry = try DocumentTerms(root).expires.map { ", expires \($0.formatted(.iso8601))" } ?? ""
                    let count = "\(signers.count) of \(Set(trust.keys).count) keys"
                    let summary = "\(file): version \(version)\(expiry), signed by \(count)\n"
                    text = document ? Array(payload) : Array(summary.utf8)
                } catch {
                    let isUsage = error.code == "invalid-trust"
                    throw CommandFailure("\(file) would be rejected: \(error).", status: isUsage ? .usage : .findings)
                }
                try CommandOutput.standard.write(text)
            #else
                throw CommandFailure.withoutSigning
            #endif
        }
    }
#endif
