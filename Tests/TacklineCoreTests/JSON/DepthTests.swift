import TacklineCore
import TacklineTestSupport
import Testing

@Suite("The maximum depth", .hangLimit)
struct DepthTests {
    private static func nested(_ levels: Int, in wrap: (EncodedFlagValue) -> EncodedFlagValue) -> EncodedFlagValue {
        (0..<levels).reduce(1) { value, _ in wrap(value) }
    }

    private let wrappers: [(EncodedFlagValue) -> EncodedFlagValue] = [{ [$0] }, { ["a": $0] }]

    @Test("is 64 in JSON")
    func inJSON() throws {
        #expect(EncodedFlagValue.maximumDepth == 64)
        for wrap in wrappers {
            let deepest = Self.nested(EncodedFlagValue.maximumDepth, in: wrap)
            #expect(try EncodedFlagValue(json: deepest.jsonData()) == deepest)
            let error = #expect(throws: FlagValueError.self) { try wrap(deepest).jsonData() }
            #expect(error?.detail == "arrays and objects are nested more than 64 levels deep; flatten the value")
        }
    }

    @Test("applies to Codable types and untyped text")
    func codableAndUntypedText() throws {
        struct Tree: Codable, FlagValue {
            var child: [Tree]?
        }
        for levels in [63, 64, 65] {
            // An empty container in alternating arrays and objects.
            var value: EncodedFlagValue = levels.isMultiple(of: 2) ? [] : [:]
            for level in 1..<levels { value = (levels - level).isMultiple(of: 2) ? [value] : ["child": value] }
            let tree = try? Tree(encoded: value)
            #expect((tree != nil) == (levels <= 64))
            if let tree { #expect(try tree.encoded == value) }
        }
        for (levels, isAccepted) in [(64, true), (65, false)] {
            let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            #expect(((try? EncodedFlagValue(encoded: .unparsed(text))) != nil) == isAccepted)
            #expect(((try? FlagJSONReader().read(text)) != nil) == isAccepted)
        }
    }
}
