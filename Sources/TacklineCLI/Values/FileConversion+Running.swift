#if CommandLine
    import TacklineCore

    extension FileConversion {
        /// Converts a file.
        ///
        /// - Returns: The bytes of the new file, and a line for each item that it cannot hold.
        static func convert(
            _ path: String, to format: TargetFormat, manifest: String?
        ) throws(CommandFailure) -> (bytes: [UInt8], losses: [String]) {
            let index = try manifest.map { path throws(CommandFailure) in try ManifestIndex(path: path) }
            let file = try FlagFile(path: path)
            let conversion: FileConversion
            switch (file.content, format) {
            case (.manifest, _):
                throw CommandFailure("\(path) holds a manifest; tackline manifest --format openfeature converts it.")
            case (.values, .flagd): conversion = definitions(of: file, index)
            case (.flagd, .flagd): conversion = FileConversion(members: file.members)
            case (.flagd, _): conversion = values(of: try file.definitions())
            case (.values, _): conversion = FileConversion(members: file.members)
            }
            let target: FlagFile.Format =
                switch format {
                case .json, .flagd: .json
                case .plist: .xmlPropertyList
                case .binaryPlist: .binaryPropertyList
                }
            return (try FileWriting.bytes(of: conversion.members, format: target), conversion.losses)
        }
    }
#endif
