import TacklineCLibrary
public import TacklineCore
import TacklineFiles

/// A reason why a file could not be read or written.
struct LocalFileFailure: Error {
    let code: FlagError.Code
    /// The cause, as it reads after a colon.
    let cause: String
    /// The next step, or `nil` for the usual one.
    let advice: String?

    init(_ code: FlagError.Code, _ cause: String, _ advice: String? = nil) {
        (self.code, self.cause, self.advice) = (code, cause, advice)
    }

    /// Creates the failure of a file, or of its contents.
    init(_ error: any Error) {
        switch error {
        case let failure as LocalFileFailure: self = failure
        // The system encrypts files while the device is locked, and restricts each app to its containers.
        case FileFailure.system(_, _, EPERM):
            self.init(
                .notPermitted,
                "it is protected and the device is locked, or this process may not use the place: \(error)",
                """
                A protected file is read again when the device is unlocked; give one that is needed before the protection \
                completeUntilFirstUserAuthentication, or name a file in the container of the app or of its App Group
                """)
        case FileFailure.system(_, _, let number):
            let advice =
                switch number {
                case ENOSPC, EDQUOT: "Free space on the volume, then set the value again"
                case EBUSY: "If the file is mounted alone, mount its folder in its place"
                case EACCES: "Give this process permission for the file and its folder"
                case EROFS: "Choose a folder on a volume that can be written"
                default: "Check the file, its folder and the disk"
                }
            self.init(.inputOutput, "\(error)", advice)
        case FileFailure.notRegular: self.init(.inputOutput, "\(error)", "Name a regular file")
        case FileFailure.busy: self.init(.fileBusy, "\(error)", "Try again, or find out which process holds the lock")
        case FileFailure.suspending:
            self.init(
                .suspending, "\(error)",
                """
                Write before the app goes to the background, or with a writeDelay: what is gathered is written when it is back
                """)
        case FileFailure.tooLarge:
            self.init(.unreadable, "\(error)", "Split the file, or keep large values elsewhere")
        default: self.init(.unreadable, "\(error)")
        }
    }
}

extension FlagError.Code {
    /// Another writer held the lock of a file for longer than the limit.
    public static let fileBusy: FlagError.Code = "file-busy"
    /// A file may not be accessed, either now because it is protected and the device is locked, or never.
    public static let notPermitted: FlagError.Code = "not-permitted"
    /// A file in a format that is only read.
    public static let readOnly: FlagError.Code = "read-only"
    /// The process is about to be suspended, so nothing may be locked.
    public static let suspending: FlagError.Code = "suspending"
    /// Deferred values could not be written to a file. They are in force, but only in memory.
    public static let unwrittenFile = FlagError.Code("unwritten-file")
}
