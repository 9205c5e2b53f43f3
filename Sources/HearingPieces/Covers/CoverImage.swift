/// The checked header of a cover image.
///
///     let cover = try CoverImage(bytes)
///     print(cover.format)      // png
///
/// A cover is a PNG or JPEG image of ``side`` × ``side`` pixels. The initializer checks the
/// signature, the structure, the dimensions and the end of the image. It does not decode the
/// pixels.
public struct CoverImage: Sendable, Equatable {
  /// The file format.
  package let format: ImageFormat

  /// The width and height in pixels.
  public static let side = 640

  /// The maximum size of an image in bytes (16 MiB). The uncompressed pixels need only a fraction
  /// of this size.
  public static let byteLimit = 16 * 1024 * 1024

  /// The reason why bytes are not a cover image.
  public enum Invalid: Error, Sendable, Equatable {
    /// The image has too many bytes.
    case tooLarge(Int, limit: Int)
    /// The bytes start neither with the signature of PNG nor with the signature of JPEG.
    case notAnImage
    /// The image has other dimensions than ``side`` × ``side`` pixels. The associated values are in
    /// pixels.
    case wrongSize(width: Int, height: Int)
    /// The image ends before it is complete.
    case truncated(offset: Int)
    /// The bytes at an offset violate the format.
    case malformed(offset: Int, reason: String)
  }
}

extension CoverImage {
  /// Checks an image. Any bytes are allowed. Invalid bytes cause an error.
  ///
  /// - Throws: ``Invalid`` with the offset in bytes.
  public init(_ bytes: [UInt8]) throws(Invalid) {
    guard bytes.count <= Self.byteLimit else {
      throw .tooLarge(bytes.count, limit: Self.byteLimit)
    }
    let format: ImageFormat
    let size: PixelSize
    if PNGHeader.begins(bytes) {
      format = .png
      size = try PNGHeader.size(bytes)
    } else if JPEGHeader.begins(bytes) {
      format = .jpeg
      size = try JPEGHeader.size(bytes)
    } else {
      throw .notAnImage
    }
    guard size == PixelSize(width: Self.side, height: Self.side) else {
      throw .wrongSize(width: size.width, height: size.height)
    }
    self.init(format: format)
  }
}

extension CoverImage.Invalid: CustomStringConvertible {
  /// One line that says what is wrong and where.
  public var description: String {
    switch self {
    case .tooLarge(let count, let limit): "\(count) bytes; at most \(limit) are allowed"
    case .notAnImage: "neither PNG nor JPEG"
    case .wrongSize(let width, let height):
      "\(width) × \(height) pixels instead of \(CoverImage.side) × \(CoverImage.side)"
    case .truncated(let offset): "byte \(offset): the image ends too early"
    case .malformed(let offset, let reason): "byte \(offset): \(reason)"
    }
  }
}

/// The file format of a cover image.
package enum ImageFormat: String, Sendable, CaseIterable, Codable {
  /// Portable Network Graphics.
  case png
  /// JPEG with Huffman coding, sequential (baseline or extended) or progressive.
  case jpeg

  /// The extension of the file name.
  var fileExtension: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    }
  }
}

/// The dimensions of an image.
struct PixelSize: Equatable {
  let width: Int
  let height: Int
}
