// The public names of WebKit that are used, as in the iOS 18.1 SDK.
@_exported import UIKit
public final class WKNavigation: NSObject {}
open class WKWebView: UIView {
  @discardableResult
  public func loadHTMLString(_ string: String, baseURL: URL?) -> WKNavigation? { nil }
}
