#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import Testing

    @Suite("The schema of manifests")
    struct ManifestSchemaTests {
        @Test("has every kind of type, and every member that a collection, a flag and its type have")
        func members() throws {
            var package = URL(filePath: #filePath)
            for _ in 0..<4 { package.deleteLastPathComponent() }
            let data = try Data(contentsOf: package.appending(path: "Docs/manifest.schema.json"))
            let schema = try FlagDocument(json: data)
            func expect(_ name: String, _ members: [String]) {
                guard case .object(let properties)? = schema.value(for: FlagKeyPath("definitions/\(name)/properties"))
                else {
                    Issue.record("\(name) is not there")
                    return
                }
                #expect(properties.keys.sorted() == members.sorted(), "\(name)")
            }
            expect("collection", FlagManifest.Listing.members.map(\.name))
            expect("flag", FlagManifest.Entry.members.map(\.name))
            expect("type", FlagManifest.ValueType.members.map(\.name))
            let kinds = FlagManifest.ValueType.Kind.allCases.map { EncodedFlagValue.string($0.rawValue) }
            #expect(schema.value(for: "definitions/kind/enum") == .array(kinds))
            #expect(schema.value(for: "properties/tacklineManifest/const") == .integer(Int128(FlagManifest.version)))
        }
    }
#endif
