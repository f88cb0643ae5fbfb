import Foundation
import TacklineCore
import TacklineTestSupport
import Testing

/// The tests of N. Seriot's JSONTestSuite (https://github.com/nst/JSONTestSuite), if it is installed.
@Suite(
    "The JSON reader in JSONTestSuite",
    .enabled(if: Suites.folder("JSONTestSuite") != nil, "the suite is not installed"))
struct JSONTestSuiteTests {
    private func files(_ folder: String, prefix: String) throws -> [(name: String, data: Data)] {
        let root = try #require(Suites.folder("JSONTestSuite")).appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasPrefix(prefix) }
        return try names.sorted().map { ($0, try Data(contentsOf: root.appendingPathComponent($0))) }
    }

    private func outcome(_ data: Data) -> FlagJSONError.Code? {
        var limits = FlagJSONReader.Limits()
        limits.maximumDepth = 512
        do {
            _ = try FlagJSONReader(limits: limits).read(data)
            return nil
        } catch {
            return error.code
        }
    }

    /// The valid documents with a repeated key. RFC 8259, section 4, discourages repeated keys, and the reader refuses
    /// them.
    private let duplicates: Set = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]

    @Test("accepts all valid documents, except for those with repeated keys")
    func validDocuments() throws {
        let files = try files("test_parsing", prefix: "y_")
        #expect(files.count == 95)
        for (name, data) in files {
            #expect(outcome(data) == (duplicates.contains(name) ? .duplicateKey : nil), "\(name)")
        }
    }

    @Test("refuses all invalid documents")
    func invalidDocuments() throws {
        let files = try files("test_parsing", prefix: "n_")
        #expect(files.count == 188)
        for (name, data) in files {
            #expect(outcome(data) != nil, "\(name)")
        }
    }

    /// The outcomes for documents that a parser may accept or refuse; `nil` if the reader accepts the document.
    ///
    /// The reader refuses numbers out of range and invalid Unicode. It accepts underflow, nesting up to the limit and a
    /// byte order mark.
    private let implementationDefined: [(FlagJSONError.Code?, names: [String])] = [
        (
            nil,
            names: [
                "number_double_huge_neg_exp", "number_real_underflow", "number_too_big_neg_int",
                "number_too_big_pos_int", "structure_UTF-8_BOM_empty_object",
            ]
        ),
        (
            .numberOutOfRange,
            names: [
                "number_huge_exp", "number_neg_int_huge_exp", "number_pos_double_huge_exp", "number_real_neg_overflow",
                "number_real_pos_overflow", "number_very_big_negative_int",
            ]
        ),
        (
            .loneSurrogate,
            names: [
                "object_key_lone_2nd_surrogate", "string_1st_surrogate_but_2nd_missing",
                "string_1st_valid_surrogate_2nd_invalid", "string_incomplete_surrogate_and_escape_valid",
                "string_incomplete_surrogate_pair", "string_incomplete_surrogates_escape_valid",
                "string_invalid_lonely_surrogate", "string_invalid_surrogate", "string_inverted_surrogates_U+1D11E",
                "string_lone_second_surrogate",
            ]
        ),
        (
            .notUTF8,
            names: [
                "string_UTF-16LE_with_BOM", "string_UTF-8_invalid_sequence", "string_UTF8_surrogate_U+D800",
                "string_invalid_utf-8", "string_iso_latin_1", "string_lone_utf8_continuation_byte",
                "string_not_in_unicode_range", "string_overlong_sequence_2_bytes", "string_overlong_sequence_6_bytes",
                "string_overlong_sequence_6_bytes_null", "string_truncated-utf-8", "string_utf16BE_no_BOM",
                "string_utf16LE_no_BOM",
            ]
        ),
        (
            .tooDeep,
            names: [
                "structure_500_nested_arrays"
            ]
        ),
    ]

    @Test("handles implementation-defined documents as the table states")
    func implementationDefinedDocuments() throws {
        let files = try files("test_parsing", prefix: "i_")
        #expect(files.count == 35)
        for (name, data) in files {
            let row = try #require(
                implementationDefined.first { $0.names.contains("\(name.dropFirst(2).dropLast(5))") }, "\(name)")
            #expect(outcome(data) == row.0, "\(name)")
        }
    }
}
