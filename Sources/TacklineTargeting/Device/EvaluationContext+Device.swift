public import Foundation
import TacklineCore

// Foundation: `URL` names the folder of the identifier.

extension EvaluationContext {
    /// An attribute that ``device(installationID:without:)`` gives a context. Rules ask for it by its raw value.
    ///
    /// These are all of them. None is the name of a person or the name of the device, and none is read from hardware
    /// that needs a permission.
    public enum DeviceAttribute: String, CaseIterable, Sendable {
        /// The version of the app that people see, such as `3.2.1`: `CFBundleShortVersionString`.
        case appVersion
        /// The number of the app's build, such as `418`: `CFBundleVersion`.
        case appBuild
        /// The operating system: `iOS` (also on an iPad), `macOS`, `tvOS`, `watchOS`, `visionOS` or `Linux`.
        case systemName
        /// The version of the operating system in three parts, such as `18.2.0`, which `sem_ver` can compare.
        case systemVersion
        /// The model's identifier, such as `iPhone17,1`. In a simulator, it is the simulated model's.
        case deviceModel
        /// The locale that the app uses, such as `de-AT`.
        case locale
        /// The identifier of the installation, also where a log-in replaces the targeting key.
        case installationID
    }

    /// Makes a context of the app and the device that it runs on, with the installation as its subject.
    ///
    /// ```swift
    /// let device = EvaluationContext.device(installationID: .persistent)
    /// appContext.set(device)                                                            // launch, log-out
    /// appContext.set(device.merging(["targetingKey": account.id, "plan": account.plan]))  // log-in
    /// ```
    ///
    /// The attributes are those of ``DeviceAttribute``. One that the system doesn't have is left out: a program without
    /// a bundle has no version, and Linux has no model.
    ///
    /// A rule that is evaluated by this process sends nothing anywhere. A provider that has a server evaluate sends the
    /// whole context to it, so leave out what the server needn't have.
    ///
    /// - Parameters:
    ///   - installationID: The identifier of the installation, which becomes the ``targetingKey`` and the attribute
    ///     `installationID`. If it can neither be read nor made, both are left out, so that no rollout places the app
    ///     by an identifier that the next launch wouldn't have; the reason is reported to
    ///     ``/TacklineCore/FlagIssueReporter/current``.
    ///   - omitted: The attributes to leave out. The targeting key stays without its attribute.
    public static func device(
        installationID: InstallationID, without omitted: Set<DeviceAttribute> = []
    ) -> EvaluationContext {
        let installation = installationID.text
        var context = EvaluationContext(targetingKey: installation)
        for attribute in DeviceAttribute.allCases where !omitted.contains(attribute) {
            let value = attribute == .installationID ? installation : attribute.systemValue
            context.attributes[attribute.rawValue] = value.map { .string($0) }
        }
        return context
    }
}

extension EvaluationContext {
    /// The identifier of this installation of the app, which no other installation has.
    public struct InstallationID: Sendable {
        private enum Source {
            case file(String?)
            case text(String)
            case none
        }

        private let source: Source

        /// No identifier. A rollout doesn't place the context until something else gives it a targeting key.
        public static let none = InstallationID(source: .none)

        /// A random identifier that is made at the first launch and lasts until the app is deleted.
        ///
        /// It is kept in a file in the folder for the app's own data: the *Application Support* folder, under the
        /// identifier of the bundle or the name of the program. It isn't part of backups, so a second device that
        /// is set up from a backup gets its own. On tvOS, where only caches last, the system may delete the file
        /// while it is short of space.
        ///
        /// Any number of threads and processes may make it at the same time: all get the same one. A damaged file
        /// is replaced by a new identifier and reported. The file is read at each use, which takes microseconds.
        public static var persistent: InstallationID { InstallationID(source: .file(InstallationFile.standardPath)) }

        /// An identifier that is kept as `installation-id` in a folder that you choose, such as the container of an App
        /// Group, whose app and extensions then count as one installation. The folder is created if it is missing.
        public static func persistent(in folder: URL) -> InstallationID {
            InstallationID(source: .file(folder.appending(path: "installation-id").path(percentEncoded: false)))
        }

        /// An identifier that the app has already, for example because it kept one before it used this type.
        public static func existing(_ text: String) -> InstallationID { InstallationID(source: .text(text)) }

        /// The identifier, from its file if it has one; `nil` if there is none.
        var text: String? {
            switch source {
            case .none: return nil
            case .text(let text): return text
            case .file(let path):
                guard let path else {
                    let reason = "the system names no folder for the app's data"
                    FlagIssueReporter.current.report(.unavailableInstallationFile(reason))
                    return nil
                }
                do {
                    let (identifier, wasDamaged) = try InstallationFile(path: path).identifier()
                    if wasDamaged { FlagIssueReporter.current.report(.damagedInstallationFile(path)) }
                    return identifier
                } catch {
                    FlagIssueReporter.current.report(.unavailableInstallationFile("\(path): \(error)"))
                    return nil
                }
            }
        }
    }
}
