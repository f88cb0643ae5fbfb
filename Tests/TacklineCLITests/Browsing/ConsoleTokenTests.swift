#if CommandLine
    import Foundation
    import TacklineTestSupport
    import Testing

    @testable import TacklineCLI

    @Suite("The token of a console", .hangLimit)
    struct ConsoleTokenTests {
        @Test("is not taken from the command line, where others see it, and not repeated")
        func commandLine() async throws {
            let tool = try await Tool.run("browse", "http://127.0.0.1:1/?token=geheim")
            #expect(tool.status == 64 && !tool.errors.contains("geheim"))
            for words in [
                "every user of this machine", "--token-file", "TACKLINE_TOKEN", "http://127.0.0.1:1/ and paste",
            ] {
                #expect(tool.errors.contains(words), "\(tool.errors)")
            }
        }

        @Test("comes from a file, standard input or the environment, alone or in the URL that was printed")
        func sources() async throws {
            let folder = try TemporaryFolder()
            _ = try folder.file("token", "abc\n")
            let url = "http://127.0.0.1:1/"
            let wrapper = ["sh", "-c", "printf 'http://127.0.0.1:1/?token=abc' | \"$0\" \"$@\""]
            for tool in [
                try await Tool.run("browse", url, "--token-file", "token", in: folder.url),
                try await Tool.run("browse", url, "--token-file", "-", in: folder.url, wrapper: wrapper),
                try await Tool.run("browse", url, environment: ["TACKLINE_TOKEN": "abc"]),
            ] {
                #expect(tool.status == 2 && tool.errors.contains("cannot be reached: "), "\(tool.errors)")
            }
            let absent = try await Tool.run("browse", url, "--token-file", "none", in: folder.url)
            #expect(absent.status == 2 && absent.errors.contains("none cannot be read"))
            #expect(try await Tool.run("browse", "flags.json", "--token-file", "token", in: folder.url).status == 64)
        }

        @Test("is that of the console that was named")
        func other() throws {
            let address = try ConsoleAddress("http://127.0.0.1:8080/")
            #expect(try ConsoleToken.completed(address, with: " abc\n").token == "abc")
            #expect(try ConsoleToken.completed(address, with: "http://127.0.0.1:8080/?token=a%2Fb").token == "a/b")
            for text in ["http://127.0.0.1:8081/?token=abc", "http://127.0.0.1:8080/", "", "http://"] {
                #expect(throws: CommandFailure.self) { try ConsoleToken.completed(address, with: text) }
            }
        }

        /// Returns a terminal with the end at which the user would type; -1 for both if there is none.
        private static func terminal() -> (master: CInt, terminal: CInt) {
            let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            #if canImport(Darwin)
                guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else { return (-1, -1) }
                return (master, open(String(cString: name), O_RDWR | O_NOCTTY))
            #else
                // TIOCSPTLCK and TIOCGPTN have the effects of unlockpt and ptsname, which Glibc's module does not
                // offer.
                var (lock, number): (CInt, CInt) = (0, -1)
                guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
                    return (-1, -1)
                }
                return (master, open("/dev/pts/\(number)", O_RDWR | O_NOCTTY))
            #endif
        }

        @Test("is asked for without being shown, and the terminal shows what is typed again afterwards")
        func prompt() throws {
            let (master, terminal) = Self.terminal()
            try #require(master >= 0 && terminal >= 0)
            defer {
                close(terminal)
                close(master)
            }
            let typed = Thread {
                // The answer is typed after the question appears, since earlier input is discarded.
                var bytes: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 256)
                while !bytes.contains(UInt8(ascii: ":")) {
                    let count = read(master, &chunk, chunk.count)
                    guard count > 0 else { return }
                    bytes += chunk[..<count]
                }
                _ = "geheim\n".utf8.withContiguousStorageIfAvailable { write(master, $0.baseAddress, $0.count) }
            }
            typed.start()
            #expect(try ConsoleToken.ask("Token:", at: terminal) == "geheim")
            var settings = termios()
            #expect(tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0)
            // Characters that were shown would precede the end of the line.
            var shown: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 256)
            while !shown.contains(0x0A) {
                let count = read(master, &chunk, chunk.count)
                try #require(count > 0)
                shown += chunk[..<count]
            }
            #expect(shown == Array("\r\n".utf8))
        }
    }
#endif
