import Tackline
import TacklineTargeting

/// What a restaurant's app rolls out.
struct RestaurantFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Book a table in the app")
    var reservations: Bool
}

/// Reservations for 10 %, 50 % and 100 % of 10,000 users, and off again: who gets them, and that nobody flickers.
@main
struct Rollout {
    static func main() throws {
        let context = CurrentContext()
        let rules = DefinitionsProvider(try definitions(percentage: 0), context: .current(context))
        let restaurant = FlagsLoader(RestaurantFlags.self, providers: [rules])

        var before = try definitions(percentage: 0)
        var guests: Set<Int> = []
        for percentage in [10, 50, 100, 0] {
            let now = try definitions(percentage: percentage)
            print("Reservations for \(percentage) %")
            show(RolloutSimulation(of: "reservations", in: now, users: 10_000))
            let change = RolloutComparison(of: "reservations", from: before, to: now, users: 10_000)
            print("  \(change.joining("on")) users join, \(change.leaving("on")) leave")

            // The same through the app's own flags, for a hundred users who come and go, twice each.
            rules.update(now)
            let first = lucky(restaurant, context)
            let second = lucky(restaurant, context)
            let isSteady = first == second ? "the same each time" : "OTHERS each time"
            let isKept = guests.isSubset(of: first) ? "nobody lost them" : "they are taken back"
            print("  in the app: \(first.count) of 100 users, \(isSteady); \(isKept)\n")
            guests = first
            before = now
        }

        // Moving a rollout from code to a document moves nobody.
        let rollout = PercentageRollout(10, of: "reservations")
        let document = try definitions(percentage: 10)
        let differing = RolloutSimulation.syntheticUsers(10_000).filter {
            .bool(rollout.includes($0)) != document.evaluate("reservations", for: $0).value
        }
        print("In code and in a document: \(differing.count) of 10000 users differ")
    }

    /// What a team would edit; see the guide "Gradual rollout".
    private static func definitions(percentage: Int) throws -> FlagDefinitions {
        let text = """
            { "flags": { "reservations": {
              "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off",
              "targeting": { "fractional": [["on", \(percentage)], ["off", \(100 - percentage)]] } } } }
            """
        return try FlagDefinitions(json: Array(text.utf8))
    }

    private static func show(_ simulation: RolloutSimulation) {
        for line in simulation.table.split(separator: "\n") { print("  \(line)") }
        for share in simulation.shares {
            let length = share.count * 50 / max(1, simulation.subjectCount)
            let name = share.variant + String(repeating: " ", count: max(0, 3 - share.variant.count))
            print("  \(name) |\(String(repeating: "#", count: length))")
        }
    }

    /// The numbers of the users whose app offers reservations.
    private static func lucky(_ restaurant: FlagsLoader<RestaurantFlags>, _ context: CurrentContext) -> Set<Int> {
        Set(
            (1...100).filter { number in
                context.set(EvaluationContext(targetingKey: "user-\(number)", attributes: [:]))
                return restaurant.reservations
            })
    }
}
