// swift-tools-version: 6.2
import PackageDescription

// The recipes for vendors' SDKs, tested with stand-ins. They have the names of the SDKs, so that the samples of the guide,
// which the script samples puts among the tests, are compiled as they stand. In the package itself these names would be in the way of those who use an SDK.
let vendors = ["ConfigCat", "FirebaseRemoteConfig", "LaunchDarkly", "Vexil"]
// Crash reporters, which the guide on flags in crash reports shows.
let reporters = ["Bugsnag", "FirebaseCrashlytics", "Sentry"]

let package = Package(
    name: "vendors",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tackline", path: "../..")],
    targets: (vendors + reporters).map { .target(name: $0, swiftSettings: [.swiftLanguageMode(.v5)]) } + [
        .testTarget(
            name: "VendorTests",
            dependencies: (vendors + reporters).map { .target(name: $0) } + [
                .product(name: "Tackline", package: "tackline")
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ]
)
