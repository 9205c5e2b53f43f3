import Foundation

/// Reads the keys of a terminal one by one, without waiting for the end of a line.
///
/// The terminal gets its previous settings back when this object is released.
public final class Keyboard {
  /// The terminal's descriptor.
  public let descriptor: Int32
  private var saved: termios?
  /// Whether the input has ended, for example because the terminal was closed.
  public private(set) var hasEnded = false

  /// Reads from a descriptor, by default standard input. Changes the settings only if the
  /// descriptor is a terminal.
  public init(_ descriptor: Int32 = 0) {
    self.descriptor = descriptor
    guard isatty(descriptor) == 1 else { return }
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return }
    saved = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe tcsetattr(descriptor, TCSANOW, &settings)
  }

  deinit {
    if var saved { unsafe tcsetattr(descriptor, TCSANOW, &saved) }
  }

  /// Returns the keys that were pressed since the last call. Waits at most `milliseconds` ms for a
  /// key.
  public func keys(waiting milliseconds: Int32) -> [Character] {
    guard !hasEnded else {
      if milliseconds > 0 { _ = poll(nil, 0, milliseconds) }
      return []
    }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { hasEnded = true }
    return bytes.prefix(max(0, count)).map { Character(Unicode.Scalar($0)) }
  }
}
