/// What the header of a cover image says, after it has been checked.
///
///     let cover = try CoverImage(bytes)
///     print(cover.format)      // png
///
/// A cover has ``side`` × ``side`` pixels and comes as PNG or JPEG. Signature, structure and
/// dimensions are checked, and that the image goes to its end; the pixels are not decoded, so that a
/// viewer may still find them broken.
public struct CoverImage: Sendable, Equatable {
  /// How the image is stored.
  public let format: ImageFormat

  /// Pixels in a row, and rows.
  public static let side = 640

  /// The most bytes of an image: 16 MiB, several times what so many pixels take.
  public static let byteLimit = 16 * 1024 * 1024

  /// Why bytes are no cover image.
  public enum Invalid: Error, Sendable, Equatable {
    /// There are more bytes than an image may have.
    case tooLarge(Int, limit: Int)
    /// The bytes begin like neither PNG nor JPEG.
    case notAnImage
    /// The image has other dimensions, in pixels, than a cover.
    case wrongSize(width: Int, height: Int)
    /// The image ends before it is complete.
    case truncated(offset: Int)
    /// Something stands at a place in bytes that the format does not allow there.
    case malformed(offset: Int, reason: String)
  }
}

extension CoverImage.Invalid: CustomStringConvertible {
  /// One line that says what is wrong and where.
  public var description: String {
    switch self {
    case .tooLarge(let count, let limit): "\(count) bytes are more than \(limit)"
    case .notAnImage: "neither PNG nor JPEG"
    case .wrongSize(let width, let height):
      "\(width) × \(height) pixels instead of \(CoverImage.side) × \(CoverImage.side)"
    case .truncated(let offset): "byte \(offset): the image ends too early"
    case .malformed(let offset, let reason): "byte \(offset): \(reason)"
    }
  }
}
