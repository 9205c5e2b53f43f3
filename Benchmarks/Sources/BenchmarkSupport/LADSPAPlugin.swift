import Foundation

/// A LADSPA plugin in a shared library, on systems with 64-bit pointers.
public struct LADSPAPlugin {
  /// An instance of the plugin.
  public typealias Instance = UnsafeMutableRawPointer

  private let descriptor: UnsafeRawPointer
  /// The plugin's function that renders a number of frames.
  public let run: @convention(c) (Instance?, UInt) -> Void

  /// Loads the first plugin in the library at `path`; nil if there is no plugin.
  public init?(path: String) {
    typealias Find = @convention(c) (UInt) -> UnsafeRawPointer?
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL),
      let symbol = dlsym(library, "ladspa_descriptor"),
      let found = unsafeBitCast(symbol, to: Find.self)(0)
    else { return nil }
    descriptor = found
    run = found.load(fromByteOffset: 112, as: (@convention(c) (Instance?, UInt) -> Void).self)
  }

  /// Creates an instance; nil if the plugin does not create it.
  public func instance(sampleRate: UInt) -> Instance? {
    typealias Make = @convention(c) (UnsafeRawPointer, UInt) -> Instance?
    return descriptor.load(fromByteOffset: 88, as: Make.self)(descriptor, sampleRate)
  }

  /// Connects a port to memory for samples or for a control value.
  public func connect(_ instance: Instance, _ port: Int, _ data: UnsafeMutablePointer<Float>) {
    typealias Connect = @convention(c) (Instance?, UInt, UnsafeMutablePointer<Float>) -> Void
    descriptor.load(fromByteOffset: 96, as: Connect.self)(instance, UInt(port), data)
  }

  /// Clears the signal history. Call it before the first `run`.
  public func activate(_ instance: Instance) { call(104, instance) }

  /// Deactivates and frees an instance.
  public func end(_ instance: Instance) {
    call(136, instance)
    call(144, instance)
  }

  /// Calls the function at a byte offset of `LADSPA_Descriptor`.
  private func call(_ offset: Int, _ instance: Instance) {
    typealias Call = @convention(c) (Instance?) -> Void
    descriptor.load(fromByteOffset: offset, as: Call.self)(instance)
  }
}
