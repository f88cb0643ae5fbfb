import Combine
import Foundation
@preconcurrency import OpenFeature
import Synchronization
import Tackline
import TacklineOpenFeature
import TacklineTesting
import Testing

@Suite("A provider of OpenFeature's SDK, in a chain") struct OpenFeatureProviderTests {
    @Test("gives flags of every type their values, with variant, reason and metadata")
    func types() async throws {
        let vendor = Vendor(
            [
                "new_checkout": true, "search": false, "page_size": 50, "level": 7, "ratio": 0.25, "theme": "dark",
                "banner": "sale", "payment": "invoice", "regions": ["de", "fr"],
                "limits": ["perDay": 5, "names": ["x"]], "start": "2026-01-02T03:04:05Z",
            ], { $0.variants["theme"] = "night" })
        let provider = OpenFeatureProvider(await makeAPI(vendor, user: "ada"), for: ShopFlags.self)
        let flags = FlagsLoader(ShopFlags.self, providers: [provider], issueReporter: .failingTest())
        #expect(flags.newCheckout && !flags.search)
        #expect(flags.pageSize == 50 && flags.level == 7 && flags.ratio == 0.25)
        #expect(flags.theme == "dark" && flags.banner == "sale" && flags.payment == .invoice)
        #expect(flags.regions == ["de", "fr"] && flags.limits == Limits(perDay: 5, names: ["x"]))
        #expect(flags.start.timeIntervalSince1970 == 1_767_323_045)
        let resolution = flags.$theme.resolution()
        #expect(resolution.variant == "night" && resolution.reason == .targetingMatch)
        #expect(
            resolution.evaluation?.metadata == ["owner": "shop", "version": 3]
                && resolution.evaluation?.subject == "ada")
        #expect(provider.status == .ready && provider.traits == .live)
    }

    @Test(
        "has no value for a flag that the vendor doesn't have, whether it throws or returns the default it was given",
        arguments: [true, false])
    func absent(throwing: Bool) async {
        let vendor = Vendor(["search": true]) { $0.throwsForAbsent = throwing }
        let provider = OpenFeatureProvider(await makeAPI(vendor), for: ShopFlags.self)
        let behind = MemoryProvider(values: ["new_checkout": true, "page_size": 7, "theme": "green", "ratio": 0.75])
        let flags = FlagsLoader(ShopFlags.self, providers: [provider, behind], issueReporter: .failingTest())
        #expect(flags.newCheckout && flags.pageSize == 7 && flags.theme == "green" && flags.ratio == 0.75)
        #expect(flags.search && flags.banner == nil && flags.limits == Limits())
        for flag in flags.root.allFlags where flag.property != "search" {
            #expect(provider.value(for: flag.keyPath) == nil, "\(flag.keyPath)")
        }
        #expect(provider.value(for: "elsewhere") == nil)
    }

    @Test(
        "gives a value that equals the default it asks with, and asks twice where the reason leaves that open",
        arguments: [Reason.targetingMatch, .defaultReason, nil])
    func fallbacks(reason: Reason?) async {
        let vendor = Vendor(["new_checkout": false, "page_size": 0, "ratio": 0.0, "theme": ""]) {
            $0.throwsForAbsent = false
            $0.reason = reason
        }
        let provider = OpenFeatureProvider(await makeAPI(vendor), for: ShopFlags.self)
        let flags = FlagsLoader(ShopFlags.self, providers: [provider], issueReporter: .failingTest())
        for flag in [flags.$newCheckout.keyPath, flags.$pageSize.keyPath, flags.$ratio.keyPath, flags.$theme.keyPath] {
            #expect(flag.map { provider.value(for: $0) } != .some(nil))
        }
        #expect(vendor.state.withLock { $0.evaluations["theme"] } == (reason == .targetingMatch ? 1 : 2))
        #expect(flags.pageSize == 0 && flags.ratio == 0 && flags.theme == "")
    }

    @Test("reports what the flag refuses, and what the vendor has in another type")
    func refusals() async {
        let issues = Mutex<[FlagError]>([])
        let vendor = Vendor(["level": 300, "theme": true])
        let provider = OpenFeatureProvider(await makeAPI(vendor), for: ShopFlags.self)
        let flags = FlagsLoader(
            ShopFlags.self, providers: [provider],
            issueReporter: FlagIssueReporter { issue in issues.withLock { $0.append(issue) } })
        #expect(flags.level == 1 && flags.theme == "light")
        _ = flags.$theme.explain()
        let seen = issues.withLock { $0 }
        #expect(seen.map(\.code) == [.refusedValue, .openFeatureEvaluation])
        #expect(seen.last?.key == "theme" && seen.last?.message.contains("typeMismatchError") == true)
        #expect("\(flags.$theme.explain())".contains("Correct the") == false)
        #expect(provider.evaluation(for: "theme").errorCode == .typeMismatch)
    }

    @Test("follows events: changed values are announced, those of another vendor too")
    func events() async throws {
        let vendor = Vendor(["page_size": 1])
        let api = await makeAPI(vendor)
        let flags = FlagsLoader(ShopFlags.self, providers: [OpenFeatureProvider(api, for: ShopFlags.self)])
        var values = flags.$pageSize.values.makeAsyncIterator()
        #expect(await values.next(isolation: #isolation) == 1)
        for (number, event) in [
            (2, ProviderEvent.configurationChanged(ProviderEventDetails(flagsChanged: ["page_size"]))), (3, .ready()),
            (4, .contextChanged()), (5, .stale()), (6, .error(ProviderEventDetails(message: "no network"))),
            // Some providers don't know what has changed, or name keys in another form.
            (7, .configurationChanged()), (8, .configurationChanged(ProviderEventDetails(flagsChanged: []))),
            (9, .configurationChanged(ProviderEventDetails(flagsChanged: ["page-size"]))), (10, .contextChanged()),
        ] {
            vendor.state.withLock { $0.values["page_size"] = .integer(Int128(number)) }
            vendor.tracker.send(event)
            #expect(await values.next(isolation: #isolation) == number)
        }
        await api.setProviderAndWait(provider: Vendor(["page_size": 11]))
        #expect(await values.next(isolation: #isolation) == 11)
    }

    @Test(
        "has the status of the vendor's provider, and until that is ready leaves every flag to the next provider, with no issue"
    )
    func status() async throws {
        let vendor = Vendor(["page_size": 1]) { $0.isReady = false }
        let api = OpenFeatureAPI()
        let provider = OpenFeatureProvider(api, for: ShopFlags.self)
        let behind = MemoryProvider(values: ["page_size": 9])
        func expectNothing() {
            let flags = FlagsLoader(ShopFlags.self, providers: [provider, behind], issueReporter: .failingTest())
            #expect(flags.pageSize == 9 && !flags.newCheckout && provider.status == .notReady)
            #expect("\(flags.$pageSize.explain())".contains("not ready"))
        }
        expectNothing()
        await api.setProviderAndWait(provider: vendor)
        expectNothing()
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        var next = notices.makeAsyncIterator()
        vendor.tracker.send(.error(ProviderEventDetails(message: "the key is wrong", errorCode: .providerFatal)))
        #expect(await next.next() == .reset)
        guard case .failed(let error) = provider.status else { Issue.record("\(provider.status)"); return }
        #expect(error.message.contains("the key is wrong.") && error.provider == "OpenFeature")
        vendor.tracker.send(.stale())
        #expect(await next.next() == .reset)
        guard case .stale = provider.status else { Issue.record("\(provider.status)"); return }
        vendor.tracker.send(.ready())
        #expect(await next.next() == .reset)
        #expect(provider.status == .ready)
        withExtendedLifetime(observer) {}
    }

    @Test(
        "asks for another user after the context has changed, whether or not the vendor sends an event",
        arguments: [true, false])
    func contexts(sending: Bool) async {
        let vendor = Vendor(["theme@ada": "dark", "theme@bob": "green"]) { $0.sendsContextEvents = sending }
        let api = await makeAPI(vendor, user: "ada")
        let provider = OpenFeatureProvider(api, for: ShopFlags.self, PinnedFlags.self)
        let flags = FlagsLoader(ShopFlags.self, providers: [provider])
        let pinned = FlagsLoader(PinnedFlags.self, providers: [provider])
        #expect(flags.theme == "dark" && pinned.theme == "dark")
        await provider.setContext(ImmutableContext(targetingKey: "bob"))
        #expect(flags.theme == "green" && pinned.theme == "green")
        #expect(flags.$theme.resolution().evaluation?.subject == "bob")
        for (user, theme) in [("ada", "dark"), ("", "light"), ("bob", "green"), ("ada", "dark")] {
            await provider.setContext(ImmutableContext(targetingKey: user))
            #expect(flags.theme == theme && pinned.theme == theme)
        }
    }

    @Test("evaluates a flag when it is read or inspected, and not before")
    func uses() async {
        let vendor = Vendor(["page_size": 3, "theme": "dark"])
        let api = OpenFeatureAPI()
        let provider = OpenFeatureProvider(api, for: ShopFlags.self)
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        await api.setProviderAndWait(provider: vendor)
        // After the vendor's event no other one is on its way.
        for await notice in notices where notice == .reset { break }
        let flags = FlagsLoader(ShopFlags.self, providers: [provider])
        #expect(vendor.state.withLock { $0.evaluations } == [:])
        for _ in 0..<10 { #expect(flags.pageSize == 3) }
        #expect(vendor.state.withLock { $0.evaluations } == ["page_size": 1])
        _ = flags.$theme.explain()
        #expect(vendor.state.withLock { $0.evaluations } == ["page_size": 1, "theme": 1])
        withExtendedLifetime(observer) {}
    }

    @Test(
        "reports an error of the vendor once, thrown or returned, and again after it was gone",
        arguments: [true, false])
    func failures(throwing: Bool) async {
        let issues = Mutex<[String]>([])
        let vendor = Vendor(["page_size": 3]) { $0.throwsForAbsent = throwing }
        let provider = OpenFeatureProvider(await makeAPI(vendor), for: ShopFlags.self)
        let flags = FlagsLoader(
            ShopFlags.self, providers: [provider],
            issueReporter: FlagIssueReporter { issue in issues.withLock { $0.append(issue.code.name) } })
        for failure in [OpenFeatureError.targetingKeyMissingError, nil, .parseError(message: "a brace")] {
            vendor.state.withLock { $0.failure = failure }
            provider.valuesDidChange()
            #expect(flags.pageSize == (failure == nil ? 3 : 20))
            provider.valuesDidChange()
            _ = flags.pageSize
        }
        #expect(issues.withLock { $0 } == ["openfeature-evaluation", "openfeature-evaluation"])
    }

    @Test("passes the conformance suite")
    func conformance() async {
        var suite = FlagProviderConformance(holding: ["theme": "dark", "page_size": 3, "search": false]) {
            OpenFeatureProvider(
                await makeAPI(
                    Vendor(["theme": "dark", "page_size": 3, "search": false]) { $0.throwsForAbsent = false }),
                for: ShopFlags.self)
        }
        suite.concurrentWrites = 10
        await suite.expectConformance()
    }

    @Test("is released with its subscription", .timeLimit(.minutes(5)))
    func release() async {
        let vendor = Vendor(["page_size": 1])
        let api = await makeAPI(vendor)
        weak var provider: OpenFeatureProvider?
        do {
            let flags = FlagsLoader(ShopFlags.self, providers: [OpenFeatureProvider(api, for: ShopFlags.self)])
            provider = flags.providers.first as? OpenFeatureProvider
            #expect(flags.pageSize == 1 && provider != nil)
        }
        // The SDK may be delivering an event in another thread, and keeps the provider for as long.
        while provider != nil { await Task.yield() }
        vendor.tracker.send(.ready())
    }
}

struct PinnedFlags: FlagCollectionProtocol {
    @Flag(default: "light", updatePolicy: .session) var theme: String
}
