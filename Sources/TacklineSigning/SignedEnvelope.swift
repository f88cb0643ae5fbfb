package import TacklineFoundation
package import TacklineCore

// Foundation: files and servers give `Data`.

/// A document with its signatures, in the form of DSSE (Dead Simple Signing Envelope, version 1.0), so that other tools
/// can create and check it.
///
/// ```json
/// {
///   "payloadType": "application/vnd.tackline.flags+json",
///   "payload": "eyIkdmVyc2lvbi…",
///   "signatures": [{"keyid": "…", "sig": "…"}]
/// }
/// ```
///
/// Don't use the contents before a ``DocumentTrust`` has opened the envelope.
package struct SignedEnvelope: Sendable, Hashable {
    /// A signature of the document.
    package struct Signature: Sendable, Hashable {
        /// The key that should have made the signature; `nil` if it is not named. The name is not signed: a right one
        /// saves work, and a wrong one changes no result.
        package var keyID: String?
        package var bytes: Data

        package init(keyID: String? = nil, bytes: Data) { (self.keyID, self.bytes) = (keyID, bytes) }
    }

    /// The type of documents that Tackline signs by default.
    package static let flagsPayloadType = "application/vnd.tackline.flags+json"
    package static let maximumSignatures = 32

    /// The type of the document. It is signed too, so that a document of one type is not accepted as another.
    package var payloadType: String
    package var payload: Data
    /// The signatures, which have not been checked.
    package var signatures: [Signature]

    package init(payload: Data, payloadType: String = flagsPayloadType, signatures: [Signature] = []) {
        (self.payload, self.payloadType, self.signatures) = (payload, payloadType, signatures)
    }

    // MARK: JSON

    /// Reads an envelope: strict JSON, with base64 in the standard or the URL-safe alphabet. Unknown members are
    /// ignored, and a member that occurs twice is an error.
    ///
    /// - Parameters:
    ///   - json: The text in UTF-8.
    ///   - maximumBytes: The largest length of the text.
    /// - Throws: `FlagError` with the code `untrusted-document`.
    package init(json: Data, maximumBytes: Int = 64 << 20) throws(FlagError) {
        let document: FlagDocument
        do {
            document = try FlagDocumentFormat.values.document(json: json, maximumBytes: maximumBytes)
        } catch {
            throw FlagError(.untrustedDocument, "it is not a signed document: \(error)")
        }
        try self.init(document)
    }

    /// Reads an envelope from a JSON document.
    ///
    /// - Throws: `FlagError` with the code `untrusted-document`.
    init(_ document: FlagDocument) throws(FlagError) {
        guard let type = document.root["payloadType"], let content = document.root["payload"],
            let entries = document.root["signatures"]
        else {
            throw FlagError(
                .untrustedDocument,
                "it is not signed: it lacks payloadType, payload or signatures; sign it with tackline sign")
        }
        guard case .string(let payloadType) = type, case .string(let payloadText) = content,
            let payload = Base64.data(payloadText)
        else {
            throw FlagError(
                .untrustedDocument, "its payloadType or its payload is not a text, or the payload is not base64")
        }
        guard case .array(let elements) = entries, elements.count <= Self.maximumSignatures else {
            throw FlagError(
                .untrustedDocument, "its signatures are not an array of at most \(Self.maximumSignatures)")
        }
        var signatures: [Signature] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let members) = element, case .string(let text)? = members["sig"],
                let bytes = Base64.data(text)
            else { throw FlagError(.untrustedDocument, "its signature \(index + 1) has no sig in base64") }
            switch members["keyid"] {
            case nil: signatures.append(Signature(bytes: bytes))
            case .string(let keyID)?: signatures.append(Signature(keyID: keyID, bytes: bytes))
            default: throw FlagError(.untrustedDocument, "the keyid of its signature \(index + 1) is not a text")
            }
        }
        self.init(payload: payload, payloadType: payloadType, signatures: signatures)
    }

    /// The envelope as JSON in UTF-8. Equal envelopes have the same JSON.
    package var json: Data {
        let entries = signatures.map { signature in
            var members: [String: EncodedFlagValue] = ["sig": .string(signature.bytes.base64EncodedString())]
            members["keyid"] = signature.keyID.map { .string($0) }
            return EncodedFlagValue.object(members)
        }
        let members: [String: EncodedFlagValue] = [
            "payloadType": .string(payloadType), "payload": .string(payload.base64EncodedString()),
            "signatures": .array(entries),
        ]
        // JSON can hold all of these values, so writing cannot fail.
        return (try? FlagJSONWriter(layout: .pretty).data(of: .object(members))) ?? Data()
    }

    // MARK: Signing

    /// The bytes that are signed: type and document, each after its length (DSSE's pre-authentication encoding).
    package var signedBytes: Data {
        var bytes = Data("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8)
        bytes.append(payload)
        return bytes
    }
}

/// A decoder for base64 (RFC 4648) in either alphabet.
enum Base64 {
    /// Returns the bytes; `nil` for text that no encoder writes: both alphabets in one text, a character of neither,
    /// padding that is incomplete or not at the end, or bits that are left over. Padding may be omitted.
    static func data(_ text: String) -> Data? {
        let isURLSafe = text.contains { "-_".contains($0) }
        guard !isURLSafe || !text.contains(where: { "+/".contains($0) }) else { return nil }
        var standard = text.replacing("-", with: "+").replacing("_", with: "/")
        if !text.hasSuffix("=") { standard += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4) }
        // Only what an encoder writes is equal again: not bits that are left over, nor characters of neither alphabet.
        guard let data = Data(base64Encoded: standard), data.base64EncodedString() == standard else { return nil }
        return data
    }
}
