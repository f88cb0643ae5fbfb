import TacklineBrowser
import TacklineCore
import TacklineComposition

// What the guide "Browsing flags" shows, so that it is run.

struct CheckoutFlags: FlagCollectionProtocol {
    @Flag(default: false, description: FlagMetadata(description: "The checkout in two steps", owner: "payments-team"))
    var newCheckout: Bool

    @Flag(default: 3, description: "How often a payment is tried")
    var attempts: UInt8
}

/// What the samples need.
struct BrowserSamples {
    let userFlags: FlagsLoader<CheckoutFlags>
    let searchFlags: FlagsLoader<SearchFlags>
    private(set) var lines: [String] = []

    init(providers: [any FlagProvider]) {
        userFlags = FlagsLoader(
            environment: .nonProduction, providers: providers, issueReporter: .silent)
        searchFlags = FlagsLoader(
            environment: .nonProduction, providers: providers, issueReporter: .silent)
    }

    private mutating func print(_ items: Any...) {
        lines.append(items.map { "\($0)" }.joined(separator: " "))
    }

    func making() -> FlagsBrowser {
        let browser = FlagsBrowser(userFlags, searchFlags)
        return browser
    }

    mutating func seeing(_ browser: FlagsBrowser) -> [FlagsBrowserFlag] {
        let snapshot = browser.snapshot()
        for flag in snapshot.flags {
            print(flag.key, flag.value, "from", flag.source, "because", flag.reason)
            for answer in flag.answers { print("  ", answer.provider, answer.value?.text ?? "no value") }
        }
        var filter = FlagsBrowserFilter(text: "checkout payments-team")
        filter.isOverridden = true
        filter.controls = [.toggle]
        let found = snapshot.flags(matching: filter)
        return found
    }

    mutating func editing(_ browser: FlagsBrowser) async throws {
        let attempts = "CheckoutFlags:attempts"
        let edit = FlagsBrowserCommand.set(flag: attempts, to: .text("5"))
        print(try browser.preview(edit).message)
        try await browser.perform(edit)
        try await browser.perform(.undo())
        do {
            try await browser.perform(.set(flag: attempts, to: .text("many")))
        } catch {
            print(error.message)  // Flag "attempts" was not written: expected an integer from 0 to 255, found "many". …
        }
    }

    func following(_ browser: FlagsBrowser, draw: (FlagsBrowserSnapshot) -> Void) async {
        for await _ in browser.updates() { draw(browser.snapshot()) }
    }
}
