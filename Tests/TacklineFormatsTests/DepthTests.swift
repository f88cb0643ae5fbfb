import TacklineCore
import TacklineFormats
import TacklineTestSupport
import Testing

@Suite("The greatest depth", .hangLimit)
struct DepthTests {
    private static func nested(_ levels: Int, in wrap: (EncodedFlagValue) -> EncodedFlagValue) -> EncodedFlagValue {
        (0..<levels).reduce(1) { value, _ in wrap(value) }
    }

    private let wraps: [(EncodedFlagValue) -> EncodedFlagValue] = [{ [$0] }, { ["a": $0] }]

    private typealias Carry = (EncodedFlagValue) throws -> EncodedFlagValue

    private let formats: [Carry] = [
        { try FlagJSONReader().read(FlagJSONWriter(layout: .compact).bytes(of: $0)) },
        { try FlagPropertyListReader().read(FlagPropertyListWriter(format: .xml).bytes(of: $0)) },
        { try FlagPropertyListReader().read(FlagPropertyListWriter(format: .binary).bytes(of: $0)) },
    ]

    @Test("is one for every format, and what is written can be read again")
    func sameForAll() throws {
        #expect(EncodedFlagValue.maximumDepth == 64)
        for wrap in wraps {
            let deepest = Self.nested(EncodedFlagValue.maximumDepth, in: wrap)
            for carry in formats {
                #expect(try carry(deepest) == deepest)
                do {
                    _ = try carry(wrap(deepest))
                    Issue.record("a value of 65 levels was written")
                } catch let error as FlagValueError {
                    #expect(error.detail == "arrays and objects are nested more than 64 levels deep; flatten the value")
                }
            }
        }
    }

    @Test("is that of Codable types and of untyped texts too")
    func ofCoders() throws {
        struct Tree: Codable, FlagValue {
            var child: [Tree]?
        }
        for levels in [63, 64, 65] {
            // An object without members, in objects and arrays by turns.
            var value: EncodedFlagValue = levels.isMultiple(of: 2) ? [] : [:]
            for level in 1..<levels { value = (levels - level).isMultiple(of: 2) ? [value] : ["child": value] }
            let tree = try? Tree(encoded: value)
            #expect((tree != nil) == (levels <= 64))
            if let tree { #expect(try tree.encoded == value) }
        }
        for (levels, isTaken) in [(64, true), (65, false)] {
            let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            #expect(((try? EncodedFlagValue(encoded: .unparsed(text))) != nil) == isTaken)
            #expect(((try? FlagJSONReader().read(text)) != nil) == isTaken)
        }
    }

    @Test("of a reader is the one that it is given, up to 512")
    func ofReader() throws {
        for (limit, greatest) in [(3, 3), (100, 100), (1000, 512)] {
            var reader = FlagJSONReader()
            reader.limits.maximumDepth = limit
            var writer = FlagJSONWriter(layout: .compact)
            writer.maximumDepth = limit
            for wrap in wraps {
                let deepest = Self.nested(greatest, in: wrap)
                let text = try writer.text(of: deepest)
                #expect(try reader.read(text) == deepest)
                #expect(throws: FlagValueError.self) { try writer.text(of: wrap(deepest)) }
                let deeper = text.first == "[" ? "[\(text)]" : "{\"a\":\(text)}"
                #expect { try reader.read(deeper) } throws: { ($0 as? FlagJSONError)?.code == .tooDeep }
            }
        }
    }
}
