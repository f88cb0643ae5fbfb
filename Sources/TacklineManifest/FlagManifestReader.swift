import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the expiry date.

/// An object of a manifest, and where it stands.
struct FlagManifestReader {
    let members: [String: EncodedFlagValue]
    private let path: [String]

    init(_ value: EncodedFlagValue, path: [String]) throws(FlagManifestError) {
        guard case .object(let members) = value else {
            throw FlagManifestError(path: path, message: "there is \(value.kind) where an object is needed")
        }
        self.members = members
        self.path = path
    }

    func mistake(_ member: String, _ message: String) -> FlagManifestError {
        FlagManifestError(path: path + [member], message: message)
    }

    func missing(_ member: String) -> FlagManifestError {
        mistake(member, "it is missing; export the manifest again")
    }

    func text(_ member: String) throws(FlagManifestError) -> String? {
        switch members[member] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        case let other?: throw mistake(member, "there is \(other.kind) where a string is needed")
        }
    }

    func integer(_ member: String) throws(FlagManifestError) -> Int128? {
        switch members[member] {
        case nil, .null?: return nil
        case .integer(let number)?: return number
        case let other?: throw mistake(member, "there is \(other.kind) where an integer is needed")
        }
    }

    func fact(_ member: String) throws(FlagManifestError) -> Bool {
        switch members[member] {
        case nil, .null?: return false
        case .bool(let fact)?: return fact
        case let other?: throw mistake(member, "there is \(other.kind) where a Boolean is needed")
        }
    }

    func date(_ member: String) throws(FlagManifestError) -> Date? {
        guard let text = try text(member) else { return nil }
        guard let date = FlagTimestamp.date(from: text) else {
            throw mistake(member, "the text is not a date; write it as 2026-11-21T00:00:00Z")
        }
        return date
    }

    func texts(_ member: String) throws(FlagManifestError) -> [String] {
        guard let value = members[member] else { return [] }
        guard case .array(let elements) = value else {
            throw mistake(member, "there is \(value.kind) where an array of strings is needed")
        }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else {
                throw mistake(member, "there is \(element.kind) where a string is needed")
            }
            texts.append(text)
        }
        return texts
    }

    func object(_ member: String) throws(FlagManifestError) -> FlagManifestReader? {
        guard let value = members[member] else { return nil }
        return try FlagManifestReader(value, path: path + [member])
    }

    func elements(_ member: String) throws(FlagManifestError) -> [FlagManifestReader]? {
        guard let value = members[member] else { return nil }
        guard case .array(let elements) = value else {
            throw mistake(member, "there is \(value.kind) where an array is needed")
        }
        var readers: [FlagManifestReader] = []
        for (position, element) in elements.enumerated() {
            readers.append(try FlagManifestReader(element, path: path + [member, String(position)]))
        }
        return readers
    }
}
