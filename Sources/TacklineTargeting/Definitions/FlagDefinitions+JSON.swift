import TacklineCore

extension FlagDefinitions {
    /// Reads and compiles a document from its JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - limits: Bounds for each rule and each evaluation.
    ///   - bucketing: The arithmetic of `fractional`.
    ///   - timestamp: The time that rules see, in seconds since 1970.
    /// - Throws: ``TargetingError`` with line and column where the text is no JSON, or with the reason why the document is
    ///   unusable as a whole.
    /// - Complexity: O(*n*) in the number of bytes.
    public init(
        json bytes: [UInt8], limits: TargetingLimits = .default,
        bucketing: any FractionalBucketing = .secondGeneration,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(TargetingError) {
        var reader = FlagJSONReader()
        // An operator takes two levels, and the rule itself stands a few levels down.
        reader.limits.maximumDepth = 2 * limits.maximumDepth + 16
        let document: EncodedFlagValue
        do {
            document = try reader.read(bytes)
        } catch {
            throw TargetingError(code: .parseError, path: JSONPointer.text(error.path), message: error.description)
        }
        try self.init(document, limits: limits, bucketing: bucketing, timestamp: timestamp)
    }
}
