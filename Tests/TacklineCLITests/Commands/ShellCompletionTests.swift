#if CommandLine && os(Linux)
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    /// Tests that type into a real shell at a terminal, with the tool's completion script loaded.
    @Suite("Completion in a shell", .hangLimit)
    struct ShellCompletionTests {
        /// A shell, with the command that starts it without the user's settings.
        enum Shell: String, CaseIterable, CustomTestStringConvertible {
            case bash, zsh, fish

            static let installed = allCases.filter { $0.isInstalled }
            static let missing = allCases.filter { !$0.isInstalled }.map(\.rawValue).joined(separator: ", ")

            var testDescription: String { rawValue }
            var isInstalled: Bool {
                ["/usr/bin", "/bin", "/usr/local/bin"].contains {
                    FileManager.default.isExecutableFile(atPath: "\($0)/\(rawValue)")
                }
            }
            var command: String {
                switch self {
                case .bash: "bash --norc --noprofile -i"
                case .zsh: "zsh -f -i"
                case .fish: "fish --no-config -i"
                }
            }
            var settings: String { self == .zsh ? "autoload -Uz compinit; compinit -u -D; " : "" }
            /// The characters that the shell would expand, so that keys with them are not offered.
            var leftOut: String {
                switch self {
                case .bash: "$`"
                case .zsh: "!"
                case .fish: ""
                }
            }
        }

        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Returns the words that the tool would receive for each text that is typed after the file's name, up to Tab.
        ///
        /// - Parameter file: The name of the file. Its apostrophes are escaped where it is typed.
        private func completed(
            _ typed: [String], in shell: Shell, file: String = "evil.json", keys: [String]
        ) async throws -> [[String]] {
            let members = Dictionary(uniqueKeysWithValues: keys.map { ($0, EncodedFlagValue.integer(1)) })
            let bytes = try FlagJSONWriter(layout: .compact).bytes(of: .object(members))
            try Data(bytes).write(to: folder.file(file))
            let show = try folder.file(
                "show",
                "#!/bin/sh\nfor word in \"$@\"; do printf '%s\\0' \"$word\"; done >> shown; printf '\\n' >> shown\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: show.path)
            try FileManager.default.createSymbolicLink(
                at: folder.file("tackline"), withDestinationURL: try Tool.executable())
            let script = try await Tool.run("--generate-completion-script", shell.rawValue)
            _ = try folder.file("script", script.output)
            // Control-A goes to the start of the line, where the command is replaced by one that only prints its words.
            let name = file.replacing("'", with: "\\'")
            let lines = typed.map { "tackline get \(name) \($0)\t\u{1}show \n" }.joined()
            _ = try folder.file("typed", "\(shell.settings)source ./script\n\(lines)exit\n")
            let path = "\(folder.url.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
            let terminal = try ChildProcess(
                URL(filePath: "/bin/sh"), ["-c", "timeout 120 script -qec '\(shell.command)' /dev/null < typed"],
                in: folder.url,
                environment: ["PATH": path, "TERM": "dumb", "HOME": folder.url.path, "LC_ALL": "C.UTF-8"])
            let ending = try await terminal.ending()
            let lineCount = try folder.text("shown").split(separator: "\0\n").count
            #expect(lineCount == typed.count, "\(ending.output)")
            return try folder.text("shown").split(separator: "\0\n").map {
                $0.split(separator: "\0", omittingEmptySubsequences: false).dropFirst(3).map(String.init)
            }
        }

        @Test(
            "is tried in every shell that it is made for",
            .disabled(if: !Shell.missing.isEmpty, "needs \(Shell.missing)"))
        func shells() { #expect(Shell.installed == Shell.allCases) }

        @Test(
            "runs nothing that stands in a key of the file, and writes the key or nothing", arguments: Shell.installed)
        func hostileKeys(shell: Shell) async throws {
            let keys = [
                "a$(touch pwned)", "b`touch pwned`", "c;touch pwned", "d'q'$(touch pwned)'", "e\"q\"`touch pwned`\"",
                "f\n$(touch pwned)", "g  two  blanks", "h*", "i?[a-z]", "--x$(touch pwned)", "kéü🚩$(touch pwned)",
                "l${HOME}", "m{a,b}", "n<pwned", "o>pwned", "p|touch pwned", "q&touch pwned", "r\\$(touch pwned)",
                "s!!", "t(touch pwned)", "u\ttab", "v#", "~root", "=ls", "y\u{1B}[31m", "9\u{85}$(touch pwned)",
            ]
            let typed = keys.map { $0.hasPrefix("--") ? "--x" : $0.hasPrefix("~") ? "'~'" : String($0.prefix(1)) }
            let words = try await completed(typed, in: shell, keys: keys)
            #expect(!FileManager.default.fileExists(atPath: folder.file("pwned").path))
            for ((key, typed), words) in zip(zip(keys, typed), words) {
                let isLeftOut = key.contains { shell.leftOut.contains($0) || $0.isNewline || $0 < " " }
                // The shell itself completes words that begin like a home folder, the path of a command or an option.
                if isLeftOut || "~=-".contains(typed.first { $0 != "'" } ?? "a") {
                    #expect(words == [key] || words == [typed.filter { $0 != "'" }], "\(typed)")
                } else {
                    #expect(words == [key], "\(typed)")
                }
            }
        }

        @Test("goes on with keys that have colons, equals signs and at signs", arguments: Shell.installed)
        func parts(shell: Shell) async throws {
            let keys = ["a:b:c", "a:d=e", "f@g", "h/i/j", "k:l m"]
            let typed = ["a:b", "a:b:", "a:d", "a:d=", "f", "f@", "h/i/", "k:", "k:l\\ ", "'k:l "]
            let words = try await completed(typed, in: shell, keys: keys)
            #expect(
                words.map { $0.joined(separator: "+") } == [
                    "a:b:c", "a:b:c", "a:d=e", "a:d=e", "f@g", "f@g", "h/i/j", "k:l m", "k:l m", "k:l m",
                ])
        }

        @Test("reads a file whose name has to be quoted", arguments: Shell.installed)
        func quotedFile(shell: Shell) async throws {
            #expect(try await completed(["k"], in: shell, file: "it's.json", keys: ["key1"]) == [["key1"]])
        }

        @Test("offers no key that would be an option, but after --", arguments: [ShellWords.bash, .zsh, .fish])
        func dashes(shell: ShellWords) throws {
            let path = try folder.file("flags.json", "{ \"--json\": 1, \"a\": 2 }").path
            let words = ["tackline", "get", path, ""]
            #expect(
                CompletionKeys.offers(in: words, at: 3, beginningWith: "", for: shell)
                    == [shell == .bash ? "'a'" : "a"])
            let all = CompletionKeys.offers(
                in: ["tackline", "get", path, "--", ""], at: 4, beginningWith: "", for: shell)
            #expect(all.count == 2)
        }
    }
#endif
