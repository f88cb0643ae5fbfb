import HTTPTypes
import Hummingbird
import Tackline
import TacklineTargeting

/// Who a request is for. In a real server, that is whoever has signed in.
struct UserMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await withEvaluationContext(["targetingKey": .string(request.user)]) { try await next(request, context) }
    }
}

extension Request {
    /// Who it is for, by a header.
    var user: String { HTTPField.Name("X-User").flatMap { headers[$0] } ?? "nobody" }
}

/// What the shop answers: the cheapest products that a search finds.
struct Page: ResponseEncodable {
    var user: String
    var checkout: String
    var button: String
    var results: [Product]

    /// The page for the user of the request. Flags are read where they are used, and one that must not change within a request is
    /// read once.
    init(_ request: Request, _ catalog: Catalog, _ flags: FlagsLoader<ShopFlags>) {
        self.init(request, catalog, checkout: flags.newCheckout, button: flags.buttonColor, pageSize: flags.pageSize)
    }

    /// The same with what the flags have as their defaults, to measure what they cost.
    init(withoutFlags request: Request, _ catalog: Catalog) {
        self.init(request, catalog, checkout: false, button: .green, pageSize: 20)
    }

    private init(_ request: Request, _ catalog: Catalog, checkout: Bool, button: ButtonColor, pageSize: Int) {
        user = request.user
        self.checkout = checkout ? "new" : "old"
        self.button = button.rawValue
        results = catalog.search("tea", limit: pageSize)
    }
}

struct Product: Codable {
    var number: Int
    var name: String
    var cents: Int
}

/// A thousand products in memory; a real shop would ask its database.
struct Catalog {
    private let products: [Product]

    init() {
        let kinds = ["black tea", "green tea", "coffee", "cocoa"]
        products = (0..<1000).map { number in
            Product(number: number, name: "\(kinds[number % 4]) \(number)", cents: 300 + number * 7919 % 900)
        }
    }

    func search(_ word: String, limit: Int) -> [Product] {
        Array(
            products.filter { $0.name.contains(word) }.sorted { ($0.cents, $0.number) < ($1.cents, $1.number) }.prefix(
                limit))
    }
}
