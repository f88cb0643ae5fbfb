public import TacklineCore

/// A kind of document that is easily taken for plain values, because it is a JSON object as well.
package struct ForeignDocument: Sendable, Hashable {
    /// The name of the kind, as it goes on after "it looks like ".
    package var name: String
    /// The next step.
    package var advice: String
    /// Whether a provider of definitions reads it.
    package var isDefinitions: Bool { self == Self.definitions }

    private static let definitions = ForeignDocument(
        "definitions with rules, in flagd's format", "create the provider with the format .flagd")

    /// Recognizes a document by its members.
    ///
    /// A document of plain values may have members of the same names. So what counts is their structure.
    package init?(_ document: FlagDocument) {
        let root = document.root.mapValues(Entry.init)
        guard let kind = Self.kinds.first(where: { $0.matches(root) }) else { return nil }
        self = kind.document
    }

    private init(_ name: String, _ advice: String) {
        self.name = name
        self.advice = advice
    }

    // MARK: Kinds

    private typealias Kind = (document: ForeignDocument, matches: @Sendable ([String: Entry]) -> Bool)

    /// The kinds, those first whose signs are the surest.
    private static let kinds: [Kind] = [
        (
            ForeignDocument("a signed envelope", "say whose signatures you trust"),
            { $0["payload"]?.text != nil && $0["payloadType"]?.text != nil && $0["signatures"]?.elements != nil }
        ),
        (
            definitions,
            { root in
                if root["$schema"]?.text?.contains("flagd") == true { return true }
                let flags = root["flags"]?.entries ?? []
                return flags.contains {
                    $0.has("variants", .object) && ($0.has("state") || $0.has("defaultVariant") || $0.has("targeting"))
                }
            }
        ),
        (
            ForeignDocument("an answer of an OFREP server", "use OFREPProvider"),
            { root in
                let flags = root["flags"]?.elements ?? []
                return !flags.isEmpty
                    && flags.allSatisfy { $0.has("key", .string) && ($0.has("reason") || $0.has("errorCode")) }
            }
        ),
        (
            ForeignDocument("LaunchDarkly's flags", "take them from LaunchDarkly's SDK, or export the values alone"),
            { root in
                let isServers = (root["flags"]?.entries ?? []).contains {
                    $0.has("variations", .array) && ($0.has("on", .bool) || $0.has("fallthrough"))
                }
                let isFile =
                    root["flagValues"]?.members != nil
                    && root.keys.allSatisfy { ["flagValues", "flags", "segments"].contains($0) }
                let isClients =
                    !root.isEmpty
                    && root.values.allSatisfy {
                        $0.has("value") && $0.has("version", .integer)
                            && ($0.has("variation") || $0.has("flagVersion") || $0.has("trackEvents"))
                    }
                return isServers || isFile || isClients
            }
        ),
        (
            ForeignDocument("GrowthBook's features", "take them from GrowthBook's SDK, or export the values alone"),
            { root in
                if root["encryptedFeatures"]?.text != nil { return true }
                let features = root["features"]?.entries ?? []
                return !features.isEmpty && features.allSatisfy { $0.members != nil }
                    && features.contains {
                        $0.has("defaultValue") || $0.has("rules", .array) && root["dateUpdated"] != nil
                    }
            }
        ),
        (
            ForeignDocument("Unleash's features", "take them from Unleash's SDK, or export the values alone"),
            { root in
                let features = root["features"]?.elements ?? root["toggles"]?.elements ?? []
                return !features.isEmpty
                    && features.allSatisfy { $0.has("name", .string) && $0.has("enabled", .bool) }
            }
        ),
        (
            ForeignDocument(
                "a template or an answer of Firebase Remote Config",
                "take the values from Firebase's SDK, or export them alone"),
            { root in
                let isTemplate = (root["parameters"]?.entries ?? []).contains {
                    $0.has("defaultValue", .object) || $0.has("conditionalValues", .object)
                        || $0.has("valueType", .string)
                }
                let isTemplateOfGroups = (root["parameterGroups"]?.entries ?? []).contains {
                    $0.has("parameters", .object)
                }
                let states = ["UPDATE", "NO_CHANGE", "NO_TEMPLATE", "EMPTY_CONFIG", "INSTANCE_STATE_UNSPECIFIED"]
                let isAnswer =
                    states.contains(root["state"]?.text ?? "")
                    && (root["entries"]?.members != nil || root["templateVersion"] != nil)
                return isTemplate || isTemplateOfGroups || isAnswer
            }
        ),
        (
            ForeignDocument("ConfigCat's settings", "take them from ConfigCat's SDK, or export the values alone"),
            { root in
                let settings = root["f"]?.entries ?? []
                return !settings.isEmpty && settings.allSatisfy { $0.has("t", .integer) && $0.has("v") }
            }
        ),
    ]

    /// A value whose members are looked at.
    private struct Entry {
        enum Kind { case string, bool, integer, array, object }

        let value: EncodedFlagValue

        init(_ value: EncodedFlagValue) { self.value = value }

        var text: String? { if case .string(let text) = value { text } else { nil } }
        var members: [String: EncodedFlagValue]? { if case .object(let members) = value { members } else { nil } }
        var elements: [Entry]? { if case .array(let elements) = value { elements.map(Entry.init) } else { nil } }
        /// The members of an object, or the elements of an array.
        var entries: [Entry] { members.map { $0.values.map(Entry.init) } ?? elements ?? [] }

        func has(_ name: String, _ kind: Kind? = nil) -> Bool {
            guard let member = members?[name] else { return false }
            return switch (kind, member) {
            case (nil, _), (.string?, .string), (.bool?, .bool), (.integer?, .integer), (.array?, .array),
                (.object?, .object):
                true
            default: false
            }
        }
    }
}

extension FlagDocumentFormat {
    /// Checks that a document of plain values is not one of another kind, whose members are no flags: definitions with
    /// rules, and the files of vendors' services.
    ///
    /// Providers call it before they put a document in force. It looks at the first two levels of members. Formats other
    /// than plain values check their documents while they read them, and pass here.
    ///
    /// - Throws: ``FlagDocumentError``, which names the kind that was probably meant and the format to read it with.
    public func checkKind(of document: FlagDocument) throws(FlagDocumentError) {
        guard holdsValues, let foreign = ForeignDocument(document) else { return }
        throw FlagDocumentError(reason: "it looks like \(foreign.name); \(foreign.advice)")
    }
}
