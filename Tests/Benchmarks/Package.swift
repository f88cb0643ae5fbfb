// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of Tackline and runs of its tests do not build it.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "Peers", description: "swift-configuration beside Tackline: run Peers")],
    dependencies: [
        .package(name: "tackline", path: "../.."),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
    ],
    targets: [
        // What `instructions` counts.
        .executableTarget(name: "FirstLoad", dependencies: tackline()),
        .executableTarget(name: "Instructions", dependencies: tackline("Targeting")),
        .executableTarget(
            name: "Peers",
            dependencies: tackline() + [
                .product(name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Peers"]))
            ]),
        .executableTarget(name: "Benchmarks", dependencies: tackline("Targeting")),
    ]
)

/// Returns the umbrella and other modules of Tackline.
func tackline(_ others: String...) -> [Target.Dependency] {
    ([""] + others).map { .product(name: "Tackline\($0)", package: "tackline") }
}

for target in package.targets {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    // Warnings are errors where .ci/run builds, and nowhere else.
    if Context.environment["TACKLINE_WARNINGS_AS_ERRORS"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
