#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

extension FlagUsageRecord {
    /// The version of the JSON form, which stands in it as `tacklineUsage`.
    private static let version: Int128 = 1
    /// The maximum number of flags that are read.
    private static let maximumFlags = 50_000

    /// Returns the record as JSON in UTF-8.
    public func json() throws -> Data { try FlagJSONWriter(layout: .pretty).data(of: encoded) }

    /// Reads a record.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` with the mistake.
    public init(json: Data) throws(FlagError) { try self.init(bytes: Array(json)) }

    init(bytes: [UInt8]) throws(FlagError) {
        func failure(_ reason: String) -> FlagError {
            let message = "The file is not a record of flags: \(reason). Name one that FlagUsage wrote."
            return FlagError(.invalidDocument, message)
        }
        self.init()
        let root: EncodedFlagValue
        do { root = try FlagJSONReader(requiresObject: true).read(bytes) } catch { throw failure("\(error)") }
        guard case .object(let members) = root, case .integer(let version)? = members["tacklineUsage"], version >= 1
        else { throw failure("it has no member \"tacklineUsage\"") }
        guard version == Self.version else {
            var error = failure("its version is \(version), which a newer Tackline reads; update this program")
            error.code = .newerUsage
            throw error
        }
        guard case .object(let flags)? = members["flags"], flags.count <= Self.maximumFlags else {
            throw failure("it has no member \"flags\", or more than \(Self.maximumFlags) of them")
        }
        (firstDay, lastDay) = (Day(members["firstDay"]), Day(members["lastDay"]))
        hasMoreFlags = members["hasMoreFlags"] == true
        for (key, flag) in flags {
            guard key.utf8.count <= Self.maximumKeySize, let entry = Entry(flag) else {
                throw failure("flag \(EncodedFlagValue.string(key)) is not as FlagUsage writes it")
            }
            self.flags[key] = entry
        }
    }

    private var encoded: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = [
            "tacklineUsage": .integer(Self.version), "flags": .object(flags.mapValues { .object($0.members) }),
        ]
        members["firstDay"] = firstDay?.encoded
        members["lastDay"] = lastDay?.encoded
        if hasMoreFlags { members["hasMoreFlags"] = true }
        return .object(members)
    }
}

extension FlagUsageRecord.Entry {
    fileprivate var members: [String: EncodedFlagValue] {
        var members: [String: EncodedFlagValue] = [
            "firstRead": firstRead.encoded, "lastRead": lastRead.encoded, "days": .integer(Int128(days)),
        ]
        if isSecret { members["isSecret"] = true }
        if hasMoreValues { members["hasMoreValues"] = true }
        if !values.isEmpty {
            members["values"] = .array(
                values.map { .object($0.value.members.merging(["lastSeen": $0.lastSeen.encoded]) { $1 }) })
        }
        return members
    }

    fileprivate init?(_ encoded: EncodedFlagValue) {
        guard case .object(let members) = encoded, let firstRead = FlagUsageRecord.Day(members["firstRead"]),
            let lastRead = FlagUsageRecord.Day(members["lastRead"]),
            let days = try? Int(encoded: members["days"] ?? 1), (1...10_000_000).contains(days)
        else { return nil }
        self.init(readOn: firstRead)
        self.lastRead = lastRead
        self.days = days
        isSecret = members["isSecret"] == true
        hasMoreValues = members["hasMoreValues"] == true
        guard case .array(let list) = members["values"] ?? [] else { return nil }
        for item in list {
            guard case .object(let item) = item, let value = RecordedFlagValue(item),
                let lastSeen = FlagUsageRecord.Day(item["lastSeen"])
            else { return nil }
            values.append(FlagUsageRecord.SeenValue(value: value, lastSeen: lastSeen))
        }
        limitValues()
    }
}

extension FlagUsageRecord.Day {
    fileprivate var encoded: EncodedFlagValue { .string(description) }

    fileprivate init?(_ encoded: EncodedFlagValue?) {
        guard case .string(let text)? = encoded else { return nil }
        self.init(text)
    }
}
