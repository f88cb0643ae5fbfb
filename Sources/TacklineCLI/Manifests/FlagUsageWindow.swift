#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineManifest
    import TacklineUsage

    /// The usage of flags on the last days of a record.
    struct FlagUsageWindow {
        let record: FlagUsage.Record
        let days: Int
        /// The first day that counts.
        let start: Date
        /// The last day of the record, or the present day if a device's clock was ahead.
        let end: Date

        /// Whether the record covers the whole window, so that what is missing in it says something.
        var isCovered: Bool { record.firstDay.map { $0 <= start } ?? false }

        /// Reads and merges records.
        ///
        /// - Parameters:
        ///   - paths: Files, and folders with files whose names end in `.json`.
        ///   - days: The number of days before the end of the record.
        init(paths: [String], days: Int, today: Date) throws(CommandFailure) {
            guard (1...36_500).contains(days) else {
                throw CommandFailure("--days is \(days); use a number of days from 1 to 36500.")
            }
            var record = FlagUsage.Record()
            var files: [String] = []
            for path in paths { files += try FlagUsageWindow.files(path) }
            for path in files {
                let bytes = try InputFile(path: path).bytes
                do {
                    record.merge(try FlagUsage.Record(json: Data(bytes)))
                } catch {
                    throw CommandFailure("\(path): \(error.message)")
                }
            }
            self.record = record
            self.days = days
            end = min(record.lastDay ?? today, FlagUsage.Record.day(of: today))
            start = end - Double(days) * 86_400
        }

        private static func files(_ path: String) throws(CommandFailure) -> [String] {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                return [path]
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let files = names.sorted().filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
            guard !files.isEmpty else {
                throw CommandFailure("\(path) has no files that end in .json; name the folder of what FlagUsage wrote.")
            }
            return files.map { path + "/" + $0 }
        }

        /// Lines about what the record can't say.
        var remarks: [String] {
            var remarks: [String] = []
            if let first = record.firstDay, !isCovered {
                remarks.append(
                    """
                    The usage begins on \(first.dayText) and ends on \(end.dayText), so no flag counts as unread or constant for \(days) \
                    days yet; use a smaller number of --days.
                    """)
            }
            if record.hasMoreFlags {
                remarks.append("The usage does not have all flags, because there were too many; raise maximumFlags.")
            }
            return remarks
        }

        /// Returns whether nothing has read a flag. One without an entry wasn't read, unless entries were left out.
        func isUnread(_ flag: FlagManifest.Entry) -> Bool {
            guard isCovered else { return false }
            return record.flags[flag.key].map { $0.lastRead < start } ?? !record.hasMoreFlags
        }

        /// Returns whether each read of a flag was given the same value. A flag that was read for the first time since
        /// the beginning of the window doesn't count, nor does one with the tag `permanent`, such as a kill switch.
        func isConstant(_ flag: FlagManifest.Entry) -> Bool {
            guard isCovered, !flag.tags.contains("permanent"), let entry = record.flags[flag.key] else {
                return false
            }
            return entry.firstRead <= start && values(of: flag).count == 1
        }

        /// Returns whether a flag was read although it has expired.
        func isOverdue(_ flag: FlagManifest.Entry, at now: Date) -> Bool {
            guard flag.isExpired(at: now), let lastRead = record.flags[flag.key]?.lastRead else { return false }
            return lastRead >= start
        }

        /// Returns the values of a flag in the window as JSON, the last one first.
        func values(of flag: FlagManifest.Entry) -> [String] {
            let values = record.flags[flag.key]?.values.filter { $0.value >= start } ?? [:]
            return values.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
        }

        /// Returns the last read of a flag in words: `last read on 2026-11-20`.
        func lastReadText(_ flag: FlagManifest.Entry) -> String {
            if let entry = record.flags[flag.key] { return "last read on \(entry.lastRead.dayText)" }
            return record.firstDay.map { "not read since \($0.dayText)" } ?? "not in the usage"
        }

        /// Returns the values that remain in the code when a flag is removed, in words.
        func removalText(_ flag: FlagManifest.Entry) -> String {
            let values = values(of: flag)
            if record.flags[flag.key]?.isSecret == true { return "removing it leaves its value, which is secret" }
            if values.count == 1 { return "removing it leaves \(values[0])" }
            if values.isEmpty {
                return "its default is \(flag.defaultValue.map { ValueArgument.json($0) } ?? "not known")"
            }
            return "removing it leaves one of \(values.joined(separator: ", "))"
        }
    }
#endif
