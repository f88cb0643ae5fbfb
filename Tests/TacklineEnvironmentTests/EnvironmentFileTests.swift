import Foundation
import Synchronization
import TacklineCore
import TacklineEnvironment
import TacklineTestSupport
import Testing

@Suite("A .env file")
struct EnvironmentFileTests {
    private static let letters = "ASCII letters, digits, underscores, dots and hyphens"

    private func read(_ text: String) -> EnvironmentFile { EnvironmentFile(Data(text.utf8)) }

    @Test("is read as Docker, systemd and dotenv libraries read it")
    func read() {
        let cases: [(String, [String: String])] = [
            ("A=1", ["A": "1"]),
            ("export A=1\nexport\tB=2\nexport  C=3", ["A": "1", "B": "2", "C": "3"]),
            ("export=1", ["export": "1"]),
            ("a.b=1\nc-d=2\n1E=3", ["a.b": "1", "c-d": "2", "1E": "3"]),
            ("A: 1\nB:\t2\nC:", ["A": "1", "B": "2", "C": ""]),
            ("; systemd\n # shell\nA=1", ["A": "1"]),
            (
                "A=\"one\ntwo\"\nB='x\n\ny' # comment\nC=`it's\n\"z\"`",
                ["A": "one\ntwo", "B": "x\n\ny", "C": "it's\n\"z\""]
            ),
            ("A=\"one\\\n  two\"", ["A": "one  two"]),
            (
                "A=\"-----BEGIN KEY-----\r\nMII=\r\n-----END KEY-----\r\n\"\r\nB=1",
                [
                    "A": "-----BEGIN KEY-----\nMII=\n-----END KEY-----\n", "B": "1",
                ]
            ),
            ("A=C:\\dir\\\nB=it's\nC=a=b#c\nD = e # f", ["A": "C:\\dir\\", "B": "it's", "C": "a=b#c", "D": "e"]),
            ("A=1\rB=2\r\nC=3\n\rD=4", ["A": "1", "B": "2", "C": "3", "D": "4"]),
            ("\u{FEFF}A=1", ["A": "1"]),
            ("A={\"x\": [1, 2]}", ["A": "{\"x\": [1, 2]}"]),
            ("A=$B ${C}", ["A": "$B ${C}"]),
            ("A=", ["A": ""]),
            ("A=#b", ["A": ""]),
            ("A=1\nA=2", ["A": "2"]),
            ("", [:]),
        ]
        for (text, variables) in cases {
            let file = read(text)
            #expect(file.variables == variables, "\(text)")
            #expect(file.mistakes.isEmpty, "\(text)")
        }
    }

    @Test("has no end of a line in other separators")
    func separators() {
        let cases: [String] = ["\u{C}", "\u{B}", "\u{85}", "\u{2028}", "\u{2029}"]
        for separator in cases {
            let file = read("A=x\(separator)y\nB=\"x\(separator)y\"")
            #expect(file.variables == ["A": "x\(separator)y", "B": "x\(separator)y"], "\(separator)")
            #expect(file.mistakes.isEmpty, "\(separator)")
        }
    }

    @Test("is used without the lines that can't be read, which are named")
    func mistakes() {
        let cases: [(String, String)] = [
            ("FOO BAR", "an equals sign is missing; write NAME=value"),
            ("A:1", "an equals sign is missing; write NAME=value"),
            ("=x", "a name with \(Self.letters) must come first, as in NAME=value"),
            ("é=x", "a name with \(Self.letters) must come first, as in NAME=value"),
            ("A B=x", "the name contains something other than \(Self.letters); rename it"),
            ("A\u{301}=x", "the name contains something other than \(Self.letters); rename it"),
            ("A=\"x", "the quoted value does not end, or something follows it; close the quote"),
            ("A='x' y", "the quoted value does not end, or something follows it; close the quote"),
        ]
        for (line, message) in cases {
            let file = read("FIRST=1\n\n\(line)\nLAST=2")
            #expect(file.variables == ["FIRST": "1", "LAST": "2"], "\(line)")
            #expect(file.mistakes.map(\.description) == ["line 3: \(message)"], "\(line)")
        }
    }

    /// From the trackers of dotenv for Node, Ruby, Go and C#, dotenvy, direnv, Node itself, sops and huggingface_hub.
    @Test("has none of the faults that users of other readers reported")
    func reported() {
        let cases: [(String, [String: String])] = [
            ("# A comment with a ' quote\n# and a \" quote\nA=1 # a '\" comment\n# end", ["A": "1"]),
            ("A=\"1\" # or \"2\" or \"3\"", ["A": "1"]),
            ("# B=2\n#C=\nA=d1\n\n# D=d1_\n# E=\nF=\nG=abcd", ["A": "d1", "F": "", "G": "abcd"]),
            ("# Uncomment to activate:\n# DO_X=anything\n\n", [:]),
            ("# export A=\"99\nB=1\nC='2'", ["B": "1", "C": "2"]),
            (
                "A={\"field\":\"some value\", \"other\": \"stops here#this stays\"}",
                [
                    "A": "{\"field\":\"some value\", \"other\": \"stops here#this stays\"}"
                ]
            ),
            ("A= # empty\nB=x#y", ["A": "", "B": "x#y"]),
            ("A='[first # no comment\n  second # none]'", ["A": "[first # no comment\n  second # none]"]),
            ("A=one  two\tthree # four", ["A": "one  two\tthree"]),
            ("# comment\r\n\r\nA=1\r\nB=\r\n", ["A": "1", "B": ""]),
        ]
        for (text, variables) in cases {
            let file = read(text)
            #expect(file.variables == variables, "\(text)")
            #expect(file.mistakes.isEmpty, "\(text)")
        }
        #expect(read("A=1\r\nB C\r\nD=").mistakes.map(\.line) == [2])
    }

    @Test("loses only the line that is not UTF-8")
    func encoding() {
        let file = EnvironmentFile(Data("A=1\nB=\u{1}\nC=3".utf8.map { $0 == 1 ? 0xFF : $0 }))
        #expect(file.variables == ["A": "1", "C": "3"])
        #expect(file.mistakes.map(\.description) == ["line 2: the value is not UTF-8; save the file as UTF-8"])
    }

    @Test("is read by bytes, so that a combining mark hides no sign")
    func combiningMarks() {
        let file = read(
            "#\u{301} a comment\r\nA=\u{301}x\nB=\"\u{302}y\\\"\u{303}\"#\u{304}\nC='z' #\u{304}\nD=w #\u{305}\nE= \u{306}"
        )
        #expect(
            file.variables == ["A": "\u{301}x", "B": "\u{302}y\"\u{303}", "C": "z", "D": "w", "E": "\u{306}"])
    }

    @Test("names a line that exists, whatever its text is")
    func anyText() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("AB_1=\"'\\# \n\r\té🚩$`:;.")
        var mistakes = 0
        for _ in 0..<5000 {
            let text = String((0..<12).map { _ in alphabet.randomElement(using: &random) ?? " " })
            let file = read(text)
            mistakes += file.mistakes.count
            #expect(file.mistakes.allSatisfy { (1...12).contains($0.line) })
        }
        #expect(mistakes > 100)
    }

    // MARK: In a provider

    private func withFile<Result>(_ text: String, _ body: (URL) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        return try body(try folder.file(".env", text))
    }

    @Test("reports each line that is left out, to the current reporter and to those of loaders")
    func issues() throws {
        try withFile("APP_A=1\nAPP B\nAPP_C\nAPP_Z\nAPP_D=4") { url in
            let current = Mutex<[String]>([])
            let loaders = Mutex<[String]>([])
            let provider = FlagIssueReporter.withReporter(
                FlagIssueReporter { issue in current.withLock { $0.append(issue.description) } }
            ) {
                EnvironmentProvider(prefix: "APP", environmentFile: url, environment: ["APP_Z": "process"])
            }
            for _ in 0..<2 {
                let flags = FlagsLoader(
                    AppFlags.self, providers: [provider],
                    issueReporter: FlagIssueReporter { issue in loaders.withLock { $0.append(issue.description) } })
                withExtendedLifetime(flags) {}
            }
            let path = url.path
            let issues = [
                """
                Provider "EnvironmentProvider" leaves out of \(path) line 2: an equals sign is missing; write NAME=value. \
                [unreadable-line]
                """,
                """
                Provider "EnvironmentProvider" leaves out of \(path) line 3: an equals sign is missing, and the process has \
                no variable APP_C, for which a name without a value stands; write APP_C=value. [unreadable-line]
                """,
            ]
            #expect(current.withLock { $0 } == issues)
            #expect(Set(loaders.withLock { $0 }) == Set(issues))
            #expect(provider.value(at: "a") == .unparsed("1"))
            #expect(provider.value(at: "c") == nil)
            #expect(provider.value(at: "d") == .unparsed("4"))
            #expect(provider.value(at: "z") == .unparsed("process"))
            guard case .failed(let error) = provider.status else {
                Issue.record("the status is \(provider.status)")
                return
            }
            #expect(error.reason.hasPrefix("\(path) is read in part: line 2: an equals sign is missing"))
        }
    }

    @Test("that can't be read at all is reported too")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let issues = Mutex<[FlagError.Code]>([])
        FlagIssueReporter.withReporter(FlagIssueReporter { issue in issues.withLock { $0.append(issue.code) } }) {
            _ = EnvironmentProvider(prefix: "APP", environmentFile: folder.url, environment: [:])
        }
        #expect(issues.withLock { $0 } == [.unreadableFile])
        let large = try folder.file(".env", String(repeating: "A=1\n", count: EnvironmentFile.maximumBytes / 4 + 1))
        for (url, cause) in [
            (folder.url, "it is a folder, not a regular file"), (large, "it takes more than 1 MiB"),
        ] {
            let error = #expect(throws: FlagError.self) { try EnvironmentFile(contentsOf: url, provider: "p") }
            let path = url.path(percentEncoded: false)
            #expect(error?.reason.hasPrefix("\(path) cannot be read: \(cause). ") == true)
        }
        #expect(try EnvironmentFile(contentsOf: folder.file("absent"), provider: "p").variables.isEmpty)
    }
}
