// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody builds a web framework who only looks at the other examples.
let package = Package(
    name: "server",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tackline", path: "../..", traits: ["Logging", "Metrics", "ServiceLifecycle"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.25.0"),
    ],
    targets: [
        .executableTarget(
            name: "Server",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tackline", package: "tackline"),
                .product(name: "TacklineRemoteJSON", package: "tackline"),
                .product(name: "TacklineServer", package: "tackline"),
                .product(name: "TacklineTargeting", package: "tackline"),
            ],
            path: ".",
            exclude: ["Transport", "check", "check-transport", "flags.json", "nginx.conf"]),
        // For servers that have AsyncHTTPClient. This one hasn't, and is built without it: --product Server.
        .target(
            name: "AsyncHTTPTransport",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "TacklineRemoteJSON", package: "tackline"),
            ],
            path: "Transport"),
    ]
)

for target in package.targets {
    target.swiftSettings = [.swiftLanguageMode(.v6)]
    if Context.environment["TACKLINE_WARNINGS_AS_ERRORS"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
