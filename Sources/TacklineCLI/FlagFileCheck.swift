#if CommandLine
    import Foundation
    import TacklineCore

    /// What a file of flag values holds, or why it cannot be used.
    struct FlagFileCheck {
        /// A line for people that begins with the path.
        let line: String
        let isUsable: Bool

        init(path: String) {
            do {
                let bytes = try Data(contentsOf: URL(filePath: path))
                let value: EncodedFlagValue =
                    switch URL(filePath: path).pathExtension.lowercased() {
                    case "plist", "xml": try FlagPropertyListReader().read(bytes)
                    default: try FlagJSONReader().read(bytes)
                    }
                guard case .object(let members) = value else {
                    line = "\(path): holds \(value.kind) where an object of values by key should stand."
                    isUsable = false
                    return
                }
                line =
                    "\(path): \(members.count) \(members.count == 1 ? "member" : "members") at the top, all readable."
                isUsable = true
            } catch {
                line = "\(path): \(error)"
                isUsable = false
            }
        }
    }
#endif
