import Foundation
import TacklineCore

/// Reads any bytes, and checks that what was accepted is written and read back as the same document.
func fuzzJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let document = try? FlagDocument(json: Data(bytes)) else { return 0 }
    check(document)
    guard let written = try? document.jsonData(), let again = try? FlagDocument(json: written), again == document
    else { preconditionFailure("an accepted document does not survive writing and reading") }
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
