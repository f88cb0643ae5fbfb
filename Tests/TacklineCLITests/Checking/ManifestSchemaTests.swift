#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import Testing

    @Suite("The schema of manifests")
    struct ManifestSchemaTests {
        @Test("has every kind of type, and every member that a flag and its type have")
        func members() throws {
            var package = URL(filePath: #filePath)
            for _ in 0..<4 { package.deleteLastPathComponent() }
            let data = try Data(contentsOf: package.appending(path: "Docs/manifest.schema.json"))
            let schema = FlagDocument(try FlagJSONReader(requiresObject: true).read(data).object)
            func properties(_ name: String) -> Set<String> {
                Set(schema.value(for: FlagKeyPath("definitions/\(name)/properties"))?.object.keys.map { $0 } ?? [])
            }
            let kinds = FlagManifest.ValueType.Kind.allCases.map { EncodedFlagValue.string($0.rawValue) }
            #expect(schema.value(for: "definitions/kind/enum") == .array(kinds))
            #expect(schema.value(for: "properties/tacklineManifest/const") == .integer(Int128(FlagManifest.version)))
            let types: [FlagManifest.ValueType] = [
                .init(.integer, name: "UInt8", isOptional: true, range: 0...255), .init(.string, cases: ["a"]),
                .init(.number, bounds: .range(minimum: 0.5, maximum: 1.5)),
                .init(.string, bounds: .matching("[a-z]")),
                .init(.array, element: .init(.integer)),
            ]
            let metadata = FlagMetadata(
                name: "a", description: "a", isInternal: true, isLocked: true, tags: ["a"], owner: "a",
                expiryDate: Date(timeIntervalSince1970: 0), ticket: "a")
            for type in types {
                let entry = FlagManifest.Entry(key: "a", type: type, defaultValue: 1, metadata: metadata)
                guard
                    case .array(let collections)? = FlagManifest(collections: [.init(flags: [entry])]).encoded
                        .object["collections"],
                    case .array(let flags)? = collections.first?.object["flags"], let flag = flags.first?.object
                else {
                    Issue.record("The manifest has another form.")
                    return
                }
                #expect(properties("flag").isSuperset(of: flag.keys), "\(flag.keys)")
                let members = flag["type"]?.object.keys.map { $0 } ?? []
                #expect(!members.isEmpty && properties("type").isSuperset(of: members), "\(members)")
            }
        }
    }

    extension EncodedFlagValue {
        /// The members; empty if this is no object.
        fileprivate var object: [String: EncodedFlagValue] {
            if case .object(let members) = self { members } else { [:] }
        }
    }
#endif
