/// A place that an encoder fills in.
///
/// A class, because a container may be asked for, kept and filled after the next one was asked for.
final class FlagValueEncodingNode {
    enum Content {
        case nothing
        case value(EncodedFlagValue)
        case array([FlagValueEncodingNode])
        case object([String: FlagValueEncodingNode])
        case tooDeep
    }

    var content = Content.nothing

    /// Keeps the members that are there: a type may ask for its container more than once.
    func becomeObject() {
        switch content {
        case .object, .tooDeep: break
        default: content = .object([:])
        }
    }

    /// Keeps the elements that are there: a type may ask for its container more than once.
    func becomeArray() {
        switch content {
        case .array, .tooDeep: break
        default: content = .array([])
        }
    }

    var count: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }

    func member(_ key: String) -> FlagValueEncodingNode {
        let node = FlagValueEncodingNode()
        guard case .object(var members) = content else { return node }
        content = .nothing  // so that the dictionary is not copied
        members[key] = node
        content = .object(members)
        return node
    }

    func element() -> FlagValueEncodingNode {
        let node = FlagValueEncodingNode()
        guard case .array(var elements) = content else { return node }
        content = .nothing  // so that the array is not copied
        elements.append(node)
        content = .array(elements)
        return node
    }

    /// What was filled in; an empty object where a type encoded nothing at all.
    ///
    /// The recursion ends at the greatest depth of the encoder, which nodes beyond it are not linked to.
    func value(path: [String]) throws(FlagValueError) -> EncodedFlagValue {
        switch content {
        case .nothing: return .object([:])
        case .value(let value): return value
        case .tooDeep: throw .encoding(EncodedFlagValue.self, path: path, detail: FlagValueDecoder.tooDeep)
        case .array(let elements):
            var values: [EncodedFlagValue] = []
            values.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                values.append(try element.value(path: path + [String(index)]))
            }
            return .array(values)
        case .object(let members):
            var values: [String: EncodedFlagValue] = [:]
            values.reserveCapacity(members.count)
            for (key, member) in members {
                values[key] = try member.value(path: path + [key])
            }
            return .object(values)
        }
    }
}
