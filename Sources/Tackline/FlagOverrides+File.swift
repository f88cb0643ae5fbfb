public import TacklineCore
// `URL` names files.
public import TacklineFoundation
import TacklineLocal
public import TacklineOverrides

extension FlagOverrides {
    /// Creates overrides that are kept in a file, and reads them if there are any.
    ///
    /// ```swift
    /// let overrides = FlagOverrides(file: .applicationSupportDirectory.appending(path: "overrides.json"))
    /// ```
    ///
    /// The first write creates the file and its folder. On tvOS, which may remove files whenever the app doesn't run, use
    /// `FlagOverrides(storage: UserDefaultsProvider())`.
    ///
    /// - Parameters:
    ///   - file: The location of the file. The extension `plist` makes it a property list; otherwise it is JSON.
    ///   - name: The name in messages and explanations, and the id in a chain.
    ///   - environment: The environment that decides whether there are overrides. Give the loaders the same.
    ///   - isAllowed: Decides in place of the environment, at run time and also in production. It is called from any thread,
    ///     and again by `updatePermission()`.
    public convenience init(
        file: URL, name: String = "overrides", environment: DeploymentEnvironment = .detected,
        isAllowed: (@Sendable () -> Bool)? = nil
    ) {
        // Where there are never overrides, only `removeAll()` uses the file.
        let isUsed = isAllowed != nil || environment.admitsOverrides
        let storage = LocalProvider(
            file: file, name: "\(name) file", changeDetection: isUsed ? .automatic : .off)
        self.init(
            name: name, storage: storage, environment: environment, isAllowed: isAllowed, now: { Date() },
            updateStorage: { change throws(FlagError) in try storage.update(Self.storageKey, change) })
    }
}
