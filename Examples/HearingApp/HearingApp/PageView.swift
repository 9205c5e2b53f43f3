import SwiftUI
import WebKit

/// Shows a page of the module HearingReport: the audiogram, the gains, and their explanation.
struct PageView: UIViewRepresentable {
  let html: String

  func makeUIView(context: Context) -> WKWebView {
    WKWebView()
  }

  func updateUIView(_ view: WKWebView, context: Context) {
    view.loadHTMLString(html, baseURL: nil)
  }
}
