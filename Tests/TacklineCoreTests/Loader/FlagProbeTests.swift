import TacklineCore
import TacklineMemory
import TacklineTestSupport
import Testing

private struct ProbedFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "First") var first: Bool
    @Flag(default: false, description: "Second") var second: Bool
    @Flag(default: 0, description: "A number") var number: Int
    @Flag(default: "", description: "A title") var title: String
    @Flag(default: [], description: "Numbers") var list: [Int]
    @Flag(default: nil, description: "A name") var name: String?
    @Flag(default: SampleLimits(attempts: 1, names: []), description: "Limits") var limits: SampleLimits
    @Flag(default: SampleTheme.light, description: "Colors") var theme: SampleTheme
    @Flag(default: 0, description: "A byte") var byte: UInt8
    @Flag(default: 0.5, description: "A share") var share: Double
    @Flag(default: 3, bounds: .range(1...5), description: "A number with bounds") var bounded: Int
    @FlagCollection(description: "Inner") var inner: SecretExperiments

    var anyIsOn: Bool { first || second }
    var isOff: Bool { !first }
    var double: Int { number * 2 }
    var uppercase: String { title.uppercased() }
    var same: Int { number }
    var capped: Int { min(number, 10) }
    var positive: Int { max(number, 0) }
    var modest: Double { min(max(share, -1), 1) }
    var byteCapped: UInt8 { min(byte, 200) }
    var shortTitle: String { String(title.prefix(20)) }
    var firstOfList: [Int] { Array(list.prefix(100)) }
    var constant: Int { 7 }
    var boundedTwice: Int { bounded * 2 }
}

@Suite("A key path") struct FlagProbeTests {
    private func code<Value: FlagValue>(_ keyPath: KeyPath<ProbedFlags, Value>) -> FlagError.Code? {
        do throws(FlagError) {
            _ = try FlagProbe<ProbedFlags>.ordinal(of: keyPath)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("leads to the flag whose property it names, of any type and in a nested collection")
    func flags() throws {
        let keyPaths = FlagsLoader(ProbedFlags.self, providers: []).root.allFlags.map(\.property)
        func property<Value: FlagValue>(_ keyPath: KeyPath<ProbedFlags, Value>) throws -> String {
            keyPaths[try FlagProbe<ProbedFlags>.ordinal(of: keyPath)]
        }
        #expect(try property(\.first) == "first" && property(\.second) == "second")
        #expect(try property(\.number) == "number" && property(\.title) == "title" && property(\.list) == "list")
        #expect(try property(\.byte) == "byte" && property(\.share) == "share" && property(\.bounded) == "bounded")
        #expect(try property(\.name) == "name" && property(\.limits) == "limits" && property(\.theme) == "theme")
        #expect(try property(\.inner.boomFeature) == "inner.boomFeature")
        #expect(try property(\.inner.moodOfTheDay) == "inner.moodOfTheDay")
    }

    @Test("into the value of a flag or to a computed property leads to no flag, and the issue names the nearest one")
    func noFlags() {
        let codes = [
            code(\.limits.attempts), code(\.title.count), code(\.list[0]), code(\.list.count), code(\.anyIsOn),
            code(\.isOff), code(\.double), code(\.uppercase), code(\.constant), code(\.capped), code(\.positive),
            code(\.modest), code(\.byteCapped), code(\.shortTitle), code(\.firstOfList),
            code(\.boundedTwice),
        ]
        #expect(codes.allSatisfy { $0 == .noFlagAtKeyPath })
        // It is the flag by another name.
        #expect(code(\.same) == nil)
        let issue = #expect(throws: FlagError.self) { try FlagProbe<ProbedFlags>.ordinal(of: \.limits.attempts) }
        #expect(
            issue?.message == """
                A key path of ProbedFlags leads to no flag, so nothing is set. The nearest flag is \\ProbedFlags.limits. \
                Name the property of a @Flag, from the collection that the loader was made for.
                """)
    }

    @Test("that leads to no flag sets nothing in values for a collection, and is reported")
    func assignments() {
        let issues = IssueRecorder()
        let memory = FlagIssueReporter.withReporter(issues.reporter) {
            MemoryProvider(ProbedFlags.self) {
                $0.set(\.capped, to: 9)
                $0.set(\.title, to: "a")
                $0.set(\.title, to: "b")
                $0.set(\.inner.boomFeature, to: true)
            }
        }
        #expect(memory.document?.root == ["title": "b", "inner/boom_feature": true])
        #expect(issues.codes == [.noFlagAtKeyPath])
        #expect(issues.issues.first?.message.contains("The nearest flag is \\ProbedFlags.number.") == true)
    }
}
