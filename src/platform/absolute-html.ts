const urlAttributes = ["href", "src", "poster", "cite"];

/** The same HTML with absolute URLs, for readers that show it elsewhere. `base` is the address of its page. */
export function absoluteHTML(html: string, base: string): string {
  const resolve = (url: string) => (URL.canParse(url, base) ? new URL(url, base).href : url);
  const rewriter = new HTMLRewriter();
  for (const name of urlAttributes) {
    rewriter.on(`[${name}]`, {
      element(element) {
        element.setAttribute(name, resolve(element.getAttribute(name) ?? ""));
      },
    });
  }
  rewriter.on("[srcset]", {
    element(element) {
      const candidates = (element.getAttribute("srcset") ?? "").split(/,\s+/);
      element.setAttribute("srcset", candidates.map((one) => one.replace(/^\s*\S+/, (url) => resolve(url))).join(", "));
    },
  });
  return rewriter.transform(html);
}
