import type { Photo } from "../../../content/photos/photo.ts";
import type { Visit } from "../page.ts";
import type { Entry } from "./entries.ts";
import { printXML, xml, type Xml } from "./xml.ts";

/** What a feed says about itself. `path` is its address, and `page` the page with the same content. */
export type Feed = {
  path: string;
  page: string;
  title: string;
  subtitle: string;
  /** The server that notifies readers of changes (WebSub), or null. */
  hub: string | null;
  entries: readonly Entry[];
};

const namespaces = { atom: "http://www.w3.org/2005/Atom", media: "http://search.yahoo.com/mrss/" };

/** A feed in Atom (RFC 4287). */
export function atomFeed({ origin, settings, logo }: Visit, feed: Feed): string {
  const { path, page, title, subtitle, hub, entries } = feed;
  const updated = entries.map((entry) => entry.updated).reduce((one, other) => (one > other ? one : other), never);
  return printXML(xml`<feed xmlns="${namespaces.atom}" xmlns:media="${namespaces.media}" xml:lang="${settings.language}">
<id>${origin + path}</id>
<title>${title}</title>
${subtitle === "" ? "" : xml`<subtitle>${subtitle}</subtitle>\n`}<updated>${updated}</updated>
<author><name>${settings.siteName}</name><uri>${origin}/</uri></author>
<link rel="self" type="application/atom+xml" href="${origin + path}"/>
${hub === null ? "" : xml`<link rel="hub" href="${hub}"/>\n`}<link rel="alternate" type="text/html" href="${origin + page}"/>
<icon>${origin}/favicon.ico</icon>
<logo>${origin}${findLogo(logo) ?? "/icon-512.png"}</logo>
<generator>Vitrine</generator>
${entries.map(printEntry)}</feed>
`);
}

/** Readers show it small. */
const findLogo = (logo: Photo | null) =>
  (logo?.variants.find(({ width }) => width >= 480) ?? logo?.variants.at(-1))?.url;

/** For a feed without entries. */
const never = new Date(0).toISOString();

function printEntry(entry: Entry): Xml {
  const { id, url, title, summary, html, published, updated, author, tags, picture, video } = entry;
  return xml`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${published}</published>
<updated>${updated}</updated>
${author && xml`<author><name>${author.name}</name><uri>${author.url}</uri></author>\n`}${tags.map(
    (tag) => xml`<category term="${tag}"/>\n`,
  )}${summary === "" ? "" : xml`<summary>${summary}</summary>\n`}<content type="html">${html}</content>
${picture && printPicture(picture)}${video && printVideo(video)}</entry>
`;
}

/** A client that asks for no format gets JPEG. */
const printPicture = ({ url, width, height, alt }: NonNullable<Entry["picture"]>) =>
  xml`<link rel="enclosure" type="image/jpeg" href="${url}"/>
<media:content url="${url}" medium="image" type="image/jpeg" width="${width}" height="${height}"><media:description>${alt}</media:description></media:content>
`;

const printVideo = ({ url, type, size, seconds }: NonNullable<Entry["video"]>) =>
  xml`<link rel="enclosure" type="${type}" length="${size}" href="${url}"/>
<media:content url="${url}" medium="video" type="${type}" fileSize="${size}"${
    seconds === null ? "" : xml` duration="${Math.round(seconds)}"`
  }/>
`;
