#if Web
    import FlyingSocks
    import Foundation
    import TacklineBrowser
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @testable import TacklineWeb

    @Suite("Two pages of a console", .hangLimit) struct ConsoleTogetherTests {
        private func set(_ flag: String, _ text: String, author: String, and more: String = "") -> String {
            """
            {"command": "set", "flag": "WebFlags:\(flag)", "input": {"text": "\(text)"}, \
            "author": {"id": "\(author)", "name": "\(author)"}\(more)}
            """
        }

        @Test("take back their own edits only, each the one that it names")
        func undo() async throws {
            try await withConsole { console in
                let mine = try await console.ask("POST", "/api/command", body: set("attempts", "5", author: "Ada"))
                contains(mine.body, #""edit":1"#)
                check(try await console.ask("POST", "/api/command", body: set("title", "new", author: "Bea")), 200)
                let undo = #"{"command": "undo", "edit": 1, "author": {"id": "Ada", "name": "Ada"}}"#
                check(try await console.ask("POST", "/api/command", body: undo), 200)
                #expect(console.flags.attempts == 3 && console.flags.title == "new")
                let again = try await console.ask("POST", "/api/command", body: undo)
                check(again, 409)
                contains(again.body, "nothing-to-undo")
            }
        }

        @Test("do not overwrite what they have not seen")
        func conflict() async throws {
            try await withConsole { console in
                check(try await console.ask("POST", "/api/command", body: set("attempts", "5", author: "Bea")), 200)
                let seen = #", "expected": {}"#
                let answer = try await console.ask(
                    "POST", "/api/command", body: set("attempts", "6", author: "Ada", and: seen))
                check(answer, 409)
                contains(answer.body, "edit-conflict")
                contains(answer.body, "Bea changed it")
                #expect(console.flags.attempts == 5)
            }
        }
    }
#endif
