import TacklineCore

/// Reads JSON written in a test, nested as deeply as the reader allows.
func json(_ text: String) throws -> EncodedFlagValue {
    var limits = FlagJSONReader.Limits()
    limits.maximumDepth = 512
    return try FlagJSONReader(limits: limits).read(Array(text.utf8))
}
