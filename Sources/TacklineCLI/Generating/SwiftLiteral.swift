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
            "Date(timeIntervalSince1970: \(number(date.timeIntervalSince1970)))"
        }

        private static func number(_ value: Double) -> String {
            Int128(exactly: value).map { "\($0)" } ?? "\(value)"
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
            guard let range else { return "Int" }
            func bounds<Number: FixedWidthInteger>(_ type: Number.Type) -> Bool {
                Int128(exactly: type.min) == range.lowerBound && Int128(exactly: type.max) == range.upperBound
            }
            if bounds(Int.self) { return "Int" }
            if bounds(UInt.self) { return "UInt" }
            if bounds(Int8.self) { return "Int8" }
            if bounds(UInt8.self) { return "UInt8" }
            if bounds(Int16.self) { return "Int16" }
            if bounds(UInt16.self) { return "UInt16" }
            if bounds(Int32.self) { return "Int32" }
            if bounds(UInt32.self) { return "UInt32" }
            return bounds(Int128.self) ? "Int128" : "Int"
        }

        /// Returns a value of a type; `nil` if it has another type or cannot be written.
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
            case (.number, .decimal(let number)): return "\(number.nearestDouble)"
            case (.string, .string(let text)): return string(text)
            case (.data, _):
                guard let data = try? Data(encoded: value) else { return nil }
                return "Data(base64Encoded: \(string(data.base64EncodedString())))!"
            case (.date, _): return (try? Date(encoded: value)).map(date)
            case (.url, .string(let text)): return URL(string: text) == nil ? nil : "URL(string: \(string(text)))!"
            case (.uuid, .string(let text)):
                return UUID(uuidString: text) == nil ? nil : "UUID(uuidString: \(string(text)))!"
            case (.array, .array(let elements)):
                let parts = elements.map { self.value($0, of: type.element ?? .init(.any)) }
                return parts.contains(nil) ? nil : "[\(parts.compactMap(\.self).joined(separator: ", "))]"
            case (.object, .object(let members)):
                if members.isEmpty { return "[:]" }
                let parts = members.sorted { $0.key < $1.key }.map { name, value in
                    self.value(value, of: type.element ?? .init(.any)).map { "\(string(name)): \($0)" }
                }
                return parts.contains(nil) ? nil : "[\(parts.compactMap(\.self).joined(separator: ", "))]"
            case (.any, _): return encoded(value)
            default: return nil
            }
        }

        /// Returns a value of unknown form as an ``EncodedFlagValue``. Recursion is limited by the depth that the
        /// reader accepts.
        private static func encoded(_ value: EncodedFlagValue) -> String? {
            switch value {
            case .null: return ".null"
            case .bool(let isOn): return "\(isOn)"
            case .integer(let number): return ".integer(\(number))"
            case .double(let number): return number.isFinite ? ".double(\(number))" : nil
            case .string(let text): return string(text)
            case .array(let elements):
                let parts = elements.map(encoded)
                return parts.contains(nil) ? nil : "[\(parts.compactMap(\.self).joined(separator: ", "))]"
            case .object(let members):
                if members.isEmpty { return "[:]" }
                let parts = members.sorted { $0.key < $1.key }.map { name, value in
                    encoded(value).map { "\(string(name)): \($0)" }
                }
                return parts.contains(nil) ? nil : "[\(parts.compactMap(\.self).joined(separator: ", "))]"
            case .data, .date, .decimal, .unparsed: return nil
            }
        }
    }
#endif
