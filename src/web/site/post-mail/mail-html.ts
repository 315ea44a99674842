import { raw } from "hono/html";
import type { Settings } from "../../../core/settings/settings.ts";
import { decodeAttribute } from "../../../platform/markdown/page-html.ts";
import { type Html, html } from "../../../platform/markup.ts";
import { fitAccent } from "../../themes/accent.ts";
import { coloursOf } from "../../themes/colours.ts";
import type { CardImage } from "../for-programs/card-image.ts";
import type { Language } from "../language.ts";
import { newsletterTexts } from "../texts/newsletter.ts";

const attributes = {
  src: /\ssrc="([^"]*)"/,
  srcset: /\ssrcset="([^"]*)"/,
  alt: /\salt="([^"]*)"/,
  width: /\swidth="([^"]*)"/,
  height: /\sheight="([^"]*)"/,
};

/** The column of text, without its margins. */
const columnWidth = 568;
const wantedWidth = 2 * columnWidth;

const serif = "'STIX Two Text', Georgia, 'Times New Roman', serif";
const sans = "'Source Sans 3', -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

type MailPost = {
  settings: Settings;
  language: Language;
  origin: string;
  title: string;
  /** The address of its page. */
  url: string;
  byline: string;
  hero: CardImage | null;
  /** The text, with absolute URLs. */
  content: string;
};

/** A mail in the look of the theme; what it returns makes one with this link to unsubscribe. It loads nothing but pictures of the site. */
export function printMail(post: MailPost): (leaveURL: string) => string {
  const { settings, language, origin, title, url, byline, hero, content } = post;
  const t = newsletterTexts[language].mail;
  const { heading, text, light } = lookOf(settings);
  const start = html`<!doctype html>
<html lang="${settings.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(stylesOf(settings))}</style>
</head>
<body style="margin:0;background:${light.paper};color:${light.ink};font-family:${sans}">
<div class="mail" style="max-width:${columnWidth}px;margin:0 auto;padding:24px 16px">
<p class="site" style="margin:0 0 24px;font-size:15px"><a href="${origin}/" style="color:${light.soft};text-decoration:none">${settings.siteName}</a></p>
<h1 dir="auto" style="margin:0 0 8px;font-family:${heading};font-size:30px;line-height:1.2"><a href="${url}" style="color:${light.ink};text-decoration:none">${title}</a></h1>
<p class="soft" style="margin:0 0 24px;font-size:14px;color:${light.soft}">${byline}</p>
${hero ? printHero(hero, url) : ""}<div class="text" dir="auto" style="font-family:${text};font-size:18px;line-height:1.6">
${raw(fitPictures(content, origin))}
</div>
<p style="margin:32px 0"><a class="read" href="${url}" style="color:${light.accent};font-weight:600">${t.read}</a></p>
<div class="end" style="margin-top:32px;padding-top:16px;border-top:1px solid ${light.tint};font-size:13px;line-height:1.5;color:${light.soft}">
<p style="margin:0 0 8px">${t.why(settings.siteName)}</p>
<p style="margin:0"><a href="`.toString();
  const end = html`" style="color:${light.soft}">${t.leave}</a></p>
</div>
</div>
</body>
</html>
`.toString();
  return (leaveURL) => start + html`${leaveURL}`.toString() + end;
}

function lookOf(settings: Settings) {
  const { isSerif, hasSerifText } = coloursOf(settings.theme);
  const of = (mode: "light" | "dark") => {
    const colours = coloursOf(settings.theme, mode);
    const { accentColour } = settings;
    const accent = accentColour === null ? colours.accent : toHex(fitAccent(settings.theme, mode, accentColour));
    return { ...colours, accent };
  };
  return { heading: isSerif ? serif : sans, text: hasSerifText ? serif : sans, light: of("light"), dark: of("dark") };
}

const toHex = (colour: readonly number[]) => `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;

/** What programs that read no styles in the head do without. */
function stylesOf(settings: Settings): string {
  const { heading, light, dark } = lookOf(settings);
  return `
.text a{color:${light.accent}}
.text img,.hero img{max-width:100%;height:auto}
.text p,.text ul,.text ol,.text blockquote,.text pre,.text table,.text figure{margin:0 0 20px}
.text h1,.text h2,.text h3,.text h4{margin:32px 0 12px;font-family:${heading};line-height:1.25}
.text figcaption{font-family:${sans};font-size:14px;color:${light.soft}}
.text blockquote{padding-left:16px;border-left:3px solid ${light.accent}}
.text pre{padding:12px;overflow-x:auto;background:${light.tint};font-size:14px}
.text code{font-size:.9em}
.text hr{border:0;border-top:1px solid ${light.tint}}
.text table{border-collapse:collapse}
.text td,.text th{padding:4px 8px;border:1px solid ${light.tint};text-align:start}
@media (prefers-color-scheme:dark){
body{background:${dark.paper}!important;color:${dark.ink}!important}
h1 a{color:${dark.ink}!important}
.text a,a.read{color:${dark.accent}!important}
.site a,.soft,.text figcaption,.end,.end a{color:${dark.soft}!important}
.text pre{background:${dark.tint}}
.text hr,.text td,.text th,.end{border-color:${dark.tint}!important}
.text blockquote{border-color:${dark.accent}}
}`;
}

function printHero({ url, width, height, alt }: CardImage, link: string): Html {
  const shown = Math.min(width, columnWidth);
  return html`<p class="hero" style="margin:0 0 24px">
    <a href="${link}"
      ><img
        src="${url}"
        width="${shown}"
        height="${Math.round((height * shown) / width)}"
        alt="${alt}"
        style="display:block;max-width:100%;height:auto;border:0"
    /></a>
  </p> `;
}

/**
 * Pictures of the site in one size that mail programs understand. Those of other sites become links: loading them would tell that site
 * who reads the mail, and when.
 */
function fitPictures(content: string, origin: string): string {
  return content
    .replace(/<img\b[^<>]*>/g, (tag) => {
      const get = (name: keyof typeof attributes) => decodeAttribute(attributes[name].exec(tag)?.[1] ?? "");
      const [src, alt] = [get("src"), get("alt")];
      if (URL.parse(src)?.origin !== origin) {
        return html`<a href="${src}">${alt || (URL.parse(src)?.host ?? src)}</a>`.toString();
      }
      const [width, height] = [Number(get("width")), Number(get("height"))];
      const shown = Math.min(width || columnWidth, columnWidth);
      const size =
        width > 0 && height > 0 ? html` width="${shown}" height="${Math.round((height * shown) / width)}"` : "";
      return html`<img
        src="${chooseSize(get("srcset"), src)}"
        ${size}
        alt="${alt}"
        style="max-width:100%;height:auto"
      />`.toString();
    })
    .replace(/<input\b[^<>]*>/g, (tag) => (/\schecked/.test(tag) ? "☑" : "☐"));
}

/** The smallest one that is sharp on every screen, or else the largest. */
function chooseSize(srcset: string, src: string): string {
  const sizes = srcset.split(", ").flatMap((one) => {
    const [, url = "", width] = /^(\S+) (\d+)w$/.exec(one) ?? [];
    return width === undefined ? [] : [{ url, width: Number(width) }];
  });
  return (sizes.find(({ width }) => width >= wantedWidth) ?? sizes.at(-1))?.url ?? src;
}
