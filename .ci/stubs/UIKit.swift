// Follows the iOS 18.1 SDK: the public names of UIKit that are used, for machines without it.
@_exported import Foundation
@MainActor @preconcurrency open class UIView: NSObject {}
