import { changeText } from "../../../src/platform/markdown/rewrite-markdown.ts";
import type { Context } from "./context.ts";
import { textField } from "./fields.ts";

const tags = /\{%-?[ \t]{0,20}(\w{1,40})([^%{}]{0,1000})%\}/g;
const outputs = /\{\{-?([^{}]{1,500})-?\}\}/g;
/** Classes and the like, which the Markdown of Jekyll allows after anything. */
const attributeLists = /[ \t]{0,10}\{:[^{}\n]{0,500}\}/g;

/** The text with Markdown for what Liquid would write. What it does otherwise stays as it is, and is reported. */
export function changeLiquid(text: string, context: Context): string {
  return changeText(text, (part) =>
    part
      .replace(tags, (whole, name: string, rest: string) => {
        const words = rest.replace(/-$/, "").trim();
        if (name === "highlight") return `\`\`\`${/^[\w+#.-]{1,40}/.exec(words)?.[0] ?? ""}`;
        if (name === "endhighlight") return "```";
        if (name === "raw" || name === "endraw") return "";
        const link = name === "post_url" || name === "link" ? context.linkTo(words) : null;
        return link ?? keep(whole, name, context);
      })
      .replace(outputs, (whole, inner: string) => liquidOutput(inner, context) ?? keep(whole, inner.trim(), context))
      .replace(attributeLists, ""),
  );
}

/** HTML of Jekyll, with the addresses that Liquid would write. */
export const changeLiquidInHTML = (html: string, context: Context): string =>
  html.replace(outputs, (whole, inner: string) => {
    const text = liquidOutput(inner, context);
    return text === null ? keep(whole, inner.trim(), context) : Bun.escapeHTML(text);
  });

const pathOutput =
  /^\s{0,20}(["'])([^"']{0,400})\1\s{0,20}\|\s{0,20}(?:relative_url|absolute_url|prepend:\s{0,20}site\.(?:baseurl|url))/;

/** A path, a setting of the site, or the title; null for anything else. */
function liquidOutput(inner: string, { document, settings }: Context): string | null {
  const path = pathOutput.exec(inner)?.[2];
  if (path !== undefined) return path.startsWith("/") ? path : `/${path}`;
  const name = /^\s{0,20}(site|page)\.(\w{1,60})\s{0,20}$/.exec(inner);
  if (name?.[1] === "page") return name[2] === "title" ? document.title : null;
  if (name?.[2] === "baseurl" || name?.[2] === "url") return "";
  return (name && textField(settings, name[2] ?? "")) || null;
}

function keep(whole: string, name: string, context: Context): string {
  context.note(`Liquid stays as it is: "${name.slice(0, 60)}".`);
  return whole;
}
