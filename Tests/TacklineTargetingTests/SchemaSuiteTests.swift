import Foundation
import TacklineCore
import TacklineTargeting
import Testing

@Suite("flagd's schema cases", .enabled(if: Suites.folder("flagd-schemas") != nil, Suites.skipMessage))
struct SchemaSuiteTests {
    private func problems(in document: EncodedFlagValue, kind: String) -> [FlagDefinitionProblem] {
        guard kind == "targeting" else { return FlagDefinitions.validate(document) }
        return FlagDefinitions.validate(["flags": .object([:]), "$evaluators": ["rule": document]])
    }

    @Test(
        "are accepted where they must be",
        arguments: [("flagd", 2), ("flags", 9), ("targeting", 7)])
    func positive(kind: String, count: Int) throws {
        let folder = try #require(Suites.folder("flagd-schemas")).appendingPathComponent("test/\(kind)/positive")
        let documents = try Suites.documents(in: folder)
        #expect(documents.count == count)
        for url in documents {
            let problems = problems(in: try Suites.document(url), kind: kind)
            #expect(problems.isEmpty, "\(url.lastPathComponent): \(problems)")
        }
    }

    @Test(
        "are refused where they must be, each for a reason with a place",
        arguments: [("flags", 9), ("targeting", 9)])
    func negative(kind: String, count: Int) throws {
        let folder = try #require(Suites.folder("flagd-schemas")).appendingPathComponent("test/\(kind)/negative")
        let documents = try Suites.documents(in: folder)
        #expect(documents.count == count)
        for url in documents {
            let problems = problems(in: try Suites.document(url), kind: kind)
            #expect(problems.count >= 1, "\(url.lastPathComponent)")
            #expect(problems.allSatisfy { !$0.path.isEmpty && !$0.message.isEmpty }, "\(problems)")
        }
    }
}
