#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineTestSupport
    import Testing

    @Suite("The command watch", .hangLimit)
    struct WatchTests {
        @Test("prints each change as it arrives, and ends after as many as it was asked for")
        func changes() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", #"{ "a": 1, "b": "x" }"#)
            let server = try await ServeTests.Server(file)
            let watch = try Tool.start(
                "watch", "\(server.url)", "--events", "\(server.events)", "--count", "2", "--json")
            let ready = try await watch.nextLine() ?? ""
            #expect(ready.contains(#""event":"ready""#))
            #expect(ready.contains(#""values":2"#))
            while try await server.event("request")["path"] != "/events" {}
            _ = try folder.file("flags.json", #"{ "a": 2, "c": "\u001b[2J" }"#)
            let first = try await watch.nextLine() ?? ""
            #expect(first.contains(#""key":"a","new":2,"old":1"#))
            let second = try await watch.nextLine() ?? ""
            #expect(second.contains(#""key":"b","old":"x""#))
            #expect(try await watch.nextLine() == nil)
            #expect(try await watch.ending().status == 0)
        }

        @Test("ends when nobody reads it any more")
        func closed() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", #"{ "a": 0 }"#)
            let server = try await ServeTests.Server(file)
            async let watch = Tool.run(
                "watch", "\(server.url)", "--events", "\(server.events)", in: folder.url,
                wrapper: ["sh", "-c", "{ \"$0\" \"$@\"; echo $? > status; } | head -n 1"])
            while try await server.event("request")["path"] != "/events" {}
            var number = 0
            while !FileManager.default.fileExists(atPath: folder.file("status").path) {
                number += 1
                _ = try folder.file("flags.json", "{ \"a\": \(number) }")
                _ = try await server.event("changed")
            }
            _ = try await watch
            #expect(try folder.text("status") == "0\n")
        }

        @Test("tells people in a line, without sending them what a terminal would take for a command")
        func text() async throws {
            let folder = try TemporaryFolder()
            let file = try folder.file("flags.json", #"{ "a": 1 }"#)
            let server = try await ServeTests.Server(file)
            let watch = try Tool.start("watch", "\(server.url)", "--events", "\(server.events)")
            #expect(try await watch.nextLine()?.hasSuffix("watching 1 value at \(server.url)") == true)
            while try await server.event("request")["path"] != "/events" {}
            _ = try folder.file("flags.json", #"{ "a": "\u001b[2J" }"#)
            #expect(try await watch.nextLine()?.hasSuffix(#"a  1 → "\u{1B}[2J""#) == true)
            watch.interrupt()
            #expect(try await watch.ending().status == 0)
        }

        @Test("ends with 2 where the server refuses or nobody answers, or control-C comes before any document")
        func failures() async throws {
            let folder = try TemporaryFolder()
            let server = try await ServeTests.Server(try folder.file("flags.json", "{}"))
            let other = server.url.deletingLastPathComponent().appending(path: "other.json")
            let refused = try await Tool.run("watch", "\(other)")
            #expect(refused.status == 2)
            #expect(refused.errors.contains("404"))
            let port = try ClosedPort()
            let dead = try await Tool.run("watch", "http://127.0.0.1:\(port.number)/flags.json")
            #expect(
                dead.status == 2 && dead.errors.contains("--keep-trying waits until there is one"), "\(dead.errors)")
            let silent = try Tool.start("watch", "http://127.0.0.1:\(port.number)/flags.json", "--keep-trying")
            #expect(try await silent.nextLine()?.contains("failed") == true)
            silent.interrupt()
            let ending = try await silent.ending()
            #expect(ending.status == 2, "\(ending)")
            withExtendedLifetime(port) {}
        }

        @Test("ends with 64 for what is not a URL", arguments: ["flags.json", "ftp://example.com/a", "http://"])
        func usage(url: String) async throws {
            #expect(try await Tool.run("watch", url).status == 64)
            #expect(try await Tool.run("watch", "http://127.0.0.1:1/", "--interval", "5").status == 64)
        }
    }
#endif
