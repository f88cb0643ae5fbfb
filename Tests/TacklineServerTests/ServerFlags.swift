import Foundation
import Synchronization
import TacklineComposition
import TacklineCore
import TacklineServer
import TacklineTargeting
import Testing

struct ServerFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "The new checkout") var newCheckout: Bool
    @Flag(default: 20, description: "Results on a page") var pageSize: Int
    @Flag(default: "", description: FlagMetadata(description: "A token", tags: ["secret"])) var token: String
    @FlagCollection(description: "A group") var group: Group

    struct Group: FlagCollectionProtocol {
        @Flag(default: false, description: FlagMetadata(description: "Whether", tags: ["secret"])) var hidden: Bool
    }

    static let rules = """
        {"flags": {
            "new_checkout": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                "targeting": {"if": [{"==": [{"var": "plan"}, "gold"]}, "on", "off"]},
                "metadata": {"flagSetId": "shop", "version": "7"}},
            "token": {"state": "ENABLED", "variants": {"live": "s3cr3t"}, "defaultVariant": "live"}}}
        """

    static func provider() throws -> DefinitionsProvider {
        try DefinitionsProvider(FlagDefinitions(json: Data(rules.utf8)), name: "rules", context: .task())
    }
}

/// The arguments of a closure's calls.
final class Told<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
