import TacklineComposition
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import TacklineTesting
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(key: "owner", default: "nobody", description: "The user") var live: String
    @FlagCollection(keyConfiguration: .skip, description: "Pinned") var pinned: Pinned

    struct Pinned: FlagCollectionProtocol {
        @Flag(key: "session", default: "nobody", updatePolicy: .session, description: "The user of a session")
        var session: String
        @Flag(key: "launch", default: "nobody", updatePolicy: .nextLaunch, description: "The user of a launch")
        var launch: String
    }
}

private enum Feature: String, FlagFeature {
    case session, launch
    typealias Value = String
    var defaultValue: String { "nobody" }
    var updatePolicy: FlagUpdatePolicy { self == .session ? .session : .nextLaunch }
}

@Suite("A pinned value") struct PinnedUserTests {
    /// A document whose flags are the user and the edition.
    private static func definitions(_ edition: Int) throws -> FlagDefinitions {
        let variants = (0..<3).map { #""u\#($0)": "u\#($0) \#(edition)""# }.joined(separator: ", ")
        let flag = """
            {"state": "ENABLED", "variants": {\(variants)}, "defaultVariant": "u0", "targeting": {"var": "targetingKey"}}
            """
        let flags = ["owner", "session", "launch"].map { "\"\($0)\": \(flag)" }.joined(separator: ", ")
        return try FlagDefinitions(json: "{\"flags\": {\(flags)}}")
    }

    @Test("is the present user's in a collection and in an enum, in any order of reads, users, sessions and documents")
    func anyOrder() throws {
        for seed in 0..<20 { try checkAnyOrder(seed) }
    }

    private func checkAnyOrder(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let context = CurrentContext(["targetingKey": "u0"])
        let provider = DefinitionsProvider(try Self.definitions(0), context: .current(context))
        let flags = FlagsLoader(Flags.self, providers: [provider])
        let features = FlagsLoader(Feature.self, providers: [provider])
        var (user, edition) = ("u0", 0)
        // What was read for the user since the last change of the user, and of the session for the first.
        var seen: [String: String] = [:]
        for step in 0..<300 {
            var place = ""
            var value = ""
            var isPinning = true
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let new = "u\(Int.random(in: 0..<3, using: &random))"
                if new != user { seen = [:] }
                user = new
                context.set(["targetingKey": .string(user)])
            case 1:
                flags.beginSession()
                features.beginSession()
                seen = seen.filter { $0.key.hasSuffix("launch") }
            case 2:
                edition += 1
                provider.update(try Self.definitions(edition))
            case 3: #expect(flags.live == "\(user) \(edition)")
            case 4: (place, value) = ("flag session", flags.pinned.session)
            case 5: (place, value) = ("flag launch", flags.pinned.launch)
            case 6: (place, value) = ("feature session", features.value(of: .session))
            case 7: (place, value) = ("feature launch", features.value(of: .launch))
            case 8:
                // An inspection pins nothing.
                (place, value) = ("flag session", flags.pinned.$session.resolution().value)
                isPinning = seen[place] != nil
            default: #expect(flags.pinned.$launch.explain().value.description.contains(user))
            }
            guard !place.isEmpty else { continue }
            #expect(value.hasPrefix("\(user) "), "seed \(seed), step \(step): \(place) = \(value) for \(user)")
            guard isPinning else { continue }
            #expect(value == seen[place] ?? value, "seed \(seed), step \(step): \(place) for \(user)")
            seen[place] = value
        }
    }
}
