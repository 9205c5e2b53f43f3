// The public names of UIKit that are used, as in the iOS 18.1 SDK.
@_exported import Foundation
@MainActor @preconcurrency open class UIView: NSObject {}
