import Foundation
import TacklineCore

/// Reads any bytes, and checks that what was accepted is written and read back as the same value, and that it is the same
/// as a document of flags.
func fuzzJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
    let document = try? FlagDocument(json: Data(bytes))
    if let document { check(document) }
    guard let value = try? EncodedFlagValue(json: Data(bytes)) else { return 0 }
    guard let written = try? value.jsonData(), let again = try? EncodedFlagValue(json: written), again == value
    else { preconditionFailure("an accepted document does not survive writing and reading") }
    if case .object(let members) = value, document != FlagDocument(members) {
        preconditionFailure("a document of flags is not what the reader reads")
    }
    return 0
}

private func check(_ document: FlagDocument) {
    precondition(document.changes(from: document).isEmpty, "a document differs from itself")
    let all = document.changes(from: FlagDocument())
    for change in all {
        precondition(document.value(for: change.key) == change.new, "a change tells another value than there is")
    }
    guard all.count <= 32 else { return }
    var emptied = document
    for change in all { emptied.setValue(nil, for: change.key) }
    for change in all {
        precondition(emptied.value(for: change.key) == nil, "a removed value is still there")
    }
}
