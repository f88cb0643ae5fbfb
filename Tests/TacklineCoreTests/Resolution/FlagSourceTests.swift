import Foundation
import TacklineCore
import Testing

@Suite("The source of a value")
struct FlagSourceTests {
    @Test("is encoded as an object with its kind and the provider's id")
    func coding() throws {
        let cases: [(FlagSource, String)] = [
            (FlagSource.scope, #"{"kind":"scope"}"#), (.computed, #"{"kind":"computed"}"#),
            (.default, #"{"kind":"default"}"#), (.provider("remote"), #"{"kind":"provider","provider":"remote"}"#),
        ]
        for (source, json) in cases {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            #expect(try String(decoding: encoder.encode(source), as: UTF8.self) == json, "\(source)")
            #expect(try JSONDecoder().decode(FlagSource.self, from: Data(json.utf8)) == source, "\(source)")
        }
    }

    @Test("is refused with advice if its kind is unknown or a provider has no id", arguments: ["cat", "provider"])
    func unknown(_ kind: String) {
        let data = Data("{\"kind\":\"\(kind)\"}".utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(FlagSource.self, from: data) }
        let advice = "\"\(kind)\" is not scope, computed, default, or provider with an id; write one of them"
        #expect(error.map { "\($0)".contains(advice) } == true)
    }
}
