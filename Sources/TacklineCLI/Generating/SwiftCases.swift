#if CommandLine
    import TacklineCore
    import TacklineManifest

    /// A Swift enum for a flag that takes one of a few values.
    struct SwiftCases: Equatable {
        let name: String
        private let raw: String
        private let cases: [Case]

        private struct Case: Equatable {
            let name: String
            let value: EncodedFlagValue
        }

        /// Creates an enum, or returns `nil` unless the type lists only strings or only integers.
        ///
        /// - Parameters:
        ///   - used: The names of types in the same scope.
        ///   - known: The enums in the same scope, one of which is reused if it is equal.
        init?(
            _ type: FlagManifest.ValueType, property: String, used: inout Set<String>, known: inout [SwiftCases]
        ) {
            guard let values = type.cases, !values.isEmpty else { return nil }
            let texts = values.compactMap { value -> String? in
                switch value {
                case .string(let text): text
                case .integer(let number): "value\(number < 0 ? "Minus" : "")\(number.magnitude)"
                default: nil
                }
            }
            let isText = values.allSatisfy { if case .string = $0 { true } else { false } }
            let isInteger = values.allSatisfy {
                if case .integer(let number) = $0 { Int(exactly: number) != nil } else { false }
            }
            guard texts.count == values.count, isText || isInteger, Set(values).count == values.count else {
                return nil
            }
            raw = isText ? "String" : "Int"
            // Cases are members of the type, beside those that its protocols need.
            var names: Set<String> = ["allCases", "init", "none", "self", "some", "takesNull"]
            let cases = zip(texts, values).map {
                Case(name: SwiftNames.unique(SwiftNames.property($0), in: &names), value: $1)
            }
            var wanted = type.name
            if wanted.hasPrefix("Optional<") { wanted = String(wanted.dropFirst(9).dropLast()) }
            wanted = SwiftNames.type(wanted.isEmpty ? property : wanted)
            self.cases = cases
            if !type.name.isEmpty, let same = known.first(where: { [wanted] in $0.name == wanted && $0.cases == cases })
            {
                name = same.name
                return
            }
            name = SwiftNames.unique(wanted, in: &used)
            known.append(self)
        }

        func source(indentation: String) -> String {
            let lines = cases.map { option in
                let name = option.name
                let literal =
                    SwiftLiteral.value(option.value, of: .init(raw == "String" ? .string : .integer)) ?? "\"\""
                let isPlain = literal == "\"\(name)\""
                return "\(indentation)    case \(SwiftNames.source(name))\(isPlain ? "" : " = \(literal)")\n"
            }
            return "\(indentation)enum \(name): \(raw), CaseIterable, FlagValue {\n\(lines.joined())\(indentation)}\n"
        }

        /// Returns the case for a value; `nil` if there is none.
        func value(_ value: EncodedFlagValue) -> String? {
            cases.first { $0.value == value }.map { ".\(SwiftNames.source($0.name))" }
        }
    }
#endif
