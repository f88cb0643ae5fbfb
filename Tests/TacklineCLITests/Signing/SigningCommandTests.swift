#if CommandLine
    import Foundation
    import TacklineSigning
    import TacklineTestSupport
    import Testing

    #if canImport(CryptoKit) || Signing
        @Suite("Signing with the tool", .hangLimit) struct SigningCommandTests: ToolSuite {
            let folder: TemporaryFolder

            init() throws {
                folder = try TemporaryFolder()
                _ = try folder.file("flags.json", #"{"$version": 7, "$expires": "2999-01-01T00:00:00Z", "sson": true}"#)
            }

            private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Tool {
                try await Tool.run(arguments, in: folder.url, environment: environment)
            }

            private func run(_ arguments: [String]) async throws -> Tool { try await tool(arguments) }

            private func makeKey(_ name: String) async throws -> String {
                let tool = try await run("keygen", name)
                #expect(tool.status == 0, "\(tool.errors)")
                return tool.output.trimmingCharacters(in: .newlines)
            }

            @Test("makes a key in a file for its owner alone, prints the public half, and overwrites nothing")
            func keygen() async throws {
                let key = try await makeKey("release.key")
                #expect(TrustedKey(key).bytes != nil)
                let path = folder.file("release.key").path
                #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
                let secret = try folder.text("release.key").trimmingCharacters(in: .newlines)
                #expect(DocumentSigningKey(privateText: secret)?.publicKey.id == key)
                let again = try await run("keygen", "release.key")
                #expect(again.status == 2 && again.errors.contains("never overwritten"))
                #expect(try folder.text("release.key").hasPrefix(secret))
            }

            @Test("signs what verify and an app take, and a second party adds its signature")
            func signs() async throws {
                let (release, security) = (try await makeKey("release.key"), try await makeKey("security.key"))
                let signed = try await run("sign", "flags.json", "--key", "release.key", "--output", "signed.json")
                #expect(signed.status == 0, "\(signed.errors)")
                let one = try await run("verify", "signed.json", "--key", release)
                #expect(one.output == "signed.json: version 7, expires 2999-01-01T00:00:00Z, signed by 1 of 1 keys\n")
                let both = ["verify", "signed.json", "--key", release, "--key", security, "--required", "2"]
                let lacking = try await run(both)
                #expect(lacking.status == 1 && lacking.errors.contains("1 of its 1 signatures counts, where 2 of 2"))
                let add = ["sign", "--add", "signed.json", "--key", "security.key", "--output", "signed.json"]
                #expect(try await run(add).status == 0)
                #expect(try await run(both).output.hasSuffix("signed by 2 of 2 keys\n"))
                let trust = DocumentTrust(keys: [TrustedKey(release), TrustedKey(security)], required: 2)
                #expect(try trust.open(Data(folder.bytes("signed.json"))) == Data(try folder.bytes("flags.json")))
                for command in [
                    ["set", "signed.json", "a", "1"], ["get", "signed.json", "a"], ["validate", "signed.json"],
                ] {
                    let refused = try await run(command)
                    #expect(refused.status != 0 && "\(refused)".contains("this is a signed document"), "\(refused)")
                }
                let document = try await run("verify", "signed.json", "--key", release, "--document")
                #expect(try document.output == folder.text("flags.json"))
                // Signing again with the same key replaces its signature.
                _ = try await run(add)
                #expect(try SignedEnvelope(json: Data(folder.bytes("signed.json"))).signatures.count == 2)
            }

            @Test("takes the key from a variable or standard input, and from no argument")
            func sources() async throws {
                let key = try await makeKey("release.key")
                let secret = try folder.text("release.key").trimmingCharacters(in: .newlines)
                let variable = try await run(
                    "sign", "flags.json", "--key-variable", "SIGNING_KEY", environment: ["SIGNING_KEY": secret])
                let input = try await tool("sign", "flags.json", "--key", "-", shell: #""$0" "$@" <release.key"#)
                for tool in [variable, input] {
                    #expect(tool.status == 0, "\(tool.errors)")
                    _ = try DocumentTrust(keys: [TrustedKey(key)]).open(Data(tool.output.utf8))
                    #expect(!(tool.output + tool.errors).contains(secret))
                }
                let argument = try await run("sign", "flags.json", "--key", secret)
                #expect(argument.status == 64 && argument.errors.contains("every process can see"))
                #expect(!argument.errors.contains(secret))
                #expect(try await run("sign", "flags.json").status == 64)
                #expect(try await run("sign", "flags.json", "--key-variable", "NOT_THERE").status == 2)
                #expect(try await run("sign", "flags.json", "--key", "-", "--key-variable", "X").status == 64)
            }

            @Test("does not use a key that others may read")
            func permissions() async throws {
                _ = try await makeKey("release.key")
                let path = folder.file("release.key").path
                for mode in [0o644, 0o640, 0o604, 0o660, 0o610, 0o400] {
                    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                    let tool = try await run("sign", "flags.json", "--key", "release.key")
                    #expect(tool.status == (mode == 0o400 ? 0 : 2) && tool.output.isEmpty == (mode != 0o400))
                    #expect(tool.errors.contains("chmod 600") == (mode != 0o400), "\(tool.errors)")
                }
            }

            @Test("signs nothing that an app would reject, and verifies nothing that it would")
            func mistakes() async throws {
                let key = try await makeKey("release.key")
                _ = try folder.file("unversioned.json", #"{"sson": true}"#)
                _ = try folder.file("broken.json", #"{"$version": 1,}"#)
                _ = try folder.file("old.json", #"{"$version": 1, "$expires": "2001-01-01T00:00:00Z"}"#)
                for name in ["unversioned.json", "broken.json", "missing.json"] {
                    #expect(try await run("sign", name, "--key", "release.key").status == 2, "\(name)")
                }
                _ = try await run("sign", "old.json", "--key", "release.key", "--output", "signed.json")
                let expired = try await run("verify", "signed.json", "--key", key)
                #expect(expired.status == 1 && expired.errors.contains("expired at 2001-01-01"), "\(expired.errors)")
                #expect(try await run("verify", "signed.json", "--key", key, "--allow-expired").status == 0)
                #expect(try await run("sign", "signed.json", "--key", "release.key").errors.contains("--add"))
                #expect(try await run("sign", "--add", "flags.json", "--key", "release.key").status == 2)
                #expect(try await run("verify", "flags.json", "--key", key).status == 1)
                let foreign = try await run("verify", "signed.json", "--key", "none")
                #expect(foreign.status == 64 && foreign.errors.contains("not a public key"))
                _ = try await run(
                    "sign", "flags.json", "--key", "release.key", "--type", "x/y", "--output", "other.json")
                #expect(try await run("verify", "other.json", "--key", key).errors.contains("signed as"))
                #expect(try await run("verify", "other.json", "--key", key, "--type", "x/y").status == 0)
            }
        }
    #else
        @Suite("The tool built without the trait Signing", .hangLimit) struct WithoutSigningTests {
            @Test("says how it is built, and signs nothing")
            func message() async throws {
                let folder = try TemporaryFolder()
                for arguments in [["keygen", "a.key"], ["sign", "a", "--key", "b"], ["verify", "a", "--key", "b"]] {
                    let tool = try await Tool.run(arguments, in: folder.url)
                    #expect(tool.status == 2)
                    #expect(tool.errors.contains("--traits CommandLine,Signing"), "\(tool.errors)")
                }
                #expect(try folder.names() == [])
            }
        }
    #endif
#endif
