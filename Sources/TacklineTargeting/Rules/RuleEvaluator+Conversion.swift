import TacklineCore

extension RuleEvaluator {
    /// JavaScript's `Number(value)`.
    mutating func number(_ value: EncodedFlagValue) throws(RuleFailure) -> Double {
        switch value {
        case .null: return 0
        case .bool(let flag): return flag ? 1 : 0
        case .integer(let number): return Double(number)
        case .double(let number): return number
        case .decimal(let number): return number.nearestDouble
        case .object: return .nan
        case .array, .string, .unparsed, .data, .date:
            let text = try text(value)
            try charge(text.utf8.count / 16)
            return ScriptNumber.parse(text)
        }
    }

    /// The number of a value that is one; NaN otherwise.
    static func plainNumber(_ value: EncodedFlagValue) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): number.nearestDouble
        default: .nan
        }
    }

    /// JavaScript's `String(value)`, except that the text may not exceed the limit.
    mutating func text(_ value: EncodedFlagValue) throws(RuleFailure) -> String {
        switch value {
        case .string(let text), .unparsed(let text): return text
        case .null: return "null"
        default:
            var text = ""
            try append(value, to: &text, depth: 0)
            return text
        }
    }

    /// Appends a value as `join` does: like its text, but null is nothing.
    mutating func append(_ value: EncodedFlagValue, to text: inout String, depth: Int) throws(RuleFailure) {
        switch value {
        case .null: break
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number):
            text += number.magnitude < 9_007_199_254_740_992 ? String(Int64(number)) : ScriptNumber.text(Double(number))
        case .double(let number): text += ScriptNumber.text(number)
        case .decimal(let number): text += ScriptNumber.text(number.nearestDouble)
        case .array(let elements): try append(elements, to: &text, depth: depth)
        case .object: text += "[object Object]"
        case .string, .unparsed, .data, .date: try append(value.scriptString ?? "", to: &text)
        }
        if text.utf8.count > program.settings.limits.maximumTextLength { throw .textTooLong }
    }

    private mutating func append(_ piece: String, to text: inout String) throws(RuleFailure) {
        try charge(piece.utf8.count / 16)
        if text.utf8.count + piece.utf8.count > program.settings.limits.maximumTextLength { throw .textTooLong }
        text += piece
    }

    private mutating func append(
        _ elements: [EncodedFlagValue], to text: inout String, depth: Int
    ) throws(RuleFailure) {
        guard depth < TargetingLimits.depthCeiling else { throw .valueTooDeep }
        for (position, element) in elements.enumerated() {
            try charge(1)
            if position > 0 { text += "," }
            try append(element, to: &text, depth: depth + 1)
        }
    }

    /// The value itself, or the text of a list or an object.
    mutating func primitive(_ value: EncodedFlagValue) throws(RuleFailure) -> EncodedFlagValue {
        switch value {
        case .array, .object: .string(try text(value))
        default: value
        }
    }

    /// Refuses a value that is nested too deeply to be walked, or released, safely. Each visited element costs a step.
    mutating func checkDepth(of value: EncodedFlagValue, depth: Int = 0) throws(RuleFailure) {
        switch value {
        case .array(let elements):
            guard depth < TargetingLimits.depthCeiling else { throw .valueTooDeep }
            try charge(elements.count)
            for element in elements { try checkDepth(of: element, depth: depth + 1) }
        case .object(let members):
            guard depth < TargetingLimits.depthCeiling else { throw .valueTooDeep }
            try charge(members.count)
            for member in members.values { try checkDepth(of: member, depth: depth + 1) }
        default: break
        }
    }
}
