/// A cover image whose file has been checked.
///
///     let cover = try CoverImage(bytes)
///     print(cover.format)      // png
///
/// A cover is a PNG or JPEG image of 640 × 640 pixels. The initializer checks the signature, the
/// structure, the dimensions and the end of the image. The initializer does not decode the pixels.
package struct CoverImage: Sendable, Equatable {
  /// The file format of the image.
  package let format: ImageFormat

  /// The maximum size of a cover image file in bytes (16 MiB). Without compression, the pixels of a
  /// cover image have at most 3.3 MB (four channels of 16 bits).
  package static let byteLimit = 16 * 1024 * 1024
}

extension CoverImage {
  /// Checks the bytes of an image. Invalid bytes cause an error, but never a crash.
  ///
  /// - Throws: ``PieceContent/Invalid``. If the image is malformed, the error contains the distance
  ///   in bytes from the start of the image to the problem.
  package init(_ bytes: [UInt8]) throws(PieceContent.Invalid) {
    guard bytes.count <= Self.byteLimit else {
      throw .tooLarge(byteCount: Int64(bytes.count), limit: Self.byteLimit)
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
    guard size == PixelSize(width: PieceContent.coverSide, height: PieceContent.coverSide) else {
      throw .wrongSize(width: size.width, height: size.height)
    }
    self.init(format: format)
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
