import CoreMetrics
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Tackline
import TacklineRemoteJSON
import TacklineServer
import TacklineTargeting

/// A shop, with flags for each request: see the guide "Using flags on a server".
@main
struct Server {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let port = environment["PORT"].flatMap { Int($0) } ?? 8080
        let address = environment["FLAGS_URL"] ?? "http://127.0.0.1:8642/flags.json"
        guard let url = URL(string: address) else { throw Unusable(address: address) }

        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let textMetrics = TextMetrics()
        MetricsSystem.bootstrap(textMetrics)
        let logger = Logger(label: "shop")

        // Flags: the environment of the process for emergencies, then the document.
        let reporter = FlagIssueReporter.logging(to: logger)
        let exposures = ExposureRecorder()
        var configuration = RemoteJSONProvider.Configuration()
        configuration.pollInterval = .seconds(environment["FLAGS_POLL_SECONDS"].flatMap { Int($0) } ?? 30)
        configuration.log = { logger.info("\($0)") }
        let remote = RemoteJSONProvider(
            url: url, name: "remote", format: .flagd(context: .task(), issueReporter: reporter),
            configuration: configuration)
        let emergency = EnvironmentProvider(prefix: "SHOP")
        let metrics = FlagMetrics()
        let flags = FlagsLoader(
            ShopFlags.self, providers: [emergency, remote], issueReporter: reporter, observers: [metrics, exposures])
        emergency.reportUnknownFlags(in: flags)

        // Pages.
        let catalog = Catalog()
        let router = Router()
        router.get("/plain") { request, _ in Page(withoutFlags: request, catalog) }
        router.get("/health") { _, _ in "\(remote.status)\n" }
        router.get("/metrics") { _, _ in textMetrics.text }
        let shop = router.group()
        shop.add(middleware: UserMiddleware())
        shop.get("/shop") { request, _ in Page(request, catalog, flags) }
        shop.get("/slow") { request, context in
            context.logger.info("a slow request has begun")
            try await Task.sleep(for: .seconds(1))
            return Page(request, catalog, flags)
        }

        // What follows values begins before the server and ends after it.
        var server = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { _ in logger.info("ready on port \(port)") }, logger: logger)
        server.addServices(
            FlagsService(metrics, of: remote), FlagsService(remote),
            FlagsService(exposures) { exposure in
                // The exposures of the experiment go to the log here; else, to whoever analyses it.
                guard exposure.flagKey == "button_color" else { return }
                logger.info("exposure", metadata: ["variant": "\(exposure.variant ?? "none")"])
            })
        server.beforeServerStarts {
            if await !remote.waitUntilReady() { logger.warning("begins without values: \(remote.status)") }
        }
        try await server.runService(gracefulShutdownSignals: [.sigterm, .sigint])
        logger.info("ended")
    }
}

struct Unusable: Error {
    var address: String
}
