#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest

    /// Functions that write values and types as Swift source.
    enum SwiftLiteral {
        /// Returns a text in quotes. Characters other than printable ASCII and letters are escaped.
        static func string(_ text: String) -> String {
            var result = "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": result += "\\\""
                case "\\": result += "\\\\"
                case "\n": result += "\\n"
                case "\r": result += "\\r"
                case "\t": result += "\\t"
                case " "..."~": result.unicodeScalars.append(scalar)
                default:
                    if scalar.properties.isAlphabetic {
                        result.unicodeScalars.append(scalar)
                    } else {
                        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                    }
                }
            }
            return result + "\""
        }

        static func date(_ date: Date) -> String {
            let seconds = date.timeIntervalSince1970
            return "Date(timeIntervalSince1970: \(Int128(exactly: seconds).map { "\($0)" } ?? "\(seconds)"))"
        }

        /// Returns the name of a type, ignoring its cases. Values of unknown form have the type ``EncodedFlagValue``.
        static func type(_ type: FlagManifest.ValueType) -> String {
            let name =
                switch type.kind {
                case .boolean: "Bool"
                case .integer: integer(type.range)
                case .number: type.name == "Float" ? "Float" : "Double"
                case .string: "String"
                case .data: "Data"
                case .date: "Date"
                case .url: "URL"
                case .uuid: "UUID"
                case .array: type.element.map { "[\(self.type($0))]" } ?? "[EncodedFlagValue]"
                case .object: type.element.map { "[String: \(self.type($0))]" } ?? "[String: EncodedFlagValue]"
                case .any: "EncodedFlagValue"
                }
            return type.isOptional ? "\(name)?" : name
        }

        private static func integer(_ range: ClosedRange<Int128>?) -> String {
            let types: [any FixedWidthInteger.Type] = [
                Int.self, UInt.self, Int8.self, UInt8.self, Int16.self, UInt16.self, Int32.self, UInt32.self,
                Int128.self,
            ]
            func hasRange<Number: FixedWidthInteger>(_ type: Number.Type) -> Bool {
                range?.lowerBound == Int128(exactly: type.min) && range?.upperBound == Int128(exactly: type.max)
            }
            return types.first { hasRange($0) }.map { "\($0)" } ?? "Int"
        }

        /// Returns a value of a type; `nil` if it has another type or cannot be written. Recursion is limited by the
        /// depth that the reader accepts.
        static func value(_ value: EncodedFlagValue, of type: FlagManifest.ValueType) -> String? {
            if value == .null { return type.isOptional ? "nil" : type.kind == .any ? ".null" : nil }
            switch (type.kind, value) {
            case (.boolean, .bool(let isOn)): return "\(isOn)"
            case (.integer, .integer(let number)):
                if SwiftLiteral.type(type).hasPrefix("Int128") { return "\(number)" }
                // An integer without bounds has the type `Int`.
                return (type.range ?? Int128(Int.min)...Int128(Int.max)).contains(number) ? "\(number)" : nil
            case (.number, .integer(let number)): return "\(number)"
            case (.number, .double(let number)): return number.isFinite ? "\(number)" : nil
            case (.string, .string(let text)): return string(text)
            case (.data, _):
                guard let data = try? Data(encoded: value) else { return nil }
                return "Data(base64Encoded: \(string(data.base64EncodedString())))!"
            case (.date, _): return (try? Date(encoded: value)).map(date)
            case (.url, .string(let text)): return URL(string: text) == nil ? nil : "URL(string: \(string(text)))!"
            case (.uuid, .string(let text)):
                return UUID(uuidString: text) == nil ? nil : "UUID(uuidString: \(string(text)))!"
            case (.array, .array(let elements)), (.any, .array(let elements)):
                return list(elements.map { self.value($0, of: type.element ?? .init(.any)) })
            case (.object, .object(let members)), (.any, .object(let members)):
                if members.isEmpty { return "[:]" }
                return list(
                    members.sorted { $0.key < $1.key }.map { name, value in
                        self.value(value, of: type.element ?? .init(.any)).map { "\(string(name)): \($0)" }
                    })
            // A value of unknown form is an ``EncodedFlagValue``.
            case (.any, .bool(let isOn)): return "\(isOn)"
            case (.any, .integer(let number)): return ".integer(\(number))"
            case (.any, .double(let number)): return number.isFinite ? ".double(\(number))" : nil
            case (.any, .string(let text)): return string(text)
            default: return nil
            }
        }

        /// Returns parts in brackets; `nil` if one of them is missing.
        private static func list(_ parts: [String?]) -> String? {
            parts.contains(nil) ? nil : "[\(parts.compactMap(\.self).joined(separator: ", "))]"
        }
    }

    /// Functions that make Swift names from any text.
    enum SwiftNames {
        /// Returns a name for a property, without backticks: `new-welcome banner` becomes `newWelcomeBanner`.
        ///
        /// The name never begins with a capital letter, because a property `Date` would hide the type.
        static func property(_ text: String) -> String {
            if isIdentifier(text), !(0x41...0x5A).contains(text.utf8.first ?? 0) { return text }
            let words = words(of: text)
            let name = (words.first ?? "flag").lowercased() + words.dropFirst().map(capitalized).joined()
            return name.first?.isNumber == true ? "_\(name)" : name
        }

        /// Returns a name for a type: `new-welcome banner` becomes `NewWelcomeBanner`.
        static func type(_ text: String) -> String {
            let name = words(of: text).map(capitalized).joined()
            let isBegun = name.first.map { !$0.isNumber } ?? false
            let whole = isBegun ? name : "Flags\(name)"
            return taken.contains(whole) ? "\(whole)Value" : whole
        }

        /// Returns a name that is not in use, and adds it to the names in use.
        ///
        /// - Parameter isWrapped: Whether it is that of a property with a wrapper, whose own name begins with an underscore.
        static func unique(_ name: String, in used: inout Set<String>, isWrapped: Bool = false) -> String {
            func names(_ name: String) -> Set<String> { isWrapped ? [name, "_\(name)"] : [name] }
            var (unique, number) = (name, 2)
            while !used.isDisjoint(with: names(unique)) {
                unique = "\(name)\(number)"
                number += 1
            }
            used.formUnion(names(unique))
            return unique
        }

        /// Returns a name as it is written in source, in backticks if it is a keyword.
        static func source(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

        /// Returns whether a text is an identifier in ASCII. Others are refused so that no tool reads the source
        /// differently.
        static func isIdentifier(_ text: String) -> Bool {
            guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_"), text != "_" else {
                return false
            }
            return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
        }

        private static func words(of text: String) -> [String] {
            let safe = String(
                decoding: text.utf8.map { isLetter($0) || isDigit($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
            return KeyConfiguration.Transform.words(in: safe).filter { word in
                word.utf8.contains { $0 != UInt8(ascii: "_") }
            }
        }

        private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
        private static func isLetter(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        /// The types that generated source uses, whose names no other type may have.
        static let taken = names(
            """
            Any Array Bool CaseIterable Data Date Dictionary Double EncodedFlagValue Flag FlagCollection \
            FlagCollectionProtocol FlagKey FlagMetadata FlagValue Float Int Int128 Int16 Int32 Int64 Int8 \
            Optional Protocol Self Set String Type UInt UInt128 UInt16 UInt32 UInt64 UInt8 URL UUID
            """)

        private static let keywords = names(
            """
            actor as associatedtype break case catch class continue default defer deinit do else enum extension \
            fallthrough false fileprivate for func guard if import in init inout internal is let nil operator \
            precedencegroup private protocol public repeat rethrows return self Self static struct subscript \
            super switch throw throws true try typealias var where while Any Type Protocol await async
            """)

        private static func names(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
    }
#endif
