import Foundation
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

/// Makes typos in a document and counts those that nothing is said about.
@Suite("A search for typos")
struct TypoSearchTests {
    private static let text = #"""
        {
          "$schema": "https://flagd.dev/schema/v0/flags.json",
          "metadata": {"flagSetId": "shop", "version": "12"},
          "flags": {
            "new_cart": {
              "state": "ENABLED", "variants": {"enabled": true, "disabled": false}, "defaultVariant": "disabled",
              "metadata": {"tackline.sticky": true, "owner": "cart team"},
              "targeting": {"if": [
                {"ends_with": [{"var": "email"}, "@example.com"]}, "enabled",
                {"and": [{"in": [{"var": "country"}, ["de", "fr"]]}, {">=": [{"var": "age"}, 18]}]}, "enabled",
                {"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["enabled", 10], ["disabled", 90]]}
              ]}
            },
            "checkout": {
              "state": "ENABLED", "variants": {"classic": "c", "one_page": "o", "express": "e"}, "defaultVariant": "classic",
              "metadata": {"tackline.requires": "new_cart=enabled"},
              "targeting": {"if": [
                {"sem_ver": [{"var": "version"}, ">=", "2.1.0"]}, {"if": [{"$ref": "staff"}, "express", "one_page"]},
                {"some": [{"var": "roles"}, {"==": [{"var": ""}, "tester"]}]}, "one_page",
                {"missing": ["country", "email"]}, "classic",
                {"starts_with": [{"var": "email"}, "qa-"]}, "express", "classic"
              ]}
            },
            "banner": {
              "state": "DISABLED", "variants": {"winter": {"text": "Snow"}, "summer": {"text": "Sun"}},
              "defaultVariant": "winter",
              "targeting": {"if": [
                {"<": [{"var": "$flagd.timestamp"}, 1900000000]}, "winter",
                {"or": [{"!": [{"var": "country"}]}, {"!=": [{"var": "age"}, 30]}, {"in": ["admin", {"var": "roles"}]}]}, "summer",
                {"sem_ver": [{"var": "version"}, "^", "1.0.0"]}, "winter"
              ]}
            }
          },
          "$evaluators": {
            "staff": {"or": [{"ends_with": [{"var": "email"}, "@shop.example"]}, {"in": ["staff", {"var": "roles"}]},
              {"sem_ver": [{"var": "version"}, "=", "0.0.0"]}, {"===": [{"var": "age"}, 1]}]}
          }
        }
        """#

    /// The names in which a typo matters, each as often as it stands in the document: what follows `{"` or `, "` and is
    /// none of these is data.
    private static let names: Set<String> = [
        "metadata", "flags", "state", "ENABLED", "DISABLED", "variants",
        "enabled", "disabled", "defaultVariant", "tackline.sticky", "targeting", "if", "ends_with", "var", "email",
        "and",
        "in", "country", ">=", "age", "fractional", "cat", "$flagd.flagKey", "targetingKey", "classic", "one_page",
        "express",
        "tackline.requires", "new_cart=enabled", "sem_ver", "version", "$ref", "staff", "some", "roles", "==",
        "missing",
        "starts_with", "winter", "summer", "<", "$flagd.timestamp", "or", "!", "!=", "$evaluators", "===", "^", "=",
        "flagSetId", "$schema",
    ]

    private static func typos(of name: String) -> [String] {
        let letters = Array(name)
        var typos: Set<String> = []
        for position in letters.indices {
            var less = letters
            less.remove(at: position)
            typos.insert(String(less))
            var twice = letters
            twice.insert(letters[position], at: position)
            typos.insert(String(twice))
            if position > 0 {
                var exchanged = letters
                exchanged.swapAt(position, position - 1)
                typos.insert(String(exchanged))
            }
            var other = letters
            other[position] = letters[position] == "x" ? "y" : "x"
            typos.insert(String(other))
        }
        typos.insert(name.prefix(1).uppercased() + name.dropFirst())
        typos.insert(name.replacing("_", with: ""))
        typos.subtract([name, ""])
        return typos.sorted()
    }

    private func problems(_ text: String) -> [FlagDefinitionProblem] {
        do {
            return try FlagDefinitions(json: text).validate()
        } catch {
            return [FlagDefinitionProblem(path: "", message: error.message)]
        }
    }

    @Test("finds nothing in a document without any")
    func clean() {
        #expect(problems(Self.text) == [])
    }

    @Test("finds all but three in a hundred, with line, column, and the name that was meant")
    func search() throws {
        let text = Self.text
        var count = 0
        var silent: [String] = []
        var withoutPlace: [String] = []
        var withoutName: [String] = []
        var start = text.startIndex
        // Every third one of the typos, because each costs as much as reading the document.
        var number = 0
        while let open = text[start...].firstIndex(of: "\"") {
            let after = text.index(after: open)
            guard let close = text[after...].firstIndex(of: "\"") else { break }
            start = text.index(after: close)
            let name = String(text[after..<close])
            guard Self.names.contains(name) else { continue }
            for typo in Self.typos(of: name) {
                // Another operator or name that exists is no typo that could be found.
                guard !Self.names.contains(typo), !["<=", ">", "!!", "!==", "map", "~", "$schema"].contains(typo) else {
                    continue
                }
                number += 1
                guard number.isMultiple(of: 3) else { continue }
                count += 1
                let found = problems(text.replacingCharacters(in: after..<close, with: typo))
                let what = "\(name) → \(typo) at \(text.distance(from: text.startIndex, to: after))"
                if found.isEmpty {
                    silent.append(what)
                } else if !found.contains(where: { $0.line != nil }) {
                    withoutPlace.append(what)
                } else if name.count > 3, !found.contains(where: { $0.message.contains(name.prefix(4)) }) {
                    withoutName.append(what)
                }
            }
        }
        #expect(count > 500)
        #expect(100 * silent.count <= 3 * count, "\(silent.count) of \(count): \(silent)")
        #expect(100 * withoutName.count <= 3 * count, "\(withoutName.count) of \(count): \(withoutName)")
        // A document without its flags is no document, which has no lines.
        #expect(withoutPlace.allSatisfy { $0.hasPrefix("flags →") }, "\(withoutPlace)")
    }

    @Test("finds nothing in public documents", .enabled(if: Suites.folder("flagd-schemas") != nil, Suites.skipMessage))
    func publicDocuments() throws {
        let folder = try #require(Suites.folder("flagd-schemas"))
        for name in ["examples", "test/flags/positive", "test/flagd/positive"] {
            for url in try Suites.documents(in: folder.appendingPathComponent(name)) {
                // This example tests evaluators with two operands that never fit and the variants behind them, which
                // don't exist.
                let lines = url.lastPathComponent == "full.json" ? [143, 145, 102, 104] : []
                let problems = try FlagDefinitions(json: Data(contentsOf: url)).validate()
                #expect(problems.map(\.line) == lines, "\(url.lastPathComponent): \(problems)")
            }
        }
    }
}
