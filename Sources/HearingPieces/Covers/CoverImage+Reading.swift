extension CoverImage {
  /// Checks an image, whatever the bytes may be.
  ///
  /// - Throws: ``Invalid`` with the place in bytes.
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
