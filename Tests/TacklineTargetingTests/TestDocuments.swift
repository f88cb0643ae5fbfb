import Foundation
import TacklineCore
import TacklineTargeting
import TacklineTestSupport

/// Reads JSON written in a test, nested as deeply as the reader allows.
func json(_ text: String) throws -> EncodedFlagValue {
    try FlagJSONReader(maximumDepth: 512).read(Array(text.utf8))
}

extension Suites {
    static func document(_ url: URL) throws -> EncodedFlagValue {
        try FlagJSONReader().read(Data(contentsOf: url))
    }

    /// The JSON files of a folder, in order.
    static func documents(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }
}

extension FlagDefinitions {
    /// Reads and compiles a document written in a test.
    init(
        json text: String, fractional: FractionalVersion = .v2,
        timestamp: @escaping @Sendable () -> Int64 = FlagDefinitions.currentTimestamp
    ) throws(FlagError) {
        try self.init(json: Data(text.utf8), fractional: fractional, timestamp: timestamp)
    }
}

/// Returns users with the targeting keys `user-1`, `user-2` and so on, and no attributes.
func syntheticUsers(_ count: Int) -> some Sequence<EvaluationContext> {
    (0..<count).lazy.map { EvaluationContext(targetingKey: "user-\($0 + 1)") }
}
