#if CommandLine
    import Foundation
    import TacklineTestSupport

    /// Tests that run the tool in a folder of files.
    protocol ToolSuite {
        var folder: TemporaryFolder { get }
    }

    extension ToolSuite {
        func tool(_ arguments: String..., shell: String? = nil) async throws -> Tool {
            try await tool(arguments, shell: shell)
        }

        /// Runs a shell script that calls the tool as `tackline`, and returns what both streams show.
        func script(_ text: String) async throws -> String {
            try await tool([], shell: #"tackline() { "$0" "$@"; }"# + "\n{ \(text)\n} 2>&1").output
        }

        /// Runs the tool with arguments in a list.
        ///
        /// - Parameter shell: A script that runs the tool's command, which is `"$0" "$@"`.
        func tool(_ arguments: [String], shell: String? = nil) async throws -> Tool {
            try await Tool.run(arguments, in: folder.url, wrapper: shell.map { ["sh", "-c", $0] } ?? [])
        }
    }

    /// The files that many tests use.
    enum Samples {
        /// Returns a folder with the samples as `flags.json`, `rollout.json` and `manifest.json`.
        static func folder() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            _ = try folder.file("flags.json", values)
            _ = try folder.file("rollout.json", definitions)
            _ = try folder.file("manifest.json", manifest)
            return folder
        }

        /// The folder of this package.
        static let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

        /// Returns the text of a file of this package.
        static func text(ofPackageFile path: String) throws -> String {
            try String(contentsOf: package.appending(path: path), encoding: .utf8)
        }

        static let values = """
            {
              "sson": true,

              "secrets": { "boom_feature": false },
              "max_attempts": 5
            }

            """

        static let definitions = """
            {
              "$schema": "https://flagd.dev/schema/v0/flags.json",
              "flags": {
                "reservations": {
                  "state": "ENABLED",
                  "variants": { "on": true, "off": false },
                  "defaultVariant": "off",
                  "targeting": { "if": [ { "ends_with": [{ "var": "email" }, "@example.com"] }, "on",
                    { "fractional": [
                      ["on",   10],
                      ["off",  90]
                    ] } ] }
                },
                "plain": { "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off" }
              }
            }

            """

        static let manifest = """
            { "tacklineManifest": 1, "collections": [{ "name": "User features", "flags": [
              { "key": "sson", "property": "allowsSSON", "type": { "kind": "boolean", "name": "Bool" },
                "default": false, "description": "Enable single sign-on", "owner": "Ada", "ticket": "LOGIN-12",
                "expiryDate": "2020-01-01T00:00:00Z" },
              { "key": "max_attempts", "property": "maxAttempts", "owner": "Ben", "default": 3,
                "type": { "kind": "integer", "name": "UInt8", "minimum": 0, "maximum": 255 } },
              { "key": "secrets/boom_feature", "property": "secrets.boomFeature", "groups": ["secrets"],
                "type": { "kind": "boolean", "name": "Bool" }, "default": false },
              { "key": "theme", "property": "theme", "owner": "Ada", "default": null,
                "type": { "kind": "string", "name": "Optional<Theme>", "isOptional": true, "cases": ["light", "dark"] } }
            ] }] }

            """
    }
#endif
