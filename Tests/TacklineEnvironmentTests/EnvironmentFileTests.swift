import Foundation
import Tackline
import TacklineTestSupport
import Testing

@Suite("A .env file", .hangLimit)
struct EnvironmentFileTests {
    /// Returns the texts of the variables A to G in a file, and what is said about its lines.
    private func read(_ text: some Sequence<UInt8>) throws -> (variables: [String: String], mistakes: String?) {
        let folder = try TemporaryFolder()
        let file = folder.file(".env")
        try Data(text).write(to: file)
        let provider = EnvironmentProvider(prefix: "", file: file, environment: [:])
        var variables: [String: String] = [:]
        for name in "ABCDEFG" {
            guard case .unparsed(let text)? = provider.value(at: "\(name)") else { continue }
            variables["\(name)"] = text
        }
        guard case .failed(let error) = provider.status else { return (variables, nil) }
        let start = "Provider \"EnvironmentProvider\": \(file.path) is read without some lines: "
        return (variables, error.message.replacing(start, with: ""))
    }

    @Test("is read as people write it, without the faults that users of other readers reported")
    func read() throws {
        let json = #"{"field":"some value", "other": "stops here#this stays"}"#
        let cases: [(String, [String: String])] = [
            ("A=1", ["A": "1"]), ("", [:]), ("A=", ["A": ""]), ("A=#b", ["A": ""]), ("A=1\nA=2", ["A": "2"]),
            ("export A=1\nexport\tB=2\nexport  C=3\n  D=4", ["A": "1", "B": "2", "C": "3", "D": "4"]),
            ("export=1\nA=2", ["A": "2"]), ("\u{FEFF}A=1", ["A": "1"]), ("A=$B ${C}", ["A": "$B ${C}"]),
            ("A=C:\\dir\\\nB=it's\nC=a=b#c\nD = e # f", ["A": "C:\\dir\\", "B": "it's", "C": "a=b#c", "D": "e"]),
            ("# c\rA=1\rB=\"2\" # d\r\rexport C='3'\r", ["A": "1", "B": "2", "C": "3"]), ("A=1\r", ["A": "1"]),
            ("A=1\r\nB=\"2\"\r\n\r\n# c\r\nC='3' # d\r\nD=\r\n", ["A": "1", "B": "2", "C": "3", "D": ""]),
            (
                "A=\"a # b\\n\\$\\\"\\\\\\x\" # c\nB='a \\n \"b\"'\nC=`it's`",
                ["A": "a # b\n$\"\\\\x", "B": "a \\n \"b\"", "C": "it's"]
            ),
            ("A=x\u{2028}y\nB=\"x\u{85}y\"\nC=\u{301}x", ["A": "x\u{2028}y", "B": "x\u{85}y", "C": "\u{301}x"]),
            // From the trackers of dotenv for Node, Ruby, Go and C#, dotenvy, direnv, Node itself, sops, docker compose and
            // python-dotenv.
            ("# A comment with a ' quote\n# and a \" quote\nA=1 # a '\" comment\n# end", ["A": "1"]),
            ("A=\"1\" # or \"2\" or \"3\"", ["A": "1"]), ("A=\(json)", ["A": json]),
            ("# B=2\n#C=\nA=d1\n\n# D=d1_\n# E=\nF=\nG=abcd", ["A": "d1", "F": "", "G": "abcd"]),
            ("# Uncomment to activate:\n# DO_X=anything\n\n", [:]),
            ("# export A=\"99\nB=1\nC='2'", ["B": "1", "C": "2"]),
            ("A=test*&#\n   \n\t\r\nB=val#bla", ["A": "test*&#", "B": "val#bla"]),
            ("A= # empty\nB=x#y", ["A": "", "B": "x#y"]), ("A=one  two\tthree # four", ["A": "one  two\tthree"]),
        ]
        for (text, variables) in cases {
            let (found, mistakes) = try read(text.utf8)
            #expect(found == variables && mistakes == nil, "\(text): \(found), \(mistakes ?? "")")
        }
    }

    @Test("is used without the lines that can't be read, which are named")
    func mistakes() throws {
        let name = "a name has only ASCII letters, digits, underscores, dots and hyphens; write NAME=value"
        let quote = "the quoted value does not end on its line, or something follows it; close the quote"
        let cases: [(String, String)] = [
            ("FOO BAR", "an equals sign is missing; write NAME=value"),
            ("export A", "an equals sign is missing; write NAME=value"),
            ("=x", name), ("é=x", name), ("B C=x", name), ("B\u{301}=x", name), ("B=\"x", quote), ("B='x' y", quote),
            ("B=\"x\"#y", quote), (#"B='adsf#\'#sdf\'jklo'#bla"#, quote),
            ("B=x\rC=y", "a carriage return is inside; end each line in the same way"),
            ("B=x\u{0}", "it is not UTF-8 but perhaps UTF-16; save the file as UTF-8"),
        ]
        for (line, mistake) in cases {
            let (found, mistakes) = try read("A=1\n\n\(line)\nG=2".utf8)
            #expect(found == ["A": "1", "G": "2"], "\(line)")
            #expect(mistakes == "line 3: \(mistake). Correct these lines; the others are used.", "\(line)")
        }
        let (found, mistakes) = try read([UInt8]("A=1\nB=".utf8) + [0xFF] + [UInt8]("\nC=3".utf8))
        #expect(found == ["A": "1", "C": "3"] && mistakes?.hasPrefix("line 2: it is not UTF-8") == true)
        let (none, many) = try read(String(repeating: "x\n", count: 1000).utf8)
        #expect(none.isEmpty && many?.contains("; and 980 more lines.") == true)
    }

    @Test("of a mebibyte, hostile or not, is read at once and by its lines")
    func large() throws {
        let line = "A=\"\(String(repeating: "\\\"", count: 200))\" #\n"
        let lines = String(repeating: line, count: (1 << 20) / line.utf8.count)
        #expect(try read(lines.utf8).variables == ["A": String(repeating: "\"", count: 200)])
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("AB_1=\"'\\# \n\r\té🚩$`:;.\0".utf8)
        for _ in 0..<300 {
            let bytes = (0..<60).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            _ = try read(bytes)
        }
    }

    @Test(
        "that can't be read at all is in the status and reported to each loader; variables of the process win over it")
    func issues() throws {
        let folder = try TemporaryFolder()
        let large = try folder.file("large", String(repeating: "A=1\n", count: 1 << 18 | 1))
        let lines = try folder.file(".env", "APP_LIMIT=1\nAPP B\nAPP_SECRETS_BOOM_FEATURE=1")
        let cases: [(URL, FlagError.Code, String)] = [
            (folder.url, .unreadableFile, "can't be read: it is a folder or a device, not a regular file. "),
            (large, .unreadableFile, "can't be read: it takes more than 1 MiB. Correct the file"),
            (lines, .unreadableLine, "is read without some lines: line 2: an equals sign is missing"),
        ]
        for (file, code, message) in cases {
            let provider = EnvironmentProvider(prefix: "APP", file: file, environment: ["APP_LIMIT": "2"])
            for _ in 0..<2 {
                let log = IssueRecorder()
                let flags = FlagsLoader(AppFlags.self, providers: [provider], issueReporter: log.reporter)
                #expect(flags.limit == 2 && flags.secrets.boomFeature == (file == lines))
                #expect(log.codes == [code] && log.issues.first?.message.contains(message) == true, "\(log.issues)")
                #expect(log.issues.first.map { provider.status == .failed($0) } == true)
            }
        }
        let absent = EnvironmentProvider(prefix: "APP", file: folder.file("absent"), environment: [:])
        #expect(absent.status == .ready && absent.value(at: "limit") == nil)
    }
}
