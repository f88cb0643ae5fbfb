import Foundation
import TacklineCLibrary

// Foundation: the bundle has the app's version, and `ProcessInfo` and `Locale` have the system's.

extension EvaluationContext.DeviceAttribute {
    /// The value that the system has for the attribute; `nil` if it has none. The identifier of the installation is not
    /// the system's.
    var systemValue: String? {
        switch self {
        case .appVersion: return Self.bundleText("CFBundleShortVersionString")
        case .appBuild: return Self.bundleText("CFBundleVersion")
        case .systemName: return Self.system
        case .systemVersion:
            let version = ProcessInfo.processInfo.operatingSystemVersion
            return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        case .deviceModel: return Self.model
        case .locale: return Locale.current.identifier(.bcp47)
        case .installationID: return nil
        }
    }

    private static func bundleText(_ key: String) -> String? {
        Bundle.main.object(forInfoDictionaryKey: key) as? String
    }

    private static var system: String {
        #if os(macOS) || targetEnvironment(macCatalyst)
            return "macOS"
        #elseif os(iOS)
            return "iOS"
        #elseif os(tvOS)
            return "tvOS"
        #elseif os(watchOS)
            return "watchOS"
        #elseif os(visionOS)
            return "visionOS"
        #elseif os(Android)
            return "Android"
        #else
            return "Linux"
        #endif
    }

    private static var model: String? {
        #if targetEnvironment(simulator)
            return ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
        #elseif os(macOS) || targetEnvironment(macCatalyst)
            return systemText("hw.model")
        #elseif canImport(Darwin)
            return systemText("hw.machine")
        #else
            return nil
        #endif
    }

    #if canImport(Darwin)
        private static func systemText(_ name: String) -> String? {
            var count = 0
            guard sysctlbyname(name, nil, &count, nil, 0) == 0, count > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            guard sysctlbyname(name, &bytes, &count, nil, 0) == 0 else { return nil }
            let text = String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : text
        }
    #endif
}
