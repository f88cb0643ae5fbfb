import Foundation
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("flagd's schema cases", .enabled(if: Suites.folder("flagd-schemas") != nil, Suites.skipMessage))
struct SchemaSuiteTests {
    @Test(
        "are accepted or refused as they must be, the latter for a reason with a place",
        arguments: [
            ("flagd/positive", 2), ("flags/positive", 9), ("targeting/positive", 7), ("flags/negative", 9),
            ("targeting/negative", 9),
        ])
    func cases(kind: String, count: Int) throws {
        let folder = try #require(Suites.folder("flagd-schemas")).appendingPathComponent("test/\(kind)")
        let documents = try Suites.documents(in: folder)
        #expect(documents.count == count)
        for url in documents {
            var document = try Suites.document(url)
            if kind.hasPrefix("targeting") { document = ["flags": .object([:]), "$evaluators": ["rule": document]] }
            let problems = FlagDefinitions.validate(document)
            #expect(problems.isEmpty == kind.hasSuffix("positive"), "\(url.lastPathComponent): \(problems)")
            #expect(problems.allSatisfy { !$0.path.isEmpty && !$0.message.isEmpty }, "\(problems)")
        }
    }
}
