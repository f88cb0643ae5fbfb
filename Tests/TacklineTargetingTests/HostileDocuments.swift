import Testing

/// A document of definitions that was made to cost its readers much: at most `size` bytes of JSON.
struct HostileDocument: Sendable, CustomTestStringConvertible {
    let name: String
    /// The size to measure. It is larger for a document that is harmless or reaches no limit of the library below it.
    let size: Int
    /// Makes the text for a size in bytes.
    let text: @Sendable (_ size: Int) -> String

    /// Whether it is made of rules that are evaluated until their steps are used up.
    let isBoundBySteps: Bool

    var testDescription: String { name }

    private init(
        _ name: String, size: Int = 20_000, isBoundBySteps: Bool = false,
        _ text: @escaping @Sendable (_ size: Int) -> String
    ) {
        (self.name, self.size, self.isBoundBySteps, self.text) = (name, size, isBoundBySteps, text)
    }

    /// The key of a flag that works, in every document that can be read.
    static let goodKey = "zz_good"

    private static func document(_ flags: String, more: String = "") -> String {
        "{\"flags\": {\(flags),\(flag(goodKey, targeting: #"{"if": [{"==": [{"var": "country"}, "de"]}, "on"]}"#))}\(more)}"
    }

    private static func flag(
        _ key: String = "f", variants: String = #""on": 1"#, targeting: String? = nil, more: String = ""
    ) -> String {
        let rule = targeting.map { ", \"targeting\": \($0)" } ?? ""
        return """
            "\(key)": {"state": "ENABLED", "variants": {\(variants)}, "defaultVariant": "on"\(rule)\(more)}
            """
    }

    /// So many parts that they and the commas between them have the size.
    private static func repeated(_ size: Int, _ part: (Int) -> String) -> String {
        var text = ""
        var number = 0
        while true {
            let next = part(number)
            guard text.utf8.count + next.utf8.count < size else { return text }
            if number > 0 { text += "," }
            text += next
            number += 1
        }
    }

    private static func long(_ count: Int, _ piece: String = "a") -> String {
        String(repeating: piece, count: max(1, count / piece.utf8.count))
    }

    private static func nested(_ depth: Int, _ open: String, _ core: String, _ close: String) -> String {
        String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }

    private static let numbers = "[" + (1...35).map(String.init).joined(separator: ",") + "]"
    /// Loops in loops, which no evaluation comes to the end of.
    private static let endless =
        #"{"map": [N, {"map": [N, {"map": [N, {"map": [N, BODY]}]}]}]}"#.replacing("N", with: numbers)

    /// One rule that does the same in loops until its steps are used up.
    private static func looping(_ name: String, _ body: @escaping @Sendable (_ size: Int) -> String) -> HostileDocument
    {
        HostileDocument(name, isBoundBySteps: true) { size in
            document(flag(targeting: endless.replacing("BODY", with: body(size - 600))))
        }
    }

    /// Twice the size at which the searches for misspelt names have reached their limits.
    private static let large = 60_000

    // MARK: All of them

    static let all: [HostileDocument] = definitions + rules

    private static let definitions = [
        HostileDocument("requirements that are misspelt", size: large) { size in
            document(
                repeated(size - 20) {
                    flag(
                        "checkout_flag_number_\($0)",
                        more: #", "metadata": {"tackline.requires": "checkout_falg_\#($0)=on"}"#)
                })
        },
        HostileDocument("a circle") { size in
            let count = (size - 20) / 150
            return document(
                (0..<count).map {
                    flag(
                        "checkout_\($0)",
                        more: #", "metadata": {"tackline.requires": "checkout_\#(($0 + 1) % count)=on"}"#)
                }.joined(separator: ","))
        },
        HostileDocument("circles everywhere", size: large) { size in
            let count = 300
            let each = size / count - 140
            return document(
                (0..<count).map { number in
                    let needs = (0..<max(1, each / 7)).map { "f\((number + 1 + $0) % count)=on" }
                    return flag(
                        "f\(number)", more: #", "metadata": {"tackline.requires": "\#(needs.joined(separator: ","))"}"#)
                }.joined(separator: ","))
        },
        HostileDocument("a long chain", size: large) { size in
            document(
                repeated(size - 20) {
                    flag("f\($0)", more: #", "metadata": {"tackline.requires": "f\#($0 + 1)=on"}"#)
                })
        },
        HostileDocument("a chain of rules that take long", isBoundBySteps: true) { _ in
            document(
                (0..<32).map {
                    let needs = $0 == 0 ? "" : #", "metadata": {"tackline.requires": "f\#($0 - 1)=on"}"#
                    let loop = #"{"map": [N, {"map": [N, {"map": [N, 1]}]}]}"#.replacing("N", with: numbers)
                    return flag("f\($0)", targeting: #"{"if": [\#(loop), "on"]}"#, more: needs)
                }.joined(separator: ","))
        },
        HostileDocument("many flags") { size in document(repeated(size - 20) { flag("f\($0)") }) },
        HostileDocument("many flags with rules that do not end", isBoundBySteps: true) { size in
            document(
                repeated(size - 2_000) { flag("f\($0)", targeting: #"{"$ref": "e"}"#) },
                more: #", "$evaluators": {"e": \#(endless.replacing("BODY", with: "1"))}"#)
        },
        HostileDocument("a list with many flags of one key") { size in
            #"{"flags": [\#(repeated(size - 20) { _ in #"{"key": "f"}"# })]}"#
        },
        HostileDocument("many variants") { size in
            document(flag(variants: repeated(size - 200) { "\"v\($0)\": 1" }, targeting: #"{"var": "x"}"#))
        },
        HostileDocument("many branches") { size in
            document(
                flag(targeting: #"{"if": [\#(repeated(size - 150) { #"{"==":[{"var":"a"},\#($0)]},"on""# })]}"#))
        },
        HostileDocument("many objects") { size in
            document(flag(targeting: #"{"in": [1, [\#(repeated(size - 200) { _ in #"{"":0}"# })]]}"#))
        },
        HostileDocument("much metadata") { size in
            document(
                repeated(size / 2 - 40) { flag("f\($0)", more: #", "metadata": {"own": 1}"#) },
                more: ", \"metadata\": {\(repeated(size / 2 - 40) { "\"m\($0)\":1" })}")
        },
        looping("a split of many shares") { size in
            #"{"fractional": ["k", \#(repeated(size - 40) { _ in "[\"on\",1]" })]}"#
        },
        HostileDocument("mistakes in every flag", size: large) { size in
            document(repeated(size - 20) { flag("f\($0)", targeting: #"{"if": [{}, "onn", {}, "no"]}"#) })
        },
        HostileDocument("attributes that are asked for once each") { size in
            document(flag(targeting: #"{"or": [\#(repeated(size - 150) { #"{"var":"attribute_\#($0)"}"# })]}"#))
        },
        HostileDocument("one key very often") { size in document(repeated(size - 20) { _ in #""f":0"# }) },
    ]

    private static let rules = [
        HostileDocument("a rule that is as deep as can be, many times") { size in
            let one = nested(60, #"{"!":["#, #"{"var":"a"}"#, "]}")
            return document(flag(targeting: #"{"or": [\#(repeated(size - 150) { _ in one })]}"#))
        },
        HostileDocument("brackets only") { size in long(size, "[") },
        HostileDocument("many flags that name one evaluator", isBoundBySteps: true) { size in
            document(
                repeated(size / 2) { flag("f\($0)", targeting: #"{"$ref": "e"}"#) },
                more: #", "$evaluators": {"e": {"or": [\#(repeated(size / 2 - 200) { #"{"var":"a\#($0)"}"# })]}}"#)
        },
        looping("long texts in cat") { size in #"{"cat": ["\#(long(size - 20))"]}"# },
        looping("two long texts that are equal") { size in
            #"{"==": ["\#(long(size / 2 - 20))", "\#(long(size / 2 - 20))"]}"#
        },
        looping("a long path") { size in #"{"var": "country\#(long(size - 40, ".0"))"}"# },
        looping("a long name of marks") { size in #"{"var": "a\#(long(size - 40, "\u{301}\u{323}"))"}"# },
        looping("a long key to bucket by") { size in #"{"fractional": ["\#(long(size - 40))", ["on", 1]]}"# },
        HostileDocument("long keys of marks") { size in
            document(
                repeated(size - 150) { flag("a\($0)" + long(1_000, "\u{301}\u{323}"), targeting: #"{"var": "x"}"#) })
        },
        HostileDocument("a long key and many mistakes") { size in
            document(
                flag(
                    long(1_000),
                    targeting: #"{"if": [{"var": "a"}, \#(repeated(size - 1_500) { _ in "{}" })]}"#))
        },
        HostileDocument("long names of variants", size: large) { size in
            document(
                flag(
                    variants: repeated(size / 2) { "\"\(long(1_000))\($0)\": 1" },
                    targeting:
                        #"{"if": [\#(repeated(size / 2 - 150) { #"{"var":"a"},"\#(long(20_000, "b"))\#($0)""# })]}"#))
        },
        looping("texts of small numbers") { _ in #"{"cat": [1.2345678901234567e-300]}"# },
    ]
}
