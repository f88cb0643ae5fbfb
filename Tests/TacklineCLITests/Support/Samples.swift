#if CommandLine
    /// The files that many tests use.
    enum Samples {
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
