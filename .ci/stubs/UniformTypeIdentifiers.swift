// The public names of UniformTypeIdentifiers that are used, as in the iOS 18.1 SDK.
public struct UTType: Sendable { public static var audio: UTType { UTType() } }
