// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "tackline",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Tackline", targets: ["Tackline"]),
        .library(name: "TacklineCore", targets: ["TacklineCore"]),
        .library(name: "TacklineTargeting", targets: ["TacklineTargeting"]),
        .library(name: "TacklineBrowser", targets: ["TacklineBrowser"]),
        .library(name: "TacklineWeb", targets: ["TacklineWeb"]),
        .library(name: "TacklineSwiftUI", targets: ["TacklineSwiftUI"]),
        .library(name: "TacklineTerminal", targets: ["TacklineTerminal"]),
        .library(name: "TacklineTesting", targets: ["TacklineTesting"]),
        .executable(name: "tackline", targets: ["TacklineCLI"]),
        .executable(name: "tour", targets: ["Tour"]),
        .executable(name: "region-defaults", targets: ["RegionDefaults"]),
        .executable(name: "rollout", targets: ["Rollout"]),
        .executable(name: "environments", targets: ["Environments"]),
        .executable(name: "console", targets: ["Console"]),
    ],
    // What needs a third-party package sits behind a trait that is off unless asked for, so that nobody else resolves it.
    traits: [
        .trait(name: "CommandLine", description: "The command-line tool, on swift-argument-parser and FlyingFox"),
        .trait(name: "Web", description: "The flag browser as a web page, on FlyingFox"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // The core and the umbrella.
        .target(name: "TacklineCore"),
        .target(
            name: "Tackline",
            dependencies: [
                "TacklineCore", "TacklineMemory", "TacklineLocal", "TacklineRemoteJSON", "TacklineComputed",
                "TacklineUserDefaults", "TacklineEnvironment", "TacklineOverrides", "TacklineClosure",
            ]
        ),

        // The built-in providers: public API of the core only.
        .target(name: "TacklineMemory", dependencies: ["TacklineCore"], path: "Providers/Memory"),
        .target(name: "TacklineLocal", dependencies: ["TacklineCore"], path: "Providers/Local"),
        .target(name: "TacklineRemoteJSON", dependencies: ["TacklineCore"], path: "Providers/RemoteJSON"),
        .target(name: "TacklineComputed", dependencies: ["TacklineCore"], path: "Providers/Computed"),
        .target(name: "TacklineUserDefaults", dependencies: ["TacklineCore"], path: "Providers/UserDefaults"),
        .target(name: "TacklineEnvironment", dependencies: ["TacklineCore"], path: "Providers/Environment"),
        .target(name: "TacklineOverrides", dependencies: ["TacklineCore"], path: "Providers/Overrides"),
        .target(name: "TacklineClosure", dependencies: ["TacklineCore"], path: "Providers/Closure"),

        // Rules and gradual rollout, without input or output.
        .target(name: "TacklineTargeting", dependencies: ["TacklineCore"]),

        // The flag browser without a face.
        .target(name: "TacklineBrowser", dependencies: ["TacklineCore", "TacklineOverrides"]),

        // Views: type-checked against stubs where there is no SwiftUI.
        .target(name: "TacklineSwiftUI", dependencies: ["TacklineCore", "TacklineBrowser"]),

        // The flag browser in a terminal.
        .target(name: "TacklineTerminal", dependencies: ["TacklineBrowser", "TacklineCore"]),

        // The flag browser as a web page.
        .target(
            name: "TacklineWeb",
            dependencies: [
                "TacklineBrowser", "TacklineCore",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Web"])),
            ]
        ),

        // For users' tests. The server is apart, for programs that must not link Swift Testing.
        .target(name: "TacklineLoopback"),
        .target(name: "TacklineTesting", dependencies: ["TacklineCore", "TacklineLoopback"]),

        // The command-line tool.
        .executableTarget(
            name: "TacklineCLI",
            dependencies: [
                "TacklineCore", "TacklineLocal", "TacklineTargeting",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"])),

                // What serves, watches and browses.
                "TacklineRemoteJSON", "TacklineBrowser", "TacklineTerminal",
                .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["CommandLine"])),
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["CommandLine"])),
            ]
        ),

        // The guides. Nothing depends on it.
        .target(
            name: "TacklineGuides",
            dependencies: [
                "Tackline", "TacklineCore", "TacklineMemory", "TacklineLocal", "TacklineRemoteJSON", "TacklineComputed",
                "TacklineUserDefaults", "TacklineEnvironment", "TacklineOverrides", "TacklineClosure",
                "TacklineTargeting", "TacklineTesting", "TacklineBrowser", "TacklineSwiftUI",
            ],
            path: "Docs",
            exclude: ["Fuzzing.md", "RemoteJSONMeasurements.md"]),

        // Examples.
        .executableTarget(
            name: "Tour", dependencies: ["Tackline", "TacklineLoopback"], path: "Examples/Tour",
            exclude: ["expected.txt"]),
        .executableTarget(
            name: "RegionDefaults", dependencies: ["Tackline"], path: "Examples/RegionDefaults",
            exclude: ["expected.txt"]),
        .executableTarget(
            name: "Rollout", dependencies: ["Tackline", "TacklineTargeting"], path: "Examples/Rollout",
            exclude: ["expected.txt"]),
        .executableTarget(
            name: "Environments", dependencies: ["Tackline", "TacklineLoopback"], path: "Examples/Environments",
            exclude: ["expected.txt"]),

        .executableTarget(
            name: "Console",
            dependencies: ["Tackline", "TacklineBrowser", "TacklineLoopback", "TacklineTargeting", "TacklineWeb"],
            path: "Examples/Console", exclude: ["expected.txt"]),

        // Tests.

        .target(name: "CTestWidth", path: "Tests/Support/CTestWidth"),
        .target(name: "TacklineTestSupport", dependencies: ["CTestWidth"], path: "Tests/Support/TacklineTestSupport"),

        .testTarget(
            name: "TacklineTests",
            dependencies: ["Tackline", "TacklineTargeting", "TacklineTesting", "TacklineTestSupport"]),

        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .target(name: "CMutexAnnotations", path: "Tests/CMutexAnnotations"),
        .testTarget(
            name: "TacklineCoreTests",
            dependencies: [
                "TacklineCore", "TacklineMemory", "TacklineComputed", "TacklineTesting", "TacklineTestSupport",
                "CAllocationCounter", "CMutexAnnotations",
            ]
        ),

        .testTarget(name: "LayeringTests", dependencies: ["TacklineTestSupport"]),

        .testTarget(
            name: "TacklineOverridesTests",
            dependencies: [
                "TacklineOverrides", "TacklineCore", "TacklineMemory", "TacklineLocal", "TacklineTesting",
                "TacklineTestSupport",
            ]
        ),

        .testTarget(
            name: "TacklineTargetingTests",
            dependencies: [
                "TacklineTargeting", "TacklineCore", "TacklineLocal", "TacklineRemoteJSON", "TacklineOverrides",
                "TacklineTesting", "TacklineTestSupport", "CAllocationCounter",
            ]
        ),

        .testTarget(
            name: "TacklineClosureTests",
            dependencies: [
                "TacklineClosure", "TacklineCore", "TacklineMemory", "TacklineTesting", "TacklineTestSupport",
                "CMutexAnnotations",
            ]
        ),

        .executableTarget(name: "LocalWriter", dependencies: ["TacklineLocal"], path: "Tests/Support/LocalWriter"),
        .testTarget(
            name: "TacklineLocalTests",
            dependencies: ["TacklineLocal", "LocalWriter", "TacklineTesting", "TacklineTestSupport"]
        ),
        .testTarget(
            name: "TacklineEnvironmentTests",
            dependencies: ["TacklineEnvironment", "TacklineMemory", "TacklineTesting", "TacklineTestSupport"]
        ),
        .testTarget(
            name: "TacklineUserDefaultsTests",
            dependencies: ["TacklineUserDefaults", "TacklineTesting", "TacklineTestSupport"]),

        .target(name: "CHeapFigures", path: "Tests/CHeapFigures"),
        .executableTarget(
            name: "RemoteJSONProbe",
            dependencies: [
                "TacklineRemoteJSON", "TacklineCore", "TacklineLoopback", "CMutexAnnotations", "CHeapFigures",
            ],
            path: "Tests/RemoteJSONProbe"
        ),
        .testTarget(
            name: "TacklineRemoteJSONTests",
            dependencies: [
                "TacklineRemoteJSON", "TacklineCore", "TacklineMemory", "TacklineTesting", "TacklineTestSupport",
                "CMutexAnnotations",
            ]),

        .testTarget(
            name: "TacklineCLITests",
            dependencies: [
                "TacklineCLI", "TacklineCore", "TacklineTargeting", "TacklineRemoteJSON", "TacklineBrowser",
                "TacklineLoopback", "TacklineTestSupport",
            ]
        ),

        .testTarget(
            name: "TacklineTerminalTests",
            dependencies: [
                "TacklineTerminal", "TacklineBrowser", "TacklineCore", "TacklineMemory", "TacklineTestSupport",
            ]),

        .testTarget(
            name: "TacklineSwiftUITests",
            dependencies: [
                "TacklineSwiftUI", "TacklineBrowser", "TacklineCore", "TacklineMemory", "TacklineTestSupport",
            ]
        ),
        .testTarget(name: "TacklineLoopbackTests", dependencies: ["TacklineLoopback", "TacklineTestSupport"]),
        .testTarget(
            name: "TacklineBrowserTests",
            dependencies: [
                "TacklineBrowser", "TacklineCore", "TacklineMemory", "TacklineLocal", "TacklineOverrides",
                "TacklineTesting", "TacklineTestSupport", "CMutexAnnotations",
            ]
        ),
        .testTarget(
            name: "TacklineWebTests",
            dependencies: [
                "TacklineWeb", "TacklineBrowser", "TacklineCore", "TacklineMemory", "TacklineTestSupport",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Web"])),
            ]),
        .testTarget(
            name: "TacklineTestingTests",
            dependencies: [
                "TacklineTesting", "TacklineCore", "TacklineMemory", "TacklineComputed", "TacklineTestSupport",
            ]
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

// What builds the documentation is resolved only by those who ask for it.
if Context.environment["TACKLINE_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
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

// TACKLINE_TESTS=TacklineCoreTests,LayeringTests builds the tests of these modules only: what a change to one module needs.
if let names = Context.environment["TACKLINE_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
