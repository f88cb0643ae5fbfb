// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses Tackline or runs its tests builds it. The first example, Tour, is a part of
// the package above.
let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "region-defaults", targets: ["RegionDefaults"]),
        .executable(name: "rollout", targets: ["Rollout"]),
        .executable(name: "environments", targets: ["Environments"]),
        .executable(name: "console", targets: ["Console"]),
    ],
    traits: [
        .trait(name: "Web", description: "What the console needs: the flag browser as a web page, on FlyingFox")
    ],
    dependencies: [
        .package(name: "tackline", path: "..", traits: [.trait(name: "Web", condition: .when(traits: ["Web"]))])
    ],
    targets: [
        .executableTarget(
            name: "RegionDefaults",
            dependencies: [.product(name: "Tackline", package: "tackline")],
            path: "RegionDefaults",
            exclude: ["expected.txt"]
        ),
        .executableTarget(
            name: "Rollout",
            dependencies: [
                .product(name: "Tackline", package: "tackline"),
                .product(name: "TacklineTargeting", package: "tackline"),
            ],
            path: "Rollout",
            exclude: ["expected.txt"]
        ),
        .executableTarget(
            name: "Environments",
            dependencies: [
                .product(name: "Tackline", package: "tackline"),
                .product(name: "TacklineLocal", package: "tackline"),
                .product(name: "TacklineOverrides", package: "tackline"),
                .product(name: "TacklineRemoteJSON", package: "tackline"),
                .product(name: "TacklineLoopback", package: "tackline"),
            ],
            path: "Environments",
            exclude: ["expected.txt"]
        ),
        .executableTarget(
            name: "Console",
            dependencies: [
                .product(name: "Tackline", package: "tackline"),
                .product(name: "TacklineBrowser", package: "tackline"),
                .product(name: "TacklineEnvironment", package: "tackline"),
                .product(name: "TacklineLocal", package: "tackline"),
                .product(name: "TacklineLoopback", package: "tackline"),
                .product(name: "TacklineOverrides", package: "tackline"),
                .product(name: "TacklineRemoteJSON", package: "tackline"),
                .product(name: "TacklineTargeting", package: "tackline"),
                .product(name: "TacklineUserDefaults", package: "tackline"),
                .product(name: "TacklineWeb", package: "tackline"),
            ],
            path: "Console",
            exclude: ["expected.txt"]
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    if Context.environment["TACKLINE_WARNINGS_AS_ERRORS"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
