// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "tackline",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Tackline", targets: ["Tackline"]),
        .library(name: "TacklineCore", targets: ["TacklineCore"]),
        .library(name: "TacklineTesting", targets: ["TacklineTesting"]),
        .executable(name: "tour", targets: ["Tour"]),
        .executable(name: "region-defaults", targets: ["RegionDefaults"]),
    ],
    targets: [
        // The core and the umbrella.
        .target(name: "TacklineCore"),
        .target(
            name: "Tackline",
            dependencies: [
                "TacklineCore", "TacklineMemory", "TacklineLocal", "TacklineRemoteJSON", "TacklineComputed",
            ]
        ),

        // The built-in providers: public API of the core only.
        .target(name: "TacklineMemory", dependencies: ["TacklineCore"], path: "Providers/Memory"),
        .target(name: "TacklineLocal", dependencies: ["TacklineCore"], path: "Providers/Local"),
        .target(name: "TacklineRemoteJSON", dependencies: ["TacklineCore"], path: "Providers/RemoteJSON"),
        .target(name: "TacklineComputed", dependencies: ["TacklineCore"], path: "Providers/Computed"),

        // For users' tests.
        .target(name: "TacklineTesting", dependencies: ["TacklineCore"]),

        // Examples.
        .executableTarget(name: "Tour", dependencies: ["Tackline", "TacklineTesting"], path: "Examples/Tour"),
        .executableTarget(name: "RegionDefaults", dependencies: ["Tackline"], path: "Examples/RegionDefaults"),

        // Tests.
        .testTarget(name: "TacklineCoreTests", dependencies: ["TacklineCore", "TacklineMemory", "TacklineComputed"]),
        .testTarget(name: "TacklineLocalTests", dependencies: ["TacklineLocal"]),
        .testTarget(
            name: "TacklineTestingTests",
            dependencies: ["TacklineTesting", "TacklineCore", "TacklineMemory", "TacklineComputed"]
        ),
        .executableTarget(
            name: "RemoteJSONProbe",
            dependencies: ["TacklineRemoteJSON", "TacklineCore", "TacklineTesting"],
            path: "Tests/RemoteJSONProbe"
        ),
        .testTarget(
            name: "TacklineRemoteJSONTests",
            dependencies: ["TacklineRemoteJSON", "TacklineCore", "TacklineMemory", "TacklineTesting"]
        ),
    ]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]
}

// FUZZ=1 adds the fuzzers, see Docs/Fuzzing.md. They need unsafe flags, which must not reach those who depend on us.
if Context.environment["FUZZ"] != nil {
    for target in package.targets where target.type == .regular {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
    }
    for (name, dependency) in [("FuzzJSON", "TacklineCore"), ("FuzzEventStream", "TacklineRemoteJSON")] {
        package.targets.append(
            .executableTarget(
                name: name,
                dependencies: [.target(name: dependency)],
                path: "Tests/Fuzzing/\(name)",
                swiftSettings: [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])],
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
            )
        )
    }
}
