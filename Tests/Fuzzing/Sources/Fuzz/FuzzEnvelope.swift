import Foundation

@testable import TacklineSigning

/// Takes for a signature what ends with a byte that belongs to the key, and keeps no secrets.
private struct LastByte: SignatureAlgorithm {
    func isValid(_ signature: Data, of message: Data, by key: Data) -> Bool {
        !signature.isEmpty && signature.last == key.last
    }
}

/// Reads any bytes as a signed envelope, and checks that what is accepted survives writing and reading, that what is signed
/// names its own lengths, and that nothing is opened which too few keys have signed.
func fuzzEnvelope(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Data(UnsafeBufferPointer(start: bytes, count: count))
    guard let envelope = try? SignedEnvelope(json: input, maximumBytes: 1 << 16) else { return 0 }
    let again = try? SignedEnvelope(json: envelope.json)
    precondition(again == envelope, "an envelope changes when it is written")
    let signed = envelope.signedBytes
    precondition(signed.starts(with: "DSSEv1 \(envelope.payloadType.utf8.count) ".utf8))
    precondition(signed.suffix(envelope.payload.count) == envelope.payload)
    let keys = (0..<3).map { TrustedKey(bytes: Data(repeating: 7, count: 31) + [UInt8($0)]) }
    let signers = Set(envelope.signatures.compactMap(\.bytes.last)).filter { $0 < 3 }.count
    for required in 1...3 {
        var trust = DocumentTrust(keys: keys, required: required, algorithm: LastByte())
        trust.payloadType = envelope.payloadType
        let opened = try? trust.openedDocument(input, maximumBytes: 1 << 16).payload
        precondition((opened != nil) == (signers >= required), "\(required) of \(signers)")
        precondition(opened == nil || opened == envelope.payload)
        trust.payloadType += "x"
        precondition((try? trust.openedDocument(envelope)) == nil, "the type does not count")
    }
    return 0
}
