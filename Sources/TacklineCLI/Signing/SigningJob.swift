#if CommandLine && (canImport(CryptoKit) || Signing)
    import Foundation
    import TacklineCore
    import TacklineFormats
    import TacklineSigning

    // Foundation: envelopes consist of `Data`.

    /// The work of `sign` and `verify` on the bytes of files.
    enum SigningJob {
        /// Returns the bytes of the signed document that `sign` writes.
        static func signed(
            _ file: InputFile, adds: Bool, type: String?, key: DocumentSigningKey
        ) throws(CommandFailure) -> [UInt8] {
            let envelope =
                try adds
                ? add(to: file, signedAs: type, with: key)
                : sign(file, as: type ?? SignedEnvelope.flagsPayloadType, with: key)
            return Array(envelope.json)
        }

        /// Returns the output of `verify`.
        static func verified(
            _ file: InputFile, keys: [String], required: Int, type: String?, printsDocument: Bool, at now: Date
        ) throws(CommandFailure) -> [UInt8] {
            let (document, summary) = try verify(
                file, keys: keys, required: required, as: type ?? SignedEnvelope.flagsPayloadType, at: now)
            return printsDocument ? Array(document) : Array("\(summary)\n".utf8)
        }

        /// Signs a document.
        ///
        /// - Throws: If it is signed already, or an app would not accept it.
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
        /// - Parameter type: The type that it must have been signed as; `nil` for any type.
        /// - Throws: If it is not a signed document, has another type or too many signatures, or if an app would not
        ///   accept it.
        static func add(
            to file: InputFile, signedAs type: String?, with key: DocumentSigningKey
        ) throws(CommandFailure) -> SignedEnvelope {
            let envelope = try envelope(file)
            if let type, envelope.payloadType != type {
                throw CommandFailure(
                    "\(file.path) was signed as \(envelope.payloadType), not as \(type); leave out the type, or sign it anew."
                )
            }
            try checkTerms(envelope.payload, path: file.path)
            guard envelope.signatures.count < SignedEnvelope.maximumSignatures else {
                throw CommandFailure("\(file.path) has as many signatures as there may be; sign it anew.")
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
                throw CommandFailure("The document could not be signed: \(error).")
            }
            return envelope
        }

        /// Throws if no app would accept the document, so that it is not signed.
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
                throw CommandFailure("\(path) is not a document: \(error).")
            }
        }

        /// Checks a signed document as an app does.
        ///
        /// - Returns: The document, and a line that describes it.
        /// - Throws: The reason why an app would reject it.
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
