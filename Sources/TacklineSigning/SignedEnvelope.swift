#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import TacklineCore

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
public struct SignedEnvelope: Sendable, Hashable {
    /// A signature of the document.
    public struct Signature: Sendable, Hashable {
        /// The key that should have made the signature; `nil` if it is not named. The name is not signed: a right one
        /// saves work, and a wrong one changes no result.
        public var keyID: String?
        /// The bytes of the signature.
        public var bytes: Data

        /// Creates a signature.
        public init(keyID: String? = nil, bytes: Data) {
            self.keyID = keyID
            self.bytes = bytes
        }
    }

    /// The type of documents that Tackline signs by default.
    public static let flagsPayloadType = "application/vnd.tackline.flags+json"
    /// The largest number of signatures in an envelope.
    public static let maximumSignatures = 32

    /// The type of the document. It is signed too, so that a document of one type is not accepted as another.
    public var payloadType: String
    /// The bytes of the document.
    public var payload: Data
    /// The signatures, which have not been checked.
    public var signatures: [Signature]

    /// Creates an envelope.
    public init(payload: Data, payloadType: String = flagsPayloadType, signatures: [Signature] = []) {
        self.payload = payload
        self.payloadType = payloadType
        self.signatures = signatures
    }

    // MARK: JSON

    /// Reads an envelope: strict JSON, with base64 in the standard or the URL-safe alphabet. Unknown members are
    /// ignored, and a member that occurs twice is an error.
    ///
    /// - Parameters:
    ///   - json: The text in UTF-8.
    ///   - maximumBytes: The largest length of the text.
    /// - Throws: ``DocumentTrustError`` with the code `envelope`.
    public init(json: Data, maximumBytes: Int = 64 << 20) throws(DocumentTrustError) {
        var limits = FlagJSONReader.Limits()
        limits.maximumDepth = 16
        limits.maximumBytes = maximumBytes
        let document: FlagDocument
        do {
            document = try FlagDocument(json: json, limits: limits)
        } catch {
            throw DocumentTrustError(.envelope, "it is not a signed document: \(error)")
        }
        try self.init(document)
    }

    /// Reads an envelope from a JSON document.
    ///
    /// - Throws: ``DocumentTrustError`` with the code `envelope`.
    init(_ document: FlagDocument) throws(DocumentTrustError) {
        guard let type = document.root["payloadType"], let content = document.root["payload"],
            let entries = document.root["signatures"]
        else {
            throw DocumentTrustError(
                .envelope, "it is not signed: it lacks payloadType, payload or signatures; sign it with tackline sign")
        }
        guard case .string(let payloadType) = type, case .string(let payloadText) = content,
            let payload = Base64.data(payloadText)
        else {
            throw DocumentTrustError(
                .envelope, "its payloadType or its payload is not a text, or the payload is not base64")
        }
        guard case .array(let elements) = entries, elements.count <= Self.maximumSignatures else {
            throw DocumentTrustError(
                .envelope, "its signatures are not an array of at most \(Self.maximumSignatures)")
        }
        var signatures: [Signature] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let members) = element, case .string(let text)? = members["sig"],
                let bytes = Base64.data(text)
            else { throw DocumentTrustError(.envelope, "its signature \(index + 1) has no sig in base64") }
            switch members["keyid"] {
            case nil: signatures.append(Signature(bytes: bytes))
            case .string(let keyID)?: signatures.append(Signature(keyID: keyID, bytes: bytes))
            default: throw DocumentTrustError(.envelope, "the keyid of its signature \(index + 1) is not a text")
            }
        }
        self.init(payload: payload, payloadType: payloadType, signatures: signatures)
    }

    /// The envelope as JSON in UTF-8. Equal envelopes have the same JSON.
    public var json: Data {
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
    public var signedBytes: Data {
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
        var text = text
        return text.withUTF8 { decode($0[...]) }
    }

    private static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Data? {
        var digits = text
        while digits.last == UInt8(ascii: "="), text.count - digits.count < 2 { digits.removeLast() }
        if digits.count != text.count, text.count % 4 != 0 { return nil }
        guard digits.count % 4 != 1 else { return nil }
        var bytes = Data(capacity: digits.count / 4 * 3 + 2)
        var (isStandard, isURLSafe) = (false, false)
        var (bits, count): (UInt32, Int) = (0, 0)
        for character in digits {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"), UInt8(ascii: "/"):
                isStandard = true
                digit = character == UInt8(ascii: "+") ? 62 : 63
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                isURLSafe = true
                digit = character == UInt8(ascii: "-") ? 62 : 63
            default: return nil
            }
            bits = bits << 6 | UInt32(digit)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        return bits == 0 && !(isStandard && isURLSafe) ? bytes : nil
    }
}
