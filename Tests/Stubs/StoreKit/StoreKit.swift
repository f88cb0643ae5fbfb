// swift-format-ignore-file
// A stub of the StoreKit API that our guides use; see the stub of Foundation. Nothing here runs.
import Foundation

@frozen public enum VerificationResult<SignedType> {
  case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
  case verified(SignedType)
  public enum VerificationError: Error { case revokedCertificate, invalidCertificateChain, invalidDeviceVerification, invalidEncoding, invalidSignature, missingRequiredProperties }
}
extension VerificationResult: Sendable where SignedType: Sendable {}
public enum AppStore {
  public struct Environment: Equatable, Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let production = Self(rawValue: ""), sandbox = Self(rawValue: ""), xcode = Self(rawValue: "")
  }
}
public struct AppTransaction: Sendable {
  public let environment: AppStore.Environment
  public static var shared: VerificationResult<AppTransaction> { get async throws { fatalError() } }
}
