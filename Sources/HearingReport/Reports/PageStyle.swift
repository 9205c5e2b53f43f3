/// The style sheet of a report's page, without the style sheet of the pictures.
enum PageStyle {
  /// The CSS rules. The rules contain none of the characters `<`, `>` and `&`.
  static let sheet = """
    :root{color-scheme:light dark}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:52rem;padding:1.5rem 1rem 3rem;\
    font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,\
    "Liberation Sans",sans-serif;background:#fff;color:#1a1c1f;overflow-wrap:break-word}
    h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem}
    h2{font-size:1.35rem;line-height:1.25;margin:2.75rem 0 .75rem}
    p,ul,dl{margin:.75rem 0;max-width:44rem}
    header p{margin:.25rem 0;color:#4a4f57}
    footer{margin-top:3rem;padding-top:1rem;border-top:1px solid #b9bec6;color:#4a4f57;\
    font-size:.9375rem}
    figure{margin:1.25rem 0}.picture svg{display:block;width:100%;height:auto}
    .narrow{display:none}.narrow svg{max-width:32rem}
    figcaption{margin-top:.5rem;max-width:44rem;color:#4a4f57}
    .advice{margin:1rem 0;padding:.25rem 1rem;border-left:.35rem solid #b45f06;background:#fdf3e3}
    .table{overflow-x:auto;margin:1.25rem 0;container-type:inline-size}
    table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:1rem}
    caption{text-align:left;padding:0 0 .5rem;color:#4a4f57;max-width:100cqi}
    th,td{padding:.35rem .6rem;border:1px solid #b9bec6;text-align:right;white-space:nowrap}
    thead th{background:#eef0f3;text-align:center;white-space:normal}
    tbody th{background:#f6f7f9;font-weight:600;white-space:normal}
    .comparison{display:flex;flex-wrap:wrap;gap:1rem;align-items:end;margin:1.25rem 0}
    .comparison span{display:block;font-weight:600}
    audio{max-width:100%}button{font:inherit;padding:.5rem 1rem}
    .tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:0 1rem}
    .tables th,.tables td{padding:.3rem .4rem}
    .form{display:flex;flex-wrap:wrap;gap:0 1.5rem}
    .form p{flex:1 1 16rem;margin:1.4rem 0 0;border-bottom:1px solid #6b717a}
    li{margin:.4rem 0}dl div{margin:.6rem 0}dt{font-weight:600}dd{margin:0}
    @media screen and (max-width:49rem){
    .wide{display:none}.narrow{display:block}table{font-size:.8125rem}
    th,td{white-space:normal;padding:.3rem}tbody th{min-width:4.25rem}
    .tables th,.tables td{padding:.2rem .1rem}.tables tbody th{min-width:0}
    }
    @media screen and (prefers-color-scheme:dark){
    body{background:#15171b;color:#eceef1}header p,figcaption,caption,footer{color:#b6bcc6}
    footer{border-color:#474d57}.advice{border-color:#f0a64a;background:#2b2216}
    th,td{border-color:#474d57}thead th{background:#252930}tbody th{background:#1d2025}
    }
    @media print{
    @page{margin:1.2cm 1.5cm}html{font-size:9.5pt}body{max-width:none;padding:0}
    h2{margin-top:1.75rem}h2,caption,thead{break-after:avoid}
    footer,ul+dl,li:last-child,tbody tr:is(:nth-child(2),:nth-child(3),:nth-last-child(-n+2))\
    {break-before:avoid}
    figure,caption,tr,.advice,dl div,li,footer{break-inside:avoid}
    .comparison{display:none}.own-page{break-after:page}footer{margin-top:1rem}
    figure{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem}
    .picture svg{width:auto;max-width:100%;max-height:8cm}
    figcaption{flex:1;min-width:4.5cm;margin:0}
    .table{overflow:visible}table{font-size:.95rem}th,td{padding:.2rem .5rem}
    .tables{grid-template-columns:1fr 1fr}.tables th,.tables td{padding:.08rem .4rem;line-height:1.15}
    p,ul,dl,figcaption{max-width:none}li{margin:.2rem 0}dl div{margin:.3rem 0}
    dt,dd{display:inline;margin-right:.6em}
    *{-webkit-print-color-adjust:exact;print-color-adjust:exact}
    }
    """
}
