import Foundation
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
    private static let users = (1...10_000).map { EvaluationContext(targetingKey: "user-\($0)") }

    static func main() throws {
        let context = CurrentContext()
        let rules = DefinitionsProvider(try definitions(percentage: 0), context: .current(context))
        let restaurant = FlagsLoader(RestaurantFlags.self, providers: [rules])

        var before = try definitions(percentage: 0)
        var guests: Set<Int> = []
        for percentage in [10, 50, 100, 0] {
            let now = try definitions(percentage: percentage)
            print("Reservations for \(percentage) %")
            show(users.count { now.evaluate("reservations", for: $0).value == true })
            let change = RolloutComparison(of: "reservations", from: before, to: now, contexts: users)
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
        let differing = users.count {
            .bool(rollout.includes($0)) != document.evaluate("reservations", for: $0).value
        }
        print("In code and in a document: \(differing) of \(users.count) users differ")
    }

    /// What a team would edit; see the guide "Gradual rollout".
    private static func definitions(percentage: Int) throws -> FlagDefinitions {
        let text = """
            { "flags": { "reservations": {
              "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off",
              "targeting": { "fractional": [["on", \(percentage)], ["off", \(100 - percentage)]] } } } }
            """
        return try FlagDefinitions(json: Data(text.utf8))
    }

    private static func show(_ count: Int) {
        let length = count * 50 / users.count
        print("  |\(String(repeating: "#", count: length) + String(repeating: " ", count: 50 - length))|")
        print("  \(count) of \(users.count) users have them")
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
