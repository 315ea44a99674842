import { type Schema, sanitize } from "hast-util-sanitize";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { embedTag, idPrefix, type Node, print, type Properties, startPage } from "./print-html.ts";

const words = (text: string) => text.split(" ");
const sections = words("h1 h2 h3 h4 h5 h6 p blockquote pre div section figure figcaption details summary hr br wbr");
const lists = words("ul ol li dl dt dd table caption thead tbody tfoot tr th td");
const phrases = words("a img em strong b i u s del ins sub sup small mark kbd samp var code abbr cite q time span");
const scripts = words("ruby rt rp bdi bdo");

/** What is allowed. Elements that are not listed are replaced by their content, or removed with it (`strip`). */
const schema: Schema = {
  tagNames: [...sections, ...lists, ...phrases, ...scripts, "input", embedTag],
  strip: words(
    "script style title textarea xmp iframe noembed noframes noscript plaintext template select object svg math",
  ),
  attributes: {
    "*": ["title", "id", "lang", ["dir", "ltr", "rtl", "auto"]],
    a: ["href", ["className", "footnote-backref"]],
    img: ["src", "alt", ["width", /^\d{1,5}$/], ["height", /^\d{1,5}$/]],
    ol: [
      ["start", /^\d{1,9}$/],
      ["className", "footnotes-list"],
    ],
    li: [["className", "footnote-item"]],
    sup: [["className", "footnote-ref"]],
    section: [["className", "footnotes"]],
    hr: [["className", "footnotes-sep"]],
    code: [["className", /^language-[\w+#.-]{1,40}$/]],
    span: [["className", /^hljs-[a-z_-]{1,30}$/]],
    th: [
      ["align", "left", "center", "right"],
      ["colSpan", /^\d{1,3}$/],
      ["rowSpan", /^\d{1,3}$/],
    ],
    td: [
      ["align", "left", "center", "right"],
      ["colSpan", /^\d{1,3}$/],
      ["rowSpan", /^\d{1,3}$/],
    ],
    time: ["dateTime"],
    details: ["open"],
    input: ["checked", ["disabled", true], ["type", "checkbox"]],
    [embedTag]: [
      ["form", "block", "inline"],
      ["record", /^[a-z]{1,20}:[1-9]\d{0,15}$/],
    ],
  },
  required: { input: { disabled: true, type: "checkbox" } },
  protocols: { href: ["http", "https", "mailto"], src: ["http", "https"] },
  // An id must not be the name of something that a script of the page looks for.
  clobber: ["id"],
  clobberPrefix: idPrefix,
  ancestors: {},
};

/** The HTML without anything that could run or that could leave its place on the page. */
export function sanitizeHTML(html: string): string {
  const children = convert(parseFragment(html).childNodes);
  const safe = sanitize({ type: "root", children }, schema);
  const page = startPage();
  const nodes = "children" in safe && safe.type === "root" ? safe.children : [safe];
  return (nodes as Node[]).map((node) => print(node, page)).join("");
}

/** The tree of the parser, without comments, as the sanitizer expects it. */
function convert(nodes: DefaultTreeAdapterTypes.ChildNode[]): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.nodeName === "#text" && "value" in node) return [{ type: "text", value: node.value }];
    if (!("tagName" in node)) return [];
    // The only input that Markdown makes.
    if (node.tagName === "input" && !node.attrs.some(({ value }) => value === "checkbox")) return [];
    const properties = Object.fromEntries(node.attrs.map(({ name, value }) => property(name, value)));
    return [{ type: "element", tagName: node.tagName, properties, children: convert(node.childNodes) }];
  });
}

const propertyNames: Record<string, string> = { colspan: "colSpan", rowspan: "rowSpan", datetime: "dateTime" };
const flags = new Set(["checked", "disabled", "open"]);

function property(name: string, value: string): [string, Properties[string]] {
  if (name === "class") return ["className", value.split(/\s+/).slice(0, 10)];
  return [propertyNames[name] ?? name, flags.has(name) ? true : value];
}
