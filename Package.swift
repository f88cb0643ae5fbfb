// swift-tools-version: 6.2
import PackageDescription

// Without its trait the tool is empty, and so is what the plugin needs of it.
let ifTool = TargetDependencyCondition.when(traits: ["CommandLine"])

let package = Package(
    name: "tackline",
    defaultLocalization: "en",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Tackline", targets: ["Tackline"]),
        .library(name: "TacklineCore", targets: ["TacklineCore"]),
        .library(name: "TacklineComposition", targets: ["TacklineComposition"]),
        .library(name: "TacklineFormats", targets: ["TacklineFormats"]),
        .library(name: "TacklineManifest", targets: ["TacklineManifest"]),
        .library(name: "TacklineSigning", targets: ["TacklineSigning"]),

        // The providers, each on its own. `Tackline` has those that touch nothing outside of the program.
        .library(name: "TacklineMemory", targets: ["TacklineMemory"]),
        .library(name: "TacklineLocal", targets: ["TacklineLocal"]),
        .library(name: "TacklineRemoteJSON", targets: ["TacklineRemoteJSON"]),
        .library(name: "TacklineUserDefaults", targets: ["TacklineUserDefaults"]),
        .library(name: "TacklineEnvironment", targets: ["TacklineEnvironment"]),
        .library(name: "TacklineOverrides", targets: ["TacklineOverrides"]),
        .library(name: "TacklineClosure", targets: ["TacklineClosure"]),
        .library(name: "TacklineLaunchGuard", targets: ["TacklineLaunchGuard"]),
        .library(name: "TacklineRecording", targets: ["TacklineRecording"]),
        .library(name: "TacklineShadow", targets: ["TacklineShadow"]),
        .library(name: "TacklineOFREP", targets: ["TacklineOFREP"]),

        // For those who come from RealFlags.
        .library(name: "TacklineRealFlags", targets: ["TacklineRealFlags"]),

        // In the company of other packages, each behind a trait: settings; logs, metrics, traces and services.
        .library(name: "TacklineConfiguration", targets: ["TacklineConfiguration"]),
        .library(name: "TacklineServer", targets: ["TacklineServer"]),

        .library(name: "TacklineTargeting", targets: ["TacklineTargeting"]),
        .library(name: "TacklineBrowser", targets: ["TacklineBrowser"]),
        .library(name: "TacklineWeb", targets: ["TacklineWeb"]),
        .library(name: "TacklineSwiftUI", targets: ["TacklineSwiftUI"]),
        .library(name: "TacklineTerminal", targets: ["TacklineTerminal"]),
        .library(name: "TacklineTesting", targets: ["TacklineTesting"]),
        .library(name: "TacklineLoopback", targets: ["TacklineLoopback"]),
        // Not `tackline`: macOS takes a folder of that name and one called Tackline, the module's, for the same.
        .executable(name: "tackline-tool", targets: ["TacklineCLI"]),
        .executable(name: "tour", targets: ["Tour"]),
        // `swift package tackline …` in packages that depend on this one with the trait CommandLine.
        .plugin(name: "TacklinePlugin", targets: ["TacklinePlugin"]),
    ],
    // What needs a third-party package sits behind a trait that is off unless asked for, so that nobody else resolves it.
    traits: [
        .trait(
            name: "AsyncHTTPClient",
            description: "Remote documents by AsyncHTTPClient, for servers that have it already"),
        .trait(name: "CommandLine", description: "The command-line tool, on swift-argument-parser and FlyingFox"),
        .trait(name: "Configuration", description: "Values from swift-configuration, and for it"),
        .trait(name: "Logging", description: "Issues in the log of swift-log"),
        .trait(name: "Metrics", description: "Refreshes and evaluations for swift-metrics"),
        .trait(name: "ServiceLifecycle", description: "What runs behind flags as a service of swift-service-lifecycle"),
        .trait(name: "Signing", description: "Signed documents where there is no CryptoKit, on swift-crypto"),
        .trait(name: "Tracing", description: "Evaluations and exposures for swift-distributed-tracing"),
        .trait(name: "Web", description: "The flag browser as a web page, on FlyingFox"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.25.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    ],
    targets: [
        // The core and the umbrella.
        .target(name: "TacklineCore"),

        // Enum features, configurations in code, deployment environments, priorities, live and local mode.
        .target(name: "TacklineComposition", dependencies: ["TacklineCore"]),
        .target(
            name: "Tackline",
            dependencies: [
                "TacklineClosure", "TacklineComposition", "TacklineCore", "TacklineMemory",
            ]
        ),

        // JSON and property lists: what providers of files and servers share.
        .target(name: "TacklineFormats", dependencies: ["TacklineCore"]),

        // An app's flags, described for tools.
        .target(name: "TacklineManifest", dependencies: ["TacklineCore", "TacklineFormats"]),

        // Whose documents are believed. The algorithm is the system's on Apple's, and elsewhere behind a trait.
        .target(
            name: "TacklineSigning",
            dependencies: [
                "TacklineCore", "TacklineFormats",
                .product(
                    name: "Crypto", package: "swift-crypto",
                    condition: .when(platforms: [.linux, .android, .windows], traits: ["Signing"])),
            ]),

        // The built-in providers: public API of the core only.
        .target(name: "TacklineMemory", dependencies: ["TacklineCore"], path: "Providers/Memory"),
        .target(
            name: "TacklineLocal", dependencies: ["TacklineCore", "TacklineFormats"], path: "Providers/Local"),
        .target(
            name: "TacklineRemoteJSON",
            dependencies: [
                "TacklineCore", "TacklineFormats", "TacklineSigning",
                .target(name: "CTacklineCurl", condition: .when(platforms: [.linux, .android, .windows])),
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client",
                    condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(
                    name: "NIOHTTPCompression", package: "swift-nio-extras",
                    condition: .when(traits: ["AsyncHTTPClient"])),
            ],
            path: "Providers/RemoteJSON", exclude: ["CTacklineCurl"]),
        .target(name: "CTacklineCurl", path: "Providers/RemoteJSON/CTacklineCurl"),
        .target(
            name: "TacklineUserDefaults", dependencies: ["TacklineCore", "TacklineFormats"],
            path: "Providers/UserDefaults"),
        .target(name: "TacklineEnvironment", dependencies: ["TacklineCore"], path: "Providers/Environment"),
        .target(
            name: "TacklineOverrides", dependencies: ["TacklineComposition", "TacklineCore", "TacklineFormats"],
            path: "Providers/Overrides"),
        .target(name: "TacklineClosure", dependencies: ["TacklineCore"], path: "Providers/Closure"),
        .target(
            name: "TacklineLaunchGuard", dependencies: ["TacklineComposition", "TacklineCore", "TacklineFormats"],
            path: "Providers/LaunchGuard"),
        .target(
            name: "TacklineRecording", dependencies: ["TacklineCore", "TacklineFormats"], path: "Providers/Recording"),
        .target(name: "TacklineShadow", dependencies: ["TacklineCore"], path: "Providers/Shadow"),

        // Flags that a server evaluates, by OpenFeature's protocol.
        .target(
            name: "TacklineOFREP",
            dependencies: ["TacklineCore", "TacklineFormats", "TacklineRemoteJSON", "TacklineTargeting"],
            path: "Providers/OFREP"),

        // RealFlags' keys, and the import of what it kept.
        .target(name: "TacklineRealFlags", dependencies: ["TacklineCore", "TacklineFormats", "TacklineLocal"]),

        // What joins other packages. Each trait resolves its own only.
        .target(
            name: "TacklineConfiguration",
            dependencies: [
                "TacklineClosure", "TacklineComposition", "TacklineCore",
                .product(
                    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"])),
            ]),
        .target(
            name: "TacklineServer",
            dependencies: [
                "TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineRemoteJSON", "TacklineTargeting",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ]),

        // Rules and gradual rollout, without input or output.
        .target(name: "TacklineTargeting", dependencies: ["TacklineCore", "TacklineFormats"]),

        // The flag browser without a face.
        .target(
            name: "TacklineBrowser",
            dependencies: ["TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineOverrides"]),

        // Views: type-checked against stubs where there is no SwiftUI.
        .target(
            name: "TacklineSwiftUI",
            dependencies: ["TacklineBrowser", "TacklineComposition", "TacklineCore"]),

        // The flag browser in a terminal.
        .target(name: "TacklineTerminal", dependencies: ["TacklineBrowser", "TacklineCore", "TacklineFormats"]),

        // The flag browser as a web page.
        .target(
            name: "TacklineWeb",
            dependencies: [
                "TacklineBrowser", "TacklineComposition", "TacklineCore",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Web"])),
            ],
            // The program has them as text: see CONTRIBUTING.md.
            exclude: ["Page/Files"]
        ),

        // For users' tests. The server is apart, for programs that must not link Swift Testing.
        .target(name: "TacklineLoopback"),
        .target(name: "TacklineTesting", dependencies: ["TacklineCore", "TacklineLoopback"]),

        // The command-line tool.
        .executableTarget(
            name: "TacklineCLI",
            dependencies: [
                .target(name: "TacklineComposition", condition: ifTool),
                .target(name: "TacklineCore", condition: ifTool), .target(name: "TacklineFormats", condition: ifTool),
                .target(name: "TacklineLocal", condition: ifTool), .target(name: "TacklineManifest", condition: ifTool),
                .target(name: "TacklineRealFlags", condition: ifTool),
                .target(name: "TacklineSigning", condition: ifTool),
                .target(name: "TacklineTargeting", condition: ifTool),
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"])),

                // What serves, watches and browses.
                .target(name: "TacklineRemoteJSON", condition: ifTool),
                .target(name: "TacklineBrowser", condition: ifTool),
                .target(name: "TacklineTerminal", condition: ifTool),
                .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["CommandLine"])),
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["CommandLine"])),
            ]
        ),

        .plugin(
            name: "TacklinePlugin",
            capability: .command(
                intent: .custom(verb: "tackline", description: "Checks, changes and compares files of feature flags.")),
            dependencies: ["TacklineCLI"]),

        // The first example. The others are in Examples/Package.swift, so that nobody builds them who does not run them.
        .executableTarget(
            name: "Tour", dependencies: ["Tackline", "TacklineLocal", "TacklineRemoteJSON", "TacklineLoopback"],
            path: "Examples/Tour", exclude: ["expected.txt"]),

        // The guides: a catalog of documentation has to lie in a target.
        .target(
            name: "TacklineGuides",
            dependencies: [
                "Tackline", "TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineManifest",
                "TacklineMemory", "TacklineLocal", "TacklineRemoteJSON", "TacklineUserDefaults",
                "TacklineEnvironment", "TacklineOverrides", "TacklineClosure", "TacklineTargeting", "TacklineTesting",
                "TacklineBrowser", "TacklineSwiftUI", "TacklineSigning", "TacklineLaunchGuard",
                "TacklineRealFlags", "TacklineRecording", "TacklineShadow", "TacklineOFREP",
            ],
            path: "Docs",
            exclude: ["build", "Architecture.md", "Fuzzing.md", "OFREPRequirements.md", "RemoteJSONMeasurements.md"]),

        // Tests.

        .target(name: "CTestWidth", path: "Tests/Support/CTestWidth"),
        .target(
            name: "TacklineTestSupport", dependencies: ["TacklineCore", "CTestWidth"],
            path: "Tests/Support/TacklineTestSupport"),

        .testTarget(
            name: "TacklineTests",
            dependencies: [
                "Tackline", "TacklineClosure", "TacklineComposition", "TacklineFormats", "TacklineLocal",
                "TacklineManifest", "TacklineOverrides", "TacklineRemoteJSON", "TacklineTargeting", "TacklineTesting",
                "TacklineTestSupport",
            ]),

        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        .target(name: "CMutexAnnotations", path: "Tests/CMutexAnnotations"),
        .testTarget(
            name: "TacklineCoreTests",
            dependencies: [
                "TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineMemory", "TacklineClosure",
                "TacklineTesting",
                "TacklineTestSupport", "CAllocationCounter",
            ]
        ),
        // What Thread Sanitizer looks at: many threads at once, and consumers that come and go.
        .testTarget(
            name: "TacklineConcurrencyTests",
            dependencies: [
                "TacklineCore", "TacklineMemory", "TacklineClosure", "TacklineLocal", "TacklineTesting",
                "TacklineTestSupport", "CAllocationCounter", "CMutexAnnotations",
            ]
        ),
        .testTarget(
            name: "TacklineCompositionTests",
            dependencies: [
                "TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineManifest", "TacklineMemory",
                "TacklineRecording", "TacklineShadow", "TacklineTesting", "TacklineTestSupport", "CAllocationCounter",
            ]
        ),
        .testTarget(
            name: "TacklineSigningTests",
            dependencies: [
                "TacklineSigning", "TacklineCore", "TacklineFormats", "TacklineLocal", "TacklineRemoteJSON",
                "TacklineTesting", "TacklineTestSupport",
                .product(
                    name: "Crypto", package: "swift-crypto",
                    condition: .when(platforms: [.linux, .android, .windows], traits: ["Signing"])),
            ]),

        .testTarget(
            name: "TacklineFormatsTests", dependencies: ["TacklineFormats", "TacklineCore", "TacklineTestSupport"]),

        .testTarget(name: "LayeringTests", dependencies: ["TacklineCore", "TacklineTestSupport"]),

        .testTarget(
            name: "TacklineOverridesTests",
            dependencies: [
                "TacklineOverrides", "TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineMemory",
                "TacklineLocal", "TacklineTesting", "TacklineTestSupport",
            ]
        ),

        .testTarget(
            name: "TacklineTargetingTests",
            dependencies: [
                "TacklineTargeting", "TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineLocal",
                "TacklineRemoteJSON", "TacklineOverrides", "TacklineTesting", "TacklineTestSupport",
                "CAllocationCounter",
            ]
        ),

        .testTarget(
            name: "TacklineClosureTests",
            dependencies: [
                "TacklineClosure", "TacklineComposition", "TacklineCore", "TacklineMemory", "TacklineTesting",
                "TacklineTestSupport",
                "CMutexAnnotations",
            ]
        ),

        .testTarget(
            name: "TacklineVendorTests",
            dependencies: [
                "Tackline", "TacklineClosure", "TacklineLocal", "TacklineRealFlags", "TacklineTesting",
                "TacklineTestSupport",
                // Stand-ins, see below.
                "ConfigCat", "FirebaseRemoteConfig", "LaunchDarkly", "Vexil",
            ]
        ),

        .testTarget(
            name: "TacklineConfigurationTests",
            dependencies: [
                "TacklineConfiguration", "TacklineComposition", "TacklineCore", "TacklineMemory", "TacklineTesting",
                "TacklineTestSupport",
                .product(
                    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"])),
                .product(
                    name: "ConfigurationTesting", package: "swift-configuration",
                    condition: .when(traits: ["Configuration"])),
            ]),

        .testTarget(
            name: "TacklineServerTests",
            dependencies: [
                "TacklineServer", "TacklineComposition", "TacklineCore", "TacklineMemory", "TacklineRemoteJSON",
                "TacklineTargeting", "TacklineTesting", "TacklineTestSupport",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])
                ),
                .product(
                    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ]),
        .testTarget(
            name: "TacklineRecordingTests",
            dependencies: [
                "TacklineRecording", "TacklineShadow", "TacklineCore", "TacklineMemory", "TacklineTesting",
                "TacklineTestSupport",
            ]),
        .testTarget(
            name: "TacklineShadowTests",
            dependencies: [
                "TacklineShadow", "TacklineCore", "TacklineMemory", "TacklineTesting", "TacklineTestSupport",
            ]),
        .testTarget(
            name: "TacklineLaunchGuardTests",
            dependencies: [
                "TacklineLaunchGuard", "TacklineCore", "TacklineFormats", "TacklineLocal", "TacklineMemory",
                "TacklineBrowser", "TacklineOverrides", "TacklineRemoteJSON", "TacklineTesting", "TacklineTestSupport",
                "LaunchProbe",
            ]),

        .testTarget(
            name: "TacklineLocalTests",
            dependencies: [
                "Tackline", "TacklineLocal", "TacklineFormats", "LocalWriter", "TacklineTesting", "TacklineTestSupport",
            ]
        ),
        .testTarget(
            name: "TacklineRealFlagsTests",
            dependencies: [
                "TacklineRealFlags", "TacklineCore", "TacklineFormats", "TacklineLocal", "TacklineMemory",
                "TacklineUserDefaults", "TacklineTestSupport",
            ]
        ),
        .testTarget(
            name: "TacklineEnvironmentTests",
            dependencies: ["TacklineEnvironment", "TacklineMemory", "TacklineTesting", "TacklineTestSupport"]
        ),
        .testTarget(
            name: "TacklineUserDefaultsTests",
            dependencies: ["TacklineUserDefaults", "TacklineTesting", "TacklineTestSupport"]),

        .testTarget(
            name: "TacklineRemoteJSONTests",
            dependencies: [
                "TacklineRemoteJSON", "TacklineCore", "TacklineFormats", "TacklineMemory", "TacklineTesting",
                "TacklineTestSupport",
                "CMutexAnnotations",
            ]),

        .testTarget(
            name: "TacklineOFREPTests",
            dependencies: [
                "TacklineOFREP", "TacklineRemoteJSON", "TacklineTargeting", "TacklineCore", "TacklineFormats",
                "TacklineTesting", "TacklineTestSupport",
            ]),

        .testTarget(
            name: "TacklineCLITests",
            dependencies: [
                "TacklineCLI", "Tackline", "TacklineCore", "TacklineFormats", "TacklineLocal", "TacklineManifest",
                "TacklineTargeting", "TacklineOFREP", "TacklineSigning", "TacklineRemoteJSON", "TacklineBrowser",
                "TacklineLoopback",
                "TacklineTestSupport",
            ]
        ),

        .testTarget(
            name: "TacklineTerminalTests",
            dependencies: [
                "TacklineTerminal", "TacklineBrowser", "TacklineCore", "TacklineMemory", "TacklineTargeting",
                "TacklineTestSupport",
            ]),

        .testTarget(
            name: "TacklineSwiftUITests",
            dependencies: [
                "TacklineSwiftUI", "TacklineBrowser", "TacklineComposition", "TacklineCore", "TacklineLocal",
                "TacklineMemory", "TacklineOverrides", "TacklineTestSupport",
            ]
        ),
        .testTarget(name: "TacklineLoopbackTests", dependencies: ["TacklineLoopback", "TacklineTestSupport"]),
        .testTarget(
            name: "TacklineBrowserTests",
            dependencies: [
                "TacklineBrowser", "TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineMemory",
                "TacklineLocal",
                "TacklineOverrides",
                "TacklineTargeting", "TacklineTesting", "TacklineTestSupport", "CMutexAnnotations",
            ]
        ),
        .testTarget(
            name: "TacklineWebTests",
            dependencies: [
                "TacklineWeb", "TacklineBrowser", "TacklineComposition", "TacklineCore", "TacklineMemory",
                "TacklineTestSupport",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Web"])),
            ]),
        .testTarget(
            name: "TacklineTestingTests",
            dependencies: [
                "TacklineTesting", "TacklineComposition", "TacklineCore", "TacklineFormats", "TacklineMemory",
                "TacklineClosure", "TacklineTargeting", "TacklineTestSupport",
            ]
        ),
    ]
)

// MARK: What is built only where it is asked for

/// A list of names from the environment, `nil` if the variable is not set.
func names(in variable: String) -> [String]? {
    Context.environment[variable]?.split(separator: ",").map(String.init)
}

// TACKLINE_TESTS chooses the tests that are built, and so run:
//
//     (not set)                        those of the core and of the guides' samples: what the README runs
//     TACKLINE_TESTS=all               those of every module
//     TACKLINE_TESTS=others            those of every module that are left out where it is not set
//     TACKLINE_TESTS=TacklineLocalTests,LayeringTests    these modules only: what a change to one module needs
let everydayTests: Set = ["TacklineTests", "TacklineCoreTests"]
let chosenTests = names(in: "TACKLINE_TESTS")
package.targets.removeAll { target in
    guard target.type == .test, chosenTests != ["all"] else { return false }
    if chosenTests == ["others"] { return everydayTests.contains(target.name) }
    return !(chosenTests.map(Set.init) ?? everydayTests).contains(target.name)
}

// What the tests of files do in a process of its own.
if package.targets.contains(where: { $0.name == "TacklineLocalTests" }) {
    package.targets.append(
        .executableTarget(name: "LocalWriter", dependencies: ["TacklineLocal"], path: "Tests/Support/LocalWriter"))
}

// An app that dies, for the tests of what heals it.
if package.targets.contains(where: { $0.name == "TacklineLaunchGuardTests" }) {
    package.targets.append(
        .executableTarget(
            name: "LaunchProbe", dependencies: ["TacklineLaunchGuard", "TacklineLocal"],
            path: "Tests/Support/LaunchProbe"))
}

// What the tests of the remote provider do in a process of its own, and measurements: see Docs/RemoteJSONMeasurements.md.
if package.targets.contains(where: { $0.name == "TacklineRemoteJSONTests" }) {
    package.targets += [
        .target(name: "CHeapFigures", path: "Tests/CHeapFigures"),
        .executableTarget(
            name: "RemoteJSONProbe",
            dependencies: [
                "TacklineRemoteJSON", "TacklineCore", "TacklineLoopback", "CMutexAnnotations", "CHeapFigures",
            ],
            path: "Tests/RemoteJSONProbe"
        ),
    ]
}

// TACKLINE_SIMULATION=1 adds what simulates a million clients of the remote provider: see Docs/RemoteJSONMeasurements.md.
if Context.environment["TACKLINE_SIMULATION"] != nil {
    package.targets.append(
        .executableTarget(
            name: "RemoteJSONSimulation", dependencies: ["TacklineRemoteJSON", "TacklineCore", "TacklineFormats"],
            path: "Tests/RemoteJSONSimulation"))
}

// MARK: How it is built

for target in package.targets where target.type != .plugin {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}

// The plugin wants the tool for the machine that builds, so with the trait a build of everything compiles all of the tool twice. Who
// chooses tests works on this package, and does without.
if Context.environment["TACKLINE_TESTS"] != nil {
    package.targets.removeAll { $0.type == .plugin }
    package.products.removeAll { $0.name == "TacklinePlugin" }
}

// Stand-ins for vendors' SDKs, in the language mode of most of them. They have the names of the SDKs, so that a guide's sample
// is compiled as it stands, and are here for those tests only, since nobody could depend on both otherwise.
if package.targets.contains(where: { $0.name == "TacklineVendorTests" }) {
    for name in ["ConfigCat", "FirebaseRemoteConfig", "LaunchDarkly", "Vexil"] {
        package.targets.append(
            .target(name: name, path: "Tests/Support/Vendors/\(name)", swiftSettings: [.swiftLanguageMode(.v5)]))
    }
}

// Warnings are errors where .ci/run builds, and nowhere else: Xcode and `--build-system swiftbuild` build packages with
// `-suppress-warnings`, which the compiler refuses beside `-warnings-as-errors`.
if Context.environment["TACKLINE_WARNINGS_AS_ERRORS"] != nil {
    for target in package.targets where target.type != .plugin {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}

// The tests of a module are compiled by one process: each of several would expand the macros of all, which takes twice the
// time. No product has a test in it, so these flags reach nobody who depends on us.
for target in package.targets where target.type == .test {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.unsafeFlags(["-driver-batch-count", "1"], .when(platforms: [.linux]))]
}

// Apple's privacy manifests, of what uses an API that Apple wants a reason for. An app takes them along as resources; on
// Linux a resource would cost every program Foundation and a bundle, so they are built there only by those who ask.
let withPrivacyManifest = ["TacklineLocal", "TacklineRemoteJSON", "TacklineUserDefaults"]
#if os(macOS)
    let takesPrivacyManifests = true
#else
    let takesPrivacyManifests = Context.environment["TACKLINE_PRIVACY_MANIFESTS"] != nil
#endif
for target in package.targets where withPrivacyManifest.contains(target.name) {
    if takesPrivacyManifests {
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
    } else {
        target.exclude.append("PrivacyInfo.xcprivacy")
    }
}

// The texts of the flag browser's views, for the same reason only where there are such views.
for target in package.targets where target.name == "TacklineSwiftUI" {
    #if os(macOS)
        target.resources = [.process("Resources")]
    #else
        target.exclude.append("Resources")
    #endif
}

// FUZZ=1 adds the fuzzers, see Docs/Fuzzing.md. They need unsafe flags, which must not reach those who depend on us.
if Context.environment["FUZZ"] != nil {
    for target in package.targets where target.type == .regular {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])]
    }
    package.targets.append(
        .target(
            name: "FuzzDriver", path: "Tests/Fuzzing/FuzzDriver", swiftSettings: [.unsafeFlags(["-sanitize=fuzzer"])]))
    for (name, dependency) in [
        ("FuzzJSON", "TacklineFormats"), ("FuzzEventStream", "TacklineRemoteJSON"), ("FuzzEnvelope", "TacklineSigning"),
        ("FuzzCache", "TacklineRemoteJSON"), ("FuzzHeaders", "TacklineRemoteJSON"),
    ] {
        package.targets.append(
            .executableTarget(
                name: name,
                dependencies: [.target(name: dependency), "FuzzDriver"],
                path: "Tests/Fuzzing/\(name)",
                swiftSettings: [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])],
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
            )
        )
    }
}
