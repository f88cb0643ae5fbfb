#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `URL` names the folder.

/// Where the last accepted document is kept between two runs of the program.
public enum RemoteJSONCaching: Sendable, Hashable {
    /// In the folder `tackline` of the user's caches folder.
    case standard
    /// In a folder of your choice, which is made if need be. Several processes may share it.
    case directory(URL)
    /// Nowhere.
    case disabled
}
