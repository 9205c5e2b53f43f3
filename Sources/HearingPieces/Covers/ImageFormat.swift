/// How a cover image is stored.
public enum ImageFormat: String, Sendable, CaseIterable, Codable {
  /// Portable Network Graphics.
  case png
  /// JPEG with Huffman coding, sequential (baseline or extended) or progressive.
  case jpeg

  /// The end of a file's name.
  var fileExtension: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    }
  }
}
