/** Where a link occurs: what it may lead to depends on that. */
export type Place = {
  /** Programs read it, such as feed readers and social networks: pictures are JPEG. */
  isForPrograms: boolean;
  rel: string;
};

/**
 * Returns what replaces a URL in the copy: undefined leaves it, null removes it. The URL is one of this
 * site, without its origin.
 */
export type MapLink = (url: string, place: Place) => string | null | undefined;

/** Attributes with a URL, or with a set of them. */
const urls = new Set(
  "href src poster action data-download data-video data-far data-near data-index srcset imagesrcset data-srcset".split(
    " ",
  ),
);

/** A page in which every link to this site is replaced. */
export function mapPage(html: string, origin: string, map: MapLink): string {
  let json = "";
  return new HTMLRewriter()
    .on("*", {
      element(element) {
        // Each call into the parser costs more than what is done with its result.
        const found = [...element.attributes].filter(([name]) => urls.has(name));
        if (found.length === 0) return;
        const place = { isForPrograms: false, rel: element.getAttribute("rel") ?? "" };
        for (const [name, value] of found) {
          const old = decode(value);
          const mapped = name.endsWith("srcset") ? mapSet(old, origin, place, map) : mapURL(old, origin, place, map);
          if (mapped === null) element.removeAttribute(name);
          else if (mapped !== undefined && mapped !== old) element.setAttribute(name, encode(mapped));
        }
      },
    })
    .on("meta[content]", {
      element(element) {
        const value = decode(element.getAttribute("content") ?? "");
        if (value.startsWith(`${origin}/`)) element.setAttribute("content", encode(mapText(value, origin, map)));
      },
    })
    .on('script[type="application/ld+json"]', {
      text(text) {
        json += text.text;
        if (text.lastInTextNode) {
          text.replace(mapText(json, origin, map, false), { html: true });
          json = "";
        } else text.remove();
      },
    })
    .transform(html);
}

function mapURL(value: string, origin: string, place: Place, map: MapLink): string | null | undefined {
  const isAbsolute = value === origin || value.startsWith(`${origin}/`) || value.startsWith(`${origin}?`);
  // Authors also write addresses that are relative to that of the page. In the copy, pages have others.
  const isOfSite = isAbsolute || !/^(?:$|#|\/\/|[a-z][a-z0-9+.-]*:)/i.test(value);
  if (!isOfSite) return undefined;
  const mapped = map(isAbsolute ? value.slice(origin.length) || "/" : value, place);
  return isAbsolute && mapped ? origin + mapped : mapped;
}

function mapSet(value: string, origin: string, place: Place, map: MapLink): string {
  const candidates = value.split(", ").flatMap((candidate) => {
    const [url = "", ...size] = candidate.trim().split(" ");
    const mapped = mapURL(url, origin, place, map);
    return mapped === null ? [] : [[mapped ?? url, ...size].join(" ")];
  });
  return candidates.join(", ");
}

/** An id of a feed, or nothing; the origin; and what follows, up to the end of an attribute that may be escaped twice. */
const absolute =
  /(<id>|"id":")?(https?:\/\/[^\s"'<>()\\&/?#]+)((?:[^\s"'<>()\\&]|&(?!(?:amp;)*(?:quot|lt|gt|apos|#39|#x27);))*)/g;

/** A text in which every absolute link to this site is replaced, but for the ids of feeds, which never change. */
export function mapText(text: string, origin: string, map: MapLink, isForPrograms = true): string {
  return text.replaceAll(absolute, (whole, id: string | undefined, there: string, rest: string) => {
    if (id !== undefined || there !== origin) return whole;
    const mapped = map(rest.replaceAll(/&(?:amp;)+/g, "&") || "/", { isForPrograms, rel: "" });
    return mapped ? origin + mapped : whole;
  });
}

/** Styles name files of the site without its origin. */
export function mapStyles(css: string, map: MapLink): string {
  return css.replaceAll(/url\((["']?)(\/[^)"'\s]*)\1\)/g, (whole, quote: string, url: string) => {
    const mapped = map(url, { isForPrograms: false, rel: "" });
    return mapped ? `url(${quote}${mapped}${quote})` : whole;
  });
}

const entities: Record<string, string> = { amp: "&", quot: '"', "#39": "'", "#x27": "'", apos: "'", lt: "<", gt: ">" };
const decode = (text: string) =>
  text.replaceAll(/&(amp|quot|#39|#x27|apos|lt|gt);/g, (_, name: string) => entities[name] ?? "");
const encode = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
