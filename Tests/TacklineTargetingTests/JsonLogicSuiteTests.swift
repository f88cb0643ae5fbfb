import Foundation
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("JsonLogic's own cases")
struct JsonLogicSuiteTests {
    @Test(
        "come out as their authors expect, all 278 compatible ones",
        .enabled(if: Suites.folder("json-logic") != nil, Suites.skipMessage))
    func compatibleCases() throws {
        let folder = try #require(Suites.folder("json-logic"))
        let document = try Suites.document(folder.appendingPathComponent("suites/compatible.json"))
        guard case .array(let cases) = document else { throw CocoaError(.fileReadCorruptFile) }
        var count = 0
        for case .object(let members) in cases {
            let rule = try #require(members["rule"])
            let result = try TargetingRule(rule).evaluate(members["data"] ?? .null)
            #expect(result == members["result"], "\(rule)")
            count += 1
        }
        #expect(count == 278)
    }
}
