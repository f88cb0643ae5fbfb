#if CommandLine && (canImport(CryptoKit) || Signing)
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineSigning

    // Foundation: `Data` is what envelopes are made of.

    /// What `sign` and `verify` do with the bytes of files.
    enum SigningJob {
        /// The bytes of a signed document.
        static func signed(
            _ file: InputFile, adds: Bool, type: String?, key: DocumentSigningKey
        ) throws(CommandFailure) -> [UInt8] {
            let envelope =
                try adds
                ? add(to: file, signedAs: type, with: key)
                : sign(file, as: type ?? SignedEnvelope.flagsPayloadType, with: key)
            return Array(envelope.json)
        }

        /// What `verify` prints.
        static func verified(
            _ file: InputFile, keys: [String], required: Int, type: String?, printsDocument: Bool, at now: Date
        ) throws(CommandFailure) -> [UInt8] {
            let (document, summary) = try verify(
                file, keys: keys, required: required, as: type ?? SignedEnvelope.flagsPayloadType, at: now)
            return printsDocument ? Array(document) : Array("\(summary)\n".utf8)
        }

        /// Signs a document.
        ///
        /// - Throws: If it is none that an app would take.
        static func sign(
            _ file: InputFile, as type: String, with key: DocumentSigningKey
        ) throws(CommandFailure) -> SignedEnvelope {
            if (try? SignedEnvelope(json: Data(file.bytes))) != nil {
                throw CommandFailure("\(file.path) is signed already; a second party signs it with --add.")
            }
            try checkTerms(Data(file.bytes), path: file.path)
            return try sign(SignedEnvelope(payload: Data(file.bytes), payloadType: type), with: key)
        }

        /// Adds a signature to a signed document.
        ///
        /// - Parameter type: What it must have been signed as; `nil` for anything.
        /// - Throws: If it is none, or none that an app would take.
        static func add(
            to file: InputFile, signedAs type: String?, with key: DocumentSigningKey
        ) throws(CommandFailure) -> SignedEnvelope {
            let envelope = try envelope(file)
            if let type, envelope.payloadType != type {
                throw CommandFailure("\(file.path) was signed as \(envelope.payloadType), not as \(type).")
            }
            try checkTerms(envelope.payload, path: file.path)
            guard envelope.signatures.count < SignedEnvelope.maximumSignatures else {
                throw CommandFailure("\(file.path) has as many signatures as there may be.")
            }
            return try sign(envelope, with: key)
        }

        private static func envelope(_ file: InputFile) throws(CommandFailure) -> SignedEnvelope {
            do {
                return try SignedEnvelope(json: Data(file.bytes))
            } catch {
                throw CommandFailure("\(file.path): \(error.reason).")
            }
        }

        private static func sign(
            _ envelope: SignedEnvelope, with key: DocumentSigningKey
        ) throws(CommandFailure) -> SignedEnvelope {
            var envelope = envelope
            do {
                try envelope.sign(with: key)
            } catch {
                throw CommandFailure("It could not be signed: \(error).")
            }
            return envelope
        }

        /// Nobody should sign what no app accepts.
        @discardableResult
        private static func checkTerms(_ payload: Data, path: String) throws(CommandFailure) -> DocumentTerms {
            do {
                let root = try FlagDocument(json: payload).root
                let terms = try DocumentTerms(root)
                guard terms.version != nil else {
                    throw CommandFailure(
                        "\(path) has no $version, which every signed document needs: add one, and raise it each time.")
                }
                return terms
            } catch let failure as CommandFailure {
                throw failure
            } catch {
                throw CommandFailure("\(path) is no document: \(error).")
            }
        }

        /// Checks a signed document as an app would.
        ///
        /// - Returns: The document, and a line that says what it is.
        /// - Throws: Why an app would not take it.
        static func verify(
            _ file: InputFile, keys: [String], required: Int, as type: String, at now: Date
        ) throws(CommandFailure) -> (document: Data, summary: String) {
            var trust = DocumentTrust(keys: keys.map { TrustedKey($0) }, required: required)
            trust.payloadType = type
            do {
                let envelope = try SignedEnvelope(json: Data(file.bytes))
                let payload = try trust.open(envelope)
                let root = try FlagDocument(json: payload).root
                let version = try trust.checkTerms(root, at: now)
                let signers = Set(trust.keys).filter { key in
                    (try? DocumentTrust.single(key, type).open(envelope)) != nil
                }
                let expiry = try DocumentTerms(root).expires.map { ", expires \($0.formatted(.iso8601))" } ?? ""
                let count = "\(signers.count) of \(Set(trust.keys).count) keys"
                return (payload, "\(file.path): version \(version)\(expiry), signed by \(count)")
            } catch {
                throw CommandFailure("\(file.path) would be rejected: \(error).", status: .findings)
            }
        }
    }

    extension DocumentTrust {
        fileprivate static func single(_ key: TrustedKey, _ type: String) -> DocumentTrust {
            var trust = DocumentTrust(keys: [key])
            trust.payloadType = type
            return trust
        }
    }
#endif
