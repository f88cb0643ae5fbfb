import TacklineCLibrary
public import TacklineCore
import TacklineFiles

/// A reason why a file could not be read or written.
indirect enum LocalFileFailure: Error {
    /// The URL is not a file URL.
    case notAFile
    /// The file is required but missing.
    case absent
    /// The file could not be read, locked or replaced.
    case file(FileFailure)
    /// The contents are not valid in their format, with the position and the mistake.
    case syntax(String)
    /// The contents are valid, but not a document in the provider's format.
    case document(String, format: String)
    /// Documents in the provider's format can't be written.
    case readOnly(format: String)
    /// The file format can't store a value.
    case value(FlagValueError)
    /// Each value is valid, but the resulting file could not be read again.
    case unreadableResult(LocalFileFailure)
    /// The file to be changed can't be read.
    case unreadableFile(LocalFileFailure)

    /// Performs work on a file.
    ///
    /// - Parameter areProtected: Whether the system encrypts files while the device is locked.
    static func during<Result: ~Copyable>(
        whereFilesAreProtected areProtected: Bool = false, _ body: () throws(FileFailure) -> Result
    ) throws(LocalFileFailure) -> Result {
        do throws(FileFailure) {
            return try body()
        } catch {
            throw .file(error.whereFilesAreProtected(areProtected))
        }
    }

    /// Whether the file was read and its contents are the problem.
    var isAboutContent: Bool {
        switch self {
        case .file(.tooLarge), .syntax, .document: true
        default: false
        }
    }

    /// Returns the failure to read as an error that names the file and the cause.
    func readingError(provider: String, path: String) -> FlagError {
        FlagError(
            code,
            provider: provider,
            reason: "\(path) cannot be read: \(cause)",
            advice: advice ?? "Correct the file; until then it is neither used nor overwritten"
        )
    }

    /// Returns the failure to write as an error that names the file and the cause.
    func writingError(
        provider: String,
        path: String,
        subject: (key: FlagKeyPath?, value: EncodedFlagValue?)
    ) -> FlagError {
        FlagError(
            code,
            provider: provider,
            key: subject.key,
            value: subject.value,
            reason: "\(path) was not written, and nothing has changed: \(cause)",
            advice: advice
        )
    }

    private var code: FlagError.Code {
        switch self {
        case .notAFile, .absent, .file(.notRegular), .file(.system): .inputOutput
        case .file(.notPermitted): .notPermitted
        case .file(.tooLarge), .syntax, .document: .unreadable
        case .value, .unreadableResult: .unsupportedValue
        case .readOnly: .readOnly
        case .unreadableFile(let failure): failure.code
        case .file(.busy): .fileBusy
        case .file(.suspending): .suspending
        }
    }

    private var cause: String {
        switch self {
        case .notAFile: "it is not the address of a file"
        case .absent: "there is no such file"
        case .file(let failure): "\(failure)"
        case .syntax(let mistake): mistake
        case .document(let mistake, let format): "it is not a document in the format \(format): \(mistake)"
        case .readOnly(let format): "a document in the format \(format) is only read"
        case .value(let error): "\(error)"
        case .unreadableResult(let failure): "it could not be read again: \(failure.cause)"
        case .unreadableFile(let failure): "what it holds now cannot be read: \(failure.cause)"
        }
    }

    private var advice: String? {
        switch self {
        case .notAFile: "Use a URL made with URL(filePath:)"
        case .absent: "Check the path, and that the file is shipped with the program: in an app, copied into its bundle"
        case .file(.notRegular): "Name a regular file"
        case .file(.system(let error)): LocalFileFailure.advice(for: error.number)
        case .file(.notPermitted):
            """
            A protected file is read again when the device is unlocked; give one that is needed before the protection \
            completeUntilFirstUserAuthentication, or name a file in the container of the app or of its App Group
            """
        case .file(.tooLarge): "Raise maximumBytes if so much is intended"
        case .syntax, .document: nil
        case .value: "Use a value that the format of the file can hold"
        case .readOnly:
            """
            Write to a provider before this one, such as FlagOverrides or a LocalProvider with a file of values, or change \
            the rules in the document
            """
        case .unreadableResult: "Use shorter keys and fewer levels"
        case .unreadableFile(let failure):
            failure.advice ?? "Correct or move the file, or make the provider with recovery: .setAside"
        case .file(.busy): "Try again, or find out which process holds the lock"
        case .file(.suspending):
            "Write before the app goes to the background, or with a writeDelay: what is gathered is written when it is back"
        }
    }

    private static func advice(for number: CInt) -> String {
        switch number {
        case ENOSPC, EDQUOT: "Free space on the volume, then set the value again"
        case EFBIG: "Raise the limit on the size of files, then set the value again"
        case EACCES, EPERM: "Give this process permission for the file and its folder"
        case EROFS: "Choose a folder on a volume that can be written"
        case EISDIR, ENXIO: "Name a regular file"
        case ELOOP: "Remove the symbolic links that lead in a circle"
        default: "Check the file, its folder and the disk"
        }
    }
}

extension FlagError.Code {
    /// The format of the provider's documents can't be written.
    public static let readOnly: FlagError.Code = "read-only"
    /// Another writer held the lock of a file for longer than the limit.
    public static let fileBusy: FlagError.Code = "file-busy"
    /// A file may not be accessed, either now because it is protected and the device is locked, or never.
    public static let notPermitted: FlagError.Code = "not-permitted"
    /// The process is about to be suspended, so nothing may be locked.
    public static let suspending: FlagError.Code = "suspending"
}
