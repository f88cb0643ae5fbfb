import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

/// The tests of N. Seriot's JSONTestSuite (https://github.com/nst/JSONTestSuite), if it is installed.
@Suite(
    "The documents of JSONTestSuite",
    .enabled(if: Suites.folder("JSONTestSuite") != nil, "the suite is not installed"))
struct JSONTestSuiteTests {
    private func files(_ folder: String, prefix: String) throws -> [(name: String, data: Data)] {
        let root = try #require(Suites.folder("JSONTestSuite")).appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasPrefix(prefix) }
        return try names.sorted().map { ($0, try Data(contentsOf: root.appendingPathComponent($0))) }
    }

    private func isRead(_ data: Data) -> Bool {
        var limits = FlagJSONReader.Limits()
        limits.maximumDepth = 512
        return (try? FlagJSONReader(limits: limits).read(data)) != nil
    }

    /// The valid documents with a repeated key. RFC 8259, section 4, discourages repeated keys, and the reader refuses
    /// them.
    private let duplicates: Set = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

    /// The documents that a parser may accept or refuse, and that the reader accepts: underflow, wide integers and a byte
    /// order mark. It refuses numbers out of range, invalid Unicode and nesting beyond its limit.
    private let optional: Set = [
        "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json", "i_number_too_big_neg_int.json",
        "i_number_too_big_pos_int.json", "i_structure_UTF-8_BOM_empty_object.json",
    ]

    @Test("are read or refused")
    func documents() throws {
        let cases: [(prefix: String, count: Int, isRead: (String) -> Bool)] = [
            ("y_", 95, { !duplicates.contains($0) }), ("n_", 188, { _ in false }),
            ("i_", 35, { optional.contains($0) }),
        ]
        for (prefix, count, isExpected) in cases {
            let files = try files("test_parsing", prefix: prefix)
            #expect(files.count == count)
            for (name, data) in files { #expect(isRead(data) == isExpected(name), "\(name)") }
        }
    }
}
