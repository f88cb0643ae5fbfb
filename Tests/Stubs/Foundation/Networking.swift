// swift-format-ignore-file
// Loading from servers in Foundation; see Bridging.swift.

open class URLCache: NSObject, @unchecked Sendable {}
open class URLCredential: NSObject, @unchecked Sendable {}
open class URLCredentialStorage: NSObject, @unchecked Sendable {}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class HTTPCookie: NSObject, @unchecked Sendable {
  @objc public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
}
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {}

open class URLResponse: NSObject, @unchecked Sendable {}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  open var statusCode: Int { fatalError() }
  open var allHeaderFields: [AnyHashable: Any] { fatalError() }
  open func value(forHTTPHeaderField field: String) -> String? { fatalError() }
}
public struct URLRequest: Hashable, Sendable {
  public enum CachePolicy: UInt, Sendable { case useProtocolCachePolicy, reloadIgnoringLocalCacheData, returnCacheDataElseLoad, returnCacheDataDontLoad, reloadIgnoringLocalAndRemoteCacheData, reloadRevalidatingCacheData }
  public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0) {}
  public var httpMethod: String?
  public var httpBody: Data?
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}

open class URLSessionTask: NSObject, @unchecked Sendable {
  open func cancel() {}
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  open class var ephemeral: URLSessionConfiguration { fatalError() }
  open var urlCache: URLCache?
  open var httpCookieStorage: HTTPCookieStorage?
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy { get { fatalError() } set {} }
  open var httpShouldSetCookies: Bool { get { fatalError() } set {} }
  open var urlCredentialStorage: URLCredentialStorage?
  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
  open var enablesEarlyData: Bool { get { fatalError() } set {} }
}
@objc public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  @objc(URLSession:didBecomeInvalidWithError:) optional func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
  @objc(URLSession:didReceiveChallenge:completionHandler:) optional func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}
@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {
  @objc(URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:) optional func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  @objc(URLSession:task:didReceiveChallenge:completionHandler:) optional func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  @objc(URLSession:task:didCompleteWithError:) optional func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
open class URLSession: NSObject, @unchecked Sendable {
  @objc public enum AuthChallengeDisposition: Int, Sendable { case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace }
  open class var shared: URLSession { fatalError() }
  public convenience init(configuration: URLSessionConfiguration) { fatalError() }
  public init(configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?) { fatalError() }
  public func data(from url: URL, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) { fatalError() }
  public func bytes(for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (AsyncBytes, URLResponse) { fatalError() }
  public struct AsyncBytes: AsyncSequence, Sendable {
    public typealias Element = UInt8
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
      public mutating func next() async throws -> UInt8? { fatalError() }
    }
    public func makeAsyncIterator() -> AsyncIterator { fatalError() }
    public var task: URLSessionDataTask { fatalError() }
  }
  open func finishTasksAndInvalidate() {}
}
