// swift-tools-version: 6.2
import PackageDescription

// The tests of TacklineOpenFeature. They need OpenFeature's SDK, or the stub of it that CI puts in its place, because the SDK
// needs an Apple system; see .ci/steps/openfeature.
let package = Package(
    name: "openfeature-sdk",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tackline", path: "../..", traits: ["OpenFeature"]),
        .package(url: "https://github.com/open-feature/swift-sdk", .upToNextMinor(from: "0.6.0")),
    ],
    targets: [
        .testTarget(
            name: "OpenFeatureSDKTests",
            dependencies: [
                .product(name: "OpenFeature", package: "swift-sdk"),
                .product(name: "Tackline", package: "tackline"),
                .product(name: "TacklineOpenFeature", package: "tackline"),
                .product(name: "TacklineTargeting", package: "tackline"),
                .product(name: "TacklineTesting", package: "tackline"),
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
