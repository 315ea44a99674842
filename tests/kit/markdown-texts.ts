import { numbersFrom } from "./random-writes.ts";

const words = ["a", "b c", "Über", "日本語", "naïve", "don't", "x_y_z", "3.5", "é\u0301", "👩‍👩‍👧", "\u202eabc", "مرحبا"];
const odd = [
  "\u0000",
  "\u0001",
  "\u000b",
  "\u000c",
  "\u007f",
  "\u0085",
  "\u2028",
  "\ufeff",
  "\ufffe",
  "\ud800",
  "\udc00",
];
const spaces = [" ", "  ", "\t", "\u00a0", "\n", "\r", "\r\n", "  \n", "\\\n", "\n\n", "\n    ", "\n \t"];
const marks = "*_~`[]()<>!#>+-=|:\\\"'&;.^/@{}$%?,".split("");
const entities = [
  "&amp;",
  "&lt;",
  "&quot;",
  "&#13;",
  "&#x0d;",
  "&#10;",
  "&#0;",
  "&Tab;",
  "&NewLine;",
  "&colon;",
  "&#106;",
];
const addresses = [
  "/photos/1",
  "#one",
  "#",
  "",
  "?a=b:c",
  "a/b:c",
  "//evil.org/x",
  "/\\evil.org",
  "\\\\evil.org",
  "https://a.org/x?y=1&z='2'#\"3",
  "https://a.org",
  "http:a",
  "mailto:a@b.org",
  "https://\u202egro.a/ä ö",
  "https://[::1]/",
  "https://münchen.de/%zz",
  "a b",
  '"onmouseover=alert(1)',
];
/** What the sanitizer removes or changes. */
const badAddresses = [
  "a:b",
  "HTTPS://A.org",
  "MAILTO:a@b.org",
  "ftp://a.org",
  "tel:1",
  "xmpp:a",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java&Tab;script:alert(1)",
  "java&#10;script:alert(1)",
  "&#106;avascript:alert(1)",
  "javascript&colon;alert(1)",
  "\\javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "%6aavascript:alert(1)",
  "vbscript:x",
  "file:///etc/passwd",
  "data:text/html,x",
  "data:image/png;base64,AAAA",
  "data:image/svg+xml;base64,AAAA",
  "https://a.org/%00%0d",
];
const raw = [
  "<b>",
  "</b>",
  "<br/>",
  "<!-- x -->",
  "<?x?>",
  "<![CDATA[x]]>",
  "<!X>",
  "</p>",
  "<table>",
  "<tr><td>",
  "<a href=x>",
  "</a>",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '<p id="one" title="a>b">',
  "<vitrine-embed form=block record=photo:1>",
  "<input type=checkbox>",
  "<!--block photo:1-->",
];

/** Texts in Markdown, the same ones for the same seed: some are ordinary, and some try to break what renders them. */
export function* markdownTexts(seed: number, count: number): Generator<string> {
  const random = numbersFrom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const several = (most: number, write: () => string, separator = "") =>
    Array.from({ length: 1 + random(most) }, write).join(separator);
  /** How much of a text is broken, of 100. */
  let broken = 0;
  const isBroken = () => random(100) < broken;

  for (let index = 0; index < count; index++) {
    broken = pick([0, 0, 2, 10, 40]);
    const text = several(4, () => block(2), pick(["\n\n", "\n\n", "\n"]));
    yield isBroken() ? damage(text) : text;
  }

  function block(depth: number): string {
    const nested = () => (depth > 0 ? several(2, () => block(depth - 1), "\n\n") : inline(2));
    const indented = (first: string) => first + nested().replaceAll("\n", `\n${" ".repeat(first.length)}`);
    return pick<() => string>([
      () => inline(3),
      () => inline(3),
      () => several(3, () => inline(3), "\n"),
      () => `${"#".repeat(1 + random(7))} ${inline(1)}`,
      () => `# ${pick(["One", "One", "One 2", "one-2", "*", "<"])}`,
      () => `${inline(1)}\n${pick(["===", "---"])}`,
      () => nested().replaceAll(/^/gm, "> "),
      () => several(4, () => indented(pick(["- ", "* ", "+ ", "1. ", "7) ", "0. ", "- [ ] ", "- [x] "])), "\n"),
      () => pick(["---", "***", "- - -"]),
      () => several(3, () => `    ${several(4, piece)}`, "\n"),
      () =>
        `${pick(["```", "~~~", "```` "])}${isBroken() ? pick(["js", " ", "unknown x", "&#13;"]) : ""}\n${several(9, piece)}\n${pick(["```", "~~~", ""])}`,
      () => table(),
      () => `![[${pick(["photo:1", "album:22", "file:0", "x:1", "photo:1]"])}]]`,
      () => `[${pick(["r", "s t"])}]: ${address()} ${pick(["", '"t"', "'&#13;'", "(x)"])}`,
      () => (isBroken() ? `${pick(raw)}${inline(1)}${pick(raw)}` : inline(2)),
    ])();
  }

  function table(): string {
    const columns = 1 + random(3);
    const row = (cell: () => string) => `|${Array.from({ length: columns }, cell).join("|")}|`;
    const body = Array.from({ length: random(3) }, () => row(() => inline(1)));
    return [row(() => inline(1)), row(() => pick(["-", ":-", "-:", ":-:"])), ...body].join("\n");
  }

  function inline(depth: number): string {
    return several(4, () => (depth === 0 || random(3) === 0 ? piece() : span(depth - 1)), pick(["", " ", " "]));
  }

  function span(depth: number): string {
    return pick<() => string>([
      () => `*${inline(depth)}*`,
      () => `**${inline(depth)}**`,
      () => `__${inline(depth)}__`,
      () => `~~${inline(depth)}~~`,
      () => `\`${piece()}\``,
      () => `[${inline(depth)}](${address()}${pick(["", "", ' "t"', ' "&#13;&quot;\'"', " '<b>'"])})`,
      () => `![${inline(depth)}](${address()}${pick(["", ' "t"'])})`,
      () => `[${inline(depth)}]${pick(["[r]", "[s t]", "[]", ""])}`,
      () => `<${address()}>`,
      () =>
        pick([
          "https://a.org/b_c",
          "www.a.org",
          "http://a.org/(x)",
          "a@b.org",
          "mailto:a@b.org",
          "ftp://a.org",
          "//a.org",
        ]),
      () => `![[${pick(["photo:1", "album:22"])}]]`,
      () => (isBroken() ? pick(["[^1]", "\n\n[^1]: x", "[^x]", "^[note]", ...raw]) : piece()),
    ])();
  }

  function address(): string {
    const chosen = isBroken() ? pick(badAddresses) : pick(addresses);
    return chosen.includes(" ") || random(4) === 0 ? `<${chosen.replace(/[<>]/g, "")}>` : chosen;
  }

  function piece(): string {
    if (isBroken()) return pick([...odd, ...marks, ...entities, ...spaces]);
    return pick([...words, ...words, pick(entities), pick(spaces), `\\${pick(marks)}`]);
  }

  /** Removes, repeats and inserts some characters. */
  function damage(text: string): string {
    let result = text;
    for (let round = 0; round < 1 + random(5); round++) {
      const [start, length] = [random(result.length + 1), random(6)];
      const inserted = pick(["", pick(marks), pick(spaces), pick(odd), pick(marks).repeat(1 + random(8))]);
      result = result.slice(0, start) + inserted + result.slice(start + length * random(2));
    }
    return result;
  }
}

/** Texts that try to run a script, or to leave their place on the page. */
export const attacks = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<svg><textarea><img src=x onerror=alert(1)></textarea></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe><object data=x></object><embed src=x>",
  "<form action=/signin><input name=password><button formaction=x>go</button></form>",
  '<a href="javascript:alert(1)">a</a><a href=" java\nscript:alert(1)">b</a><a href="&#106;avascript:alert(1)">c</a>',
  "[a](javascript:alert(1)) [b](data:text/html;base64,PHNjcmlwdD4=) <javascript:alert(1)>",
  "![x](data:image/svg+xml;base64,AAAA) <img src=data:text/html,x srcset=x>",
  '<p style="position:fixed" class="page-header" onclick=x data-x=1>a</p><style>*{}</style><link rel=stylesheet href=x>',
  '<div id="location" name="location"><base href=//evil.org><meta http-equiv=refresh content=0>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  "<xmp><img src=x onerror=alert(1)></xmp><plaintext><script>alert(1)",
  '<template><script>alert(1)</script></template><a title="--><img src=x onerror=alert(1)>">a</a>',
  "<!--block photo:1--><!--><img src=x onerror=alert(1)>-->",
  '<span class="hljs-x-site-header hljs- hljs-<b> site-header hljsx" onclick=x>a</span>',
  "```js onload\n</code></pre><script>alert(1)</script>\n```",
  "```xml\n<a href='javascript:alert(1)' onclick=\"x\">\n```",
  '`<img src=x onerror=alert(1)>` [a](<"onmouseover=alert(1)>) ![" onerror="alert(1)](x)',
];

const repeat = (unit: string, length = 9900) => unit.repeat(Math.floor(length / unit.length));

/** Texts that take a parser of Markdown long, with less than 10,000 characters. */
export const costlyTexts = {
  "links that do not end": repeat("[a"),
  "pictures that do not end": repeat("!["),
  "links that do not end, with long texts": repeat(`${">ä?".repeat(78)}[`),
  "targets that do not end": repeat(`[a](">#${"a".repeat(100)}[`),
  "pictures in pictures": "![".repeat(90) + repeat("*a*", 9000) + "](b)".repeat(90),
  "labels in labels": `[a]: /b\n\n${"[".repeat(90)}${"ǰ".repeat(8000)}${"]".repeat(90)}`,
  "one definition for many links": `[a]: /${"&'".repeat(490)}\n\n${repeat("[a]", 8000)}`,
  "a wide table": `${"|a".repeat(1000)}\n${"|-".repeat(1000)}\n${repeat("|\n", 5800)}`,
  "many tables": repeat("|a|b|\n|-|-|\n|c|d|\n\n"),
  headings: repeat("#\n"),
  "headings of two lines": repeat("a\n-\n"),
  lists: repeat("- a\n"),
  emphasis: repeat("*a"),
  addresses: repeat("https://a.b "),
  "addresses without a scheme": repeat("www.a.b "),
  "addresses of mail": repeat("a@b.c "),
  "addresses in brackets": repeat("<https://a.b>"),
  "a long address": `https://a.b/${"漢".repeat(9000)}`,
  "quotes in an address": repeat("http'://a.b/'\""),
  "parts of addresses": repeat(`[=a]a漢https://${"a   ".repeat(21)}`),
  "addresses and words": repeat(
    `${"https://a.b/(((".repeat(13)}${"w-a".repeat(26)}\n1\n^(@\n> @https://${"a".repeat(100)}#w=a@b.`,
  ),
  "sections that do not end": `a ${repeat("<![CDATA[")}`,
} satisfies Record<string, string>;
