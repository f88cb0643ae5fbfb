// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses Tackline or runs its tests builds it.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tackline", path: "../..")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "Tackline", package: "tackline"),
                .product(name: "TacklineTargeting", package: "tackline"),
                // It links Swift Testing, which an executable of macOS does not find.
                .product(name: "TacklineTesting", package: "tackline", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)

// Warnings are errors where .ci/run builds, and nowhere else.
if Context.environment["TACKLINE_WARNINGS_AS_ERRORS"] != nil {
    package.targets[0].swiftSettings?.append(.treatAllWarnings(as: .error))
}
