#if CommandLine
    import TacklineCore
    import TacklineManifest

    /// The JSON Schema (draft 7) of a value file for the flags of a manifest. Editors use it to complete and check
    /// values.
    struct ValueFileSchema {
        private final class Group {
            var groups: [String: Group] = [:]
            var flags: [String: EncodedFlagValue] = [:]
        }

        private let root = Group()

        init(_ manifest: FlagManifest) {
            for collection in manifest.collections {
                for flag in collection.flags {
                    let schema = ValueFileSchema.schema(of: flag)
                    root.flags[flag.key] = schema
                    let components = FlagKeyPath(flag.key, separator: collection.separator).components
                    guard components.count > 1, components.count <= 16 else { continue }
                    var group = root
                    for name in components.dropLast() {
                        let inner = group.groups[name] ?? Group()
                        group.groups[name] = inner
                        group = inner
                    }
                    group.flags[components[components.count - 1]] = schema
                }
            }
        }

        /// The schema. It lists flags flat and, if their keys have at most 16 names, also nested.
        var document: EncodedFlagValue {
            guard case .object(var members) = ValueFileSchema.schema(of: root) else { return .null }
            if case .object(var properties)? = members["properties"] {
                properties["$schema"] = ["type": "string"]
                members["properties"] = .object(properties)
            }
            members["$schema"] = "http://json-schema.org/draft-07/schema#"
            members["title"] = "Values of flags"
            return .object(members)
        }

        private static func schema(of group: Group) -> EncodedFlagValue {
            var properties = group.flags
            for (name, inner) in group.groups where properties[name] == nil { properties[name] = schema(of: inner) }
            return ["type": "object", "properties": .object(properties), "additionalProperties": false]
        }

        private static func schema(of flag: FlagManifest.Entry) -> EncodedFlagValue {
            guard case .object(var members) = schema(of: flag.type) else { return .null }
            var words = flag.description
            if let owner = flag.owner { words += (words.isEmpty ? "" : " ") + "(\(owner))" }
            if !words.isEmpty { members["description"] = .string(words) }
            members["default"] = flag.defaultValue
            return .object(members)
        }

        private static func schema(of type: FlagManifest.ValueType) -> EncodedFlagValue {
            if let cases = type.cases { return ["enum": .array(cases + [.null])] }
            // Null is allowed everywhere, because it means "no opinion".
            func typed(_ name: EncodedFlagValue, _ more: [String: EncodedFlagValue] = [:]) -> EncodedFlagValue {
                .object(more.merging(["type": .array([name, "null"])]) { own, _ in own })
            }
            let bounds = bounds(of: type)
            switch type.kind {
            case .boolean: return typed("boolean")
            case .integer: return typed("integer", bounds)
            case .number: return typed("number", bounds)
            case .string: return typed("string", bounds)
            case .data: return typed("string", ["contentEncoding": "base64"])
            case .date: return typed("string", ["format": "date-time"])
            case .url: return typed("string", ["format": "uri"])
            case .uuid: return typed("string", ["format": "uuid"])
            case .array: return typed("array", type.element.map { ["items": schema(of: $0)] } ?? [:])
            case .object:
                if let members = type.members {
                    let required = members.filter { !$0.value.isOptional }.keys.sorted()
                    return typed(
                        "object", ["properties": .object(members.mapValues(schema)), "required": .texts(required)])
                }
                return typed("object", type.element.map { ["additionalProperties": schema(of: $0)] } ?? [:])
            case .any: return [:]
            }
        }

        /// The bounds that JSON Schema has words for. A pattern of its matches a part of a text, if it isn't anchored.
        private static func bounds(of type: FlagManifest.ValueType) -> [String: EncodedFlagValue] {
            switch type.bounds {
            case .range(let minimum, let maximum) where type.kind == .number: ["minimum": minimum, "maximum": maximum]
            case .matching(let pattern): ["pattern": .string("^(?:\(pattern))$")]
            default: type.range.map { ["minimum": .integer($0.lowerBound), "maximum": .integer($0.upperBound)] } ?? [:]
            }
        }
    }
#endif
