// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "tackline",
    defaultLocalization: "en",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    traits: [
        .trait(name: "CommandLine", description: "The command-line tool, with swift-argument-parser and FlyingFox"),
        .trait(name: "Configuration", description: "Values from swift-configuration, and for it"),
        .trait(name: "Logging", description: "Issues in the log of swift-log"),
        .trait(name: "Metrics", description: "Refreshes and resolved values for swift-metrics"),
        .trait(name: "OpenFeature", description: "Flags for OpenFeature's client, and from its providers"),
        .trait(name: "ServiceLifecycle", description: "Providers as services of swift-service-lifecycle"),
        .trait(name: "Signing", description: "Signed documents where there is no CryptoKit, with swift-crypto"),
        .trait(name: "Tracing", description: "Resolved values and exposures for swift-distributed-tracing"),
        .trait(name: "Web", description: "The flag browser as a web page, with FlyingFox"),
    ],
    // Each is behind a trait that is off by default. A package that uses no trait resolves none of them.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/open-feature/swift-sdk", .upToNextMinor(from: "0.6.0")),
    ]
)

// MARK: Products

for name in [
    // Servers, rules, and what watches over a chain.
    "RemoteJSON", "OFREP", "Targeting", "Signing", "LaunchGuard", "Usage",
    // The flag browser and its user interfaces.
    "Browser", "SwiftUI", "Web",
    // Tools and tests, RealFlags, and other packages.
    "Manifest", "Testing", "RealFlags", "Configuration", "OpenFeature", "Server",
    // For packages of providers.
    "Core",
] {
    package.products.append(.library(name: "Tackline\(name)", targets: ["Tackline\(name)"]))
}
package.products += [
    // Flags, loaders and every provider that needs no network.
    .library(name: "Tackline", targets: ["Tackline"]),
    // The tool is not called `tackline`: macOS takes that name and the module's for the same.
    .executable(name: "tackline-tool", targets: ["TacklineCLI"]),
    .executable(name: "tour", targets: ["Tour"]),
    .plugin(name: "TacklinePlugin", targets: ["TacklinePlugin"]),
]

// MARK: Modules

let withoutNetwork = ["Memory", "Closure", "Environment", "Local", "Overrides", "UserDefaults"]

let bases = ["TacklineCLibrary", "TacklineFoundation"]  // For all others: each has one name on every system.
for name in bases { module(name) }
module("TacklineCore")
module("TacklineComposition", uses: ["TacklineCore"])
// Files on disk, for the modules that keep any.
module("TacklineFiles", uses: ["TacklineCore"])
let base: [Target.Dependency] = ["TacklineComposition", "TacklineCore"]
for name in withoutNetwork { module("Tackline\(name)", at: "Providers/\(name)", uses: base + ["TacklineFiles"]) }
module("Tackline", uses: base + modules(of: withoutNetwork))

module(
    "TacklineRemoteJSON", at: "Providers/RemoteJSON",
    uses: [
        "TacklineCore", "TacklineFiles", "TacklineSigning",
        .target(name: "CTacklineCurl", condition: .when(platforms: [.linux, .android])),
    ],
    exclude: ["CTacklineCurl"])
module("CTacklineCurl", at: "Providers/RemoteJSON/CTacklineCurl")
module("TacklineOFREP", at: "Providers/OFREP", uses: ["TacklineRemoteJSON", "TacklineTargeting"])
module("TacklineTargeting", uses: ["TacklineCore", "TacklineFiles"])
module("TacklineSigning", uses: ["TacklineCore", crypto])
module("TacklineLaunchGuard", uses: ["TacklineComposition", "TacklineFiles"])
module("TacklineUsage", at: "Providers/Usage", uses: ["TacklineCore", "TacklineFiles"])

module("TacklineBrowser", uses: ["TacklineComposition", "TacklineOverrides"])
module("TacklineSwiftUI", uses: ["TacklineBrowser", "TacklineComposition"])
module(
    "TacklineWeb",
    uses: base + [
        "TacklineBrowser", .trait("Web", of: "FlyingFox", "FlyingFox"), .trait("Web", of: "FlyingFox", "FlyingSocks"),
        .target(name: "CTacklineWebPage", condition: .when(traits: ["Web"])),
    ],
    exclude: ["Page"])
// The page is in the program as text: C can embed files, which resources and Swift can't without a bundle.
module("CTacklineWebPage", at: "Sources/TacklineWeb/Page", exclude: ["Files"])

module("TacklineManifest", uses: ["TacklineCore", "TacklineFiles"])
module("TacklineTesting", uses: ["TacklineCore"])
module("TacklineRealFlags", uses: ["TacklineFiles", "TacklineLocal"])
module(
    "TacklineConfiguration",
    uses: ["TacklineClosure", "TacklineManifest", .trait("Configuration", of: "swift-configuration")])
module("TacklineOpenFeature", uses: ["TacklineManifest", "TacklineTargeting", .trait("OpenFeature", of: "swift-sdk")])
module(
    "TacklineServer",
    uses: [
        "TacklineComposition", "TacklineRemoteJSON", "TacklineTargeting", .trait("Logging", of: "swift-log"),
        .trait("Metrics", of: "swift-metrics", "CoreMetrics"), .trait("Tracing", of: "swift-distributed-tracing"),
        .trait("ServiceLifecycle", of: "swift-service-lifecycle"),
    ])

// MARK: Programs

// Without its trait the tool is empty, so the plugin costs a package that doesn't use it nothing.
let toolModules = [
    "CLibrary", "Core", "Files", "Local", "Manifest", "RemoteJSON", "Signing", "Targeting", "Usage",
]
program(
    "TacklineCLI", at: "Sources/TacklineCLI",
    uses: toolModules.map { .target(name: "Tackline\($0)", condition: .when(traits: ["CommandLine"])) } + [
        .trait("CommandLine", of: "swift-argument-parser", "ArgumentParser"),
        .trait("CommandLine", of: "FlyingFox", "FlyingFox"), .trait("CommandLine", of: "FlyingFox", "FlyingSocks"),
    ],
    exclude: ["install"])
package.targets.append(
    .plugin(
        name: "TacklinePlugin",
        capability: .command(
            intent: .custom(verb: "tackline", description: "Checks, changes and compares files of feature flags.")),
        dependencies: ["TacklineCLI"], path: "Sources/TacklinePlugin"))

for (name, uses) in [
    ("Tour", ["Loopback", "RemoteJSON"]),
    ("RegionDefaults", []),
    ("Rollout", ["Targeting"]),
    ("Console", ["LaunchGuard", "Loopback", "RemoteJSON", "Targeting", "Web"]),
] {
    program(name, at: "Examples/\(name)", uses: ["Tackline"] + modules(of: uses), exclude: ["expected.txt"])
}
program(
    "Follower", at: "Examples/Publishing/App",
    uses: ["Tackline"] + modules(of: ["RemoteJSON", "Signing", "Targeting"]))

// MARK: Tests

module("TacklineTestSupport", at: "Tests/Support/TacklineTestSupport", uses: ["TacklineCore", "CTestProcess"])
// A web server on 127.0.0.1, for tests and examples.
module("TacklineLoopback", at: "Tests/Support/TacklineLoopback", uses: ["TacklineCore"])
for name in ["CAllocationCounter", "CStepKiller", "CTestProcess"] { module(name, at: "Tests/Support/\(name)") }
// Programs that tests run as processes of their own.
program("LocalWriter", at: "Tests/Support/LocalWriter", uses: ["CStepKiller", "TacklineLocal"])
program(
    "LaunchProbe", at: "Tests/Support/LaunchProbe",
    uses: ["CStepKiller", "Tackline"] + modules(of: ["LaunchGuard", "RemoteJSON", "Signing", "Targeting"]))
program("UsageProbe", at: "Tests/Support/UsageProbe", uses: ["CStepKiller", "TacklineMemory", "TacklineUsage"])
program(
    "RemoteJSONProbe", at: "Tests/Support/RemoteJSONProbe", uses: ["TacklineLoopback", "TacklineRemoteJSON"])

tests("Layering")
for name in ["Concurrency", "Core"] { tests("Tackline\(name)", uses: ["CAllocationCounter"]) }
tests("TacklineComposition", uses: ["CAllocationCounter", "TacklineManifest"])
tests("Tackline", uses: ["CAllocationCounter"] + modules(of: ["Manifest", "OFREP", "RemoteJSON", "Targeting"]))
for name in ["Closure", "Environment", "Overrides", "Testing", "UserDefaults"] { tests("Tackline\(name)") }
tests("TacklineLocal", uses: ["LocalWriter", "TacklineFiles"])
tests("TacklineRemoteJSON", uses: ["RemoteJSONProbe", "TacklineFiles", "TacklineRemoteJSON"])
for name in ["Files", "OFREP", "RealFlags", "SwiftUI"] { tests("Tackline\(name)", uses: modules(of: [name])) }
tests("TacklineTargeting", uses: ["CAllocationCounter", "TacklineFiles", "TacklineRemoteJSON", "TacklineTargeting"])
tests("TacklineSigning", uses: ["TacklineRemoteJSON", "TacklineSigning", "TacklineTargeting", crypto])
tests("TacklineLaunchGuard", uses: ["LaunchProbe", "TacklineBrowser", "TacklineLaunchGuard"])
tests("TacklineUsage", uses: ["TacklineUsage", "UsageProbe"])
tests("TacklineBrowser", uses: ["TacklineBrowser", "TacklineTargeting"])

// These are empty without their traits.
tests("TacklineCLI", uses: modules(of: ["CLI", "Files", "Manifest", "RemoteJSON", "Signing", "Usage"]))
tests(
    "TacklineWeb",
    uses: [
        "TacklineWeb", .trait("Web", of: "FlyingFox", "FlyingFox"), .trait("Web", of: "FlyingFox", "FlyingSocks"),
    ])
tests(
    "TacklineConfiguration",
    uses: ["TacklineConfiguration", .trait("Configuration", of: "swift-configuration", "ConfigurationTesting")])
tests(
    "TacklineServer",
    uses: [
        "TacklineServer", .trait("Logging", of: "swift-log"), .trait("Metrics", of: "swift-metrics", "MetricsTestKit"),
        .trait("Tracing", of: "swift-distributed-tracing", "InMemoryTracing"),
        .trait("ServiceLifecycle", of: "swift-service-lifecycle", "ServiceLifecycleTestKit"),
    ])

// MARK: How the lists above are made

extension Target.Dependency {
    /// Returns a dependency that counts only with a trait, by default on the product that has its name.
    static func trait(_ trait: String, of package: String, _ product: String? = nil) -> Target.Dependency {
        .product(name: product ?? trait, package: package, condition: .when(traits: [trait]))
    }
}

/// The algorithms for signed documents. On Apple's systems they are CryptoKit's.
var crypto: Target.Dependency {
    .product(
        name: "Crypto", package: "swift-crypto",
        condition: .when(platforms: [.linux, .android, .windows], traits: ["Signing"]))
}

func modules(of names: [String]) -> [Target.Dependency] { names.map { .target(name: "Tackline\($0)") } }

var settings: [SwiftSetting] {
    let features = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    ]
    // Set in CI only: Xcode's options contradict it, and what is built with it can't be debugged.
    let isCI = Context.environment["TACKLINE_WARNINGS_AS_ERRORS"] != nil
    let atOnce = ["-gnone", "-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2"]
    return [.swiftLanguageMode(.v6)] + features.map { .enableUpcomingFeature($0) }
        + (isCI ? [.treatAllWarnings(as: .error), .unsafeFlags(atOnce)] : [])
}

@MainActor func module(_ name: String, at path: String? = nil, uses: [Target.Dependency] = [], exclude: [String] = []) {
    let uses = uses + (name.hasPrefix("Tackline") && !bases.contains(name) ? bases.map { .target(name: $0) } : [])
    // Apple's privacy manifests and the texts of SwiftUI views are resources of apps. On Linux a resource would link
    // Foundation and a bundle into every program.
    let hasPrivacyManifest = ["TacklineFiles", "TacklineUserDefaults"].contains(name)
    let resources = hasPrivacyManifest ? ["PrivacyInfo.xcprivacy"] : name == "TacklineSwiftUI" ? ["Resources"] : []
    #if os(macOS)
        let takesResources = true
    #else
        let takesResources = Context.environment["TACKLINE_RESOURCES"] != nil
    #endif
    package.targets.append(
        .target(
            name: name, dependencies: uses, path: path, exclude: exclude + (takesResources ? [] : resources),
            resources: takesResources ? resources.map { .process($0) } : [], swiftSettings: settings))
}

@MainActor func program(_ name: String, at path: String, uses: [Target.Dependency], exclude: [String] = []) {
    package.targets.append(
        .executableTarget(name: name, dependencies: uses, path: path, exclude: exclude, swiftSettings: settings))
}

/// Adds the tests of a module, which use `Tackline` and the helpers for tests.
@MainActor func tests(_ name: String, uses: [Target.Dependency] = []) {
    // The tests of a module are compiled by one process, because each of several would expand the macros of all files.
    let atOnce = SwiftSetting.unsafeFlags(["-driver-batch-count", "1"], .when(platforms: [.linux]))
    package.targets.append(
        .testTarget(
            name: "\(name)Tests",
            dependencies: ["Tackline", "TacklineLoopback", "TacklineTesting", "TacklineTestSupport"] + uses,
            swiftSettings: settings + [atOnce]))
}
