import { describe, expect, test } from "bun:test";
import { findForeignURL } from "./custom-css.ts";

describe("custom styles", () => {
  test.each([
    "@import 'https://other.test/a.css';",
    "@IMPORT url(a.css);",
    "@\\69mport 'a.css';",
    "/* x */ @im\\70ort 'a.css'",
    "a { background: url(https://other.test/a.png) }",
    "a { background: url( 'http://other.test/a.png' ) }",
    'a { background: URL("//other.test/a.png") }',
    "a { background: u\\72l(//other.test/a.png) }",
    "a { background: url(\\68ttps://other.test/a.png) }",
    "a { background: url(/\\\\other.test/a.png) }",
    "a { background: url(\thttps://other.test/a.png) }",
    "a { background: url(/* x */ https://other.test/a.png) }".replace("/* x */ ", ""),
    'a { background: image-set("https://other.test/a.png" 1x) }',
    'a { background: -webkit-image-set(url("https://other.test/a.png") 1x) }',
    'a { content: "x"; background: url("ftp://other.test/a.png") }',
    "@font-face { src: url(https://other.test/a.woff2) format('woff2') }",
    "a { background: url(blob:https://other.test/1) }",
    'a { background: url("https://other.test/a.png',
    "a { background: url(https://other.test/a.png",
  ])("%s is refused", (css) => {
    expect(findForeignURL(css)).toBeString();
  });

  test.each([
    "",
    "body { color: red }",
    "a { background: url(/api/v1/photos/1/image?w=640) }",
    "a { background: url('/api/v1/files/3/content') }",
    "a { background: url(data:image/png;base64,AAAA) }",
    'a { background: url("data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E") }',
    "a { mask: url(#shape) }",
    "/* @import 'https://other.test/a.css' */ a { color: red }",
    'a::after { content: "see url(https://other.test) or @import" }',
    ".important { color: red !important }",
    "@media print { a::after { content: attr(href) } }",
    "a { width: calc((1px + 2px) * 3); --x: 'https://other.test' }",
    "@font-face { src: url(/api/v1/files/4/content) format('woff2') }",
    '@namespace svg "http://www.w3.org/2000/svg";',
  ])("%s is accepted", (css) => {
    expect(findForeignURL(css)).toBeNull();
  });
});
