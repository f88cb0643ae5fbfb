#if CommandLine
    import TacklineCore
    import TacklineManifest
    import Testing

    @testable import TacklineCLI

    @Suite("The schema of flag definitions")
    struct FixedSchemasTests {
        @Test("names the operators that rules have, and no others")
        func operators() throws {
            let schema = try FlagJSONWriter(layout: .compact).text(of: FixedSchemas.flagd)
            for name in ["$ref", "==", "if", "var", "fractional", "sem_ver", "starts_with", "missing_some"] {
                #expect(schema.contains("\"\(name)\""), "\(name)")
            }
            #expect(!schema.contains("\"xor\""))
        }

        @Test("of manifests takes every member that a type has")
        func manifest() throws {
            let schema = try FlagJSONWriter(layout: .compact).text(of: FixedSchemas.manifest)
            let types: [FlagManifest.ValueType] = [
                .init(.integer, name: "UInt8", isOptional: true, range: 0...255), .init(.string, cases: ["a"]),
                .init(.number, bounds: FlagBounds(.range(minimum: 0.5, maximum: 1.5))),
                .init(.string, bounds: FlagBounds(.pattern(try FlagPattern("[a-z]")))),
                .init(.array, element: .init(.integer)),
            ]
            for type in types {
                let listing = FlagManifest.Listing(flags: [.init(key: "a", type: type)])
                guard case .object(let manifest) = FlagManifest(collections: [listing]).encoded,
                    case .array(let collections)? = manifest["collections"],
                    case .object(let collection)? = collections.first, case .array(let flags)? = collection["flags"],
                    case .object(let flag)? = flags.first, case .object(let members)? = flag["type"]
                else {
                    Issue.record("The manifest has another form.")
                    return
                }
                for name in members.keys { #expect(schema.contains("\"\(name)\":{"), "\(name)") }
            }
            #expect(schema.contains(#""minimum":{"type":["number","string"]}"#))
        }
    }
#endif
