import TacklineCore

/// Reads any bytes, and checks that what was accepted is written and read back as the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let value = try? FlagJSONReader().read(UnsafeRawBufferPointer(start: bytes, count: count)) else { return 0 }
    guard let written = try? FlagJSONWriter(layout: .compact).bytes(of: value),
        let again = try? FlagJSONReader().read(written), again == value
    else { preconditionFailure("an accepted document does not survive writing and reading") }
    return 0
}
