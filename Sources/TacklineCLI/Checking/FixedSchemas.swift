#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// The JSON Schemas (draft 7) that are the same for every app.
    enum FixedSchemas {
        private static let text: EncodedFlagValue = ["type": "string"]
        private static let fact: EncodedFlagValue = ["type": "boolean"]
        private static let texts: EncodedFlagValue = ["type": "array", "items": ["type": "string"]]

        /// The schema of flag definitions in flagd's format, version 0: the structure and the names of the operators.
        /// flagd's own schemas at https://flagd.dev/schema/v0/ describe each operator's arguments too.
        static var flagd: EncodedFlagValue {
            let metadata: EncodedFlagValue = [
                "type": "object", "additionalProperties": ["type": ["string", "number", "boolean"]],
            ]
            let flag: EncodedFlagValue = [
                "type": "object", "required": ["state", "variants"],
                "properties": [
                    "state": ["enum": ["ENABLED", "DISABLED"], "description": "A disabled flag has no opinion."],
                    "variants": [
                        "type": "object", "minProperties": 1, "propertyNames": ["minLength": 1],
                        "description": "The values the flag can have, all of one type, by name.",
                        // All values have one of these types.
                        "anyOf": .array(
                            ["boolean", "string", "number", "object"].map { ["additionalProperties": ["type": $0]] }),
                    ],
                    "defaultVariant": [
                        "type": ["string", "null"], "description": "The variant for everyone whom the rule gives none.",
                    ],
                    "targeting": ["$ref": "#/definitions/rule"],
                    "metadata": metadata,
                ],
            ]
            return [
                "$schema": "http://json-schema.org/draft-07/schema#", "title": "Flag definitions of flagd",
                "type": "object", "required": ["flags"],
                "properties": [
                    "$schema": text,
                    "flags": ["type": "object", "additionalProperties": flag],
                    "$evaluators": ["type": "object", "additionalProperties": ["$ref": "#/definitions/rule"]],
                    "metadata": metadata,
                ],
                "definitions": [
                    "rule": [
                        "type": "object", "maxProperties": 1,
                        "propertyNames": ["enum": .texts(KnownNames.operators.sorted())],
                        "additionalProperties": ["$ref": "#/definitions/argument"],
                    ],
                    "argument": [
                        "anyOf": [
                            ["type": ["string", "number", "boolean", "null"]],
                            ["type": "array", "items": ["$ref": "#/definitions/argument"]],
                            ["$ref": "#/definitions/rule"],
                        ]
                    ],
                ],
            ]
        }

        /// The schema of a manifest in its own form.
        static var manifest: EncodedFlagValue {
            let type: EncodedFlagValue = [
                "type": "object", "required": ["kind"],
                "properties": [
                    "kind": ["enum": .array(FlagManifest.ValueType.Kind.allCases.map { .string($0.rawValue) })],
                    "name": ["type": "string", "description": "The type in Swift, for people."],
                    // A date's bounds are texts.
                    "isOptional": fact, "minimum": ["type": ["number", "string"]],
                    "maximum": ["type": ["number", "string"]],
                    "pattern": ["type": "string", "description": "A pattern that matches the whole text."],
                    "cases": ["type": "array", "description": "The values of an enum."],
                    "element": ["$ref": "#/definitions/type"],
                ],
            ]
            let flag: EncodedFlagValue = [
                "type": "object", "required": ["key", "type"],
                "properties": [
                    "key": text, "property": text, "name": text, "groups": texts,
                    "type": ["$ref": "#/definitions/type"], "default": [:], "isComputed": fact, "description": text,
                    "owner": text, "expiryDate": ["type": "string", "format": "date-time"], "ticket": text,
                    "tags": texts, "isInternal": fact, "isLocked": fact,
                ],
            ]
            let collection: EncodedFlagValue = [
                "type": "object",
                "properties": [
                    "name": text, "description": text, "separator": text, "flags": ["type": "array", "items": flag],
                ],
            ]
            return [
                "$schema": "http://json-schema.org/draft-07/schema#", "title": "Manifest of the flags of an app",
                "type": "object", "required": ["tacklineManifest", "collections"],
                "properties": [
                    "tacklineManifest": ["const": .integer(Int128(FlagManifest.version))],
                    "collections": ["type": "array", "items": collection],
                    "attributes": [
                        "type": "object",
                        "description": "What contexts have, by name.",
                        "additionalProperties": [
                            "enum": .array(FlagManifest.ValueType.Kind.allCases.map { .string($0.rawValue) })
                        ],
                    ],
                ],
                "definitions": ["type": type],
            ]
        }
    }
#endif
