import { html } from "../../platform/markup.ts";
import type { Language } from "../site/language.ts";
import { errorTexts } from "../site/texts/errors.ts";
import type { Ledger } from "./ledger.ts";
import { allTypes, caching } from "./types.ts";
import { resolve } from "./write.ts";

/** An address that leads to another one. */
export type Move = { from: string; file: string; to: string };

export function* listMoves(ledger: Ledger, base: string): Generator<Move> {
  for (const entries of ledger.each("moved")) {
    for (const { key, file } of entries) {
      const found = file === null ? null : resolve(ledger, key);
      if (found && file !== null) yield { from: base + key, file, to: found.link + found.hash };
    }
  }
}

/** For hosts without redirects. `language` is that of the site. */
export const movedPage = (origin: string, to: string, language: Language) =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta http-equiv="refresh" content="0; url=${to}" />
        <link rel="canonical" href="${origin + to}" />
        <title>${origin + to}</title>
      </head>
      <body>
        <p>${errorTexts[language].moved} <a href="${to}">${origin + to}</a></p>
      </body>
    </html> `.toString();

/** What of the headers of a page a web server has to send with every page. */
const kept = [
  "content-security-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
];

export function securityHeaders(headers: Headers): [string, string][] {
  return kept.flatMap((name) => {
    const value = headers.get(name);
    const title = name.replaceAll(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
    return value === null ? [] : [[title, value] as [string, string]];
  });
}

/** Those of Cloudflare Pages. */
const limits = { redirects: 2000, characters: 1000 };

/**
 * For Netlify and Cloudflare Pages. What hosts do not accept is left out: there is a page of `movedPage` for it, which Netlify
 * shows in any case.
 */
export const printRedirects = (moves: readonly Move[]) =>
  moves
    .map(({ from, to }) => `${from} ${to} 301\n`)
    .filter((line) => line.length <= limits.characters)
    .slice(0, limits.redirects)
    .join("");

/** For Netlify and Cloudflare Pages. A path has one rule for each header: some hosts would join several. */
export function printHeaders(security: [string, string][], base: string): string {
  const block = (path: string, headers: [string, string][]) =>
    `${path}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join("")}`;
  return [
    block(`${base}/*`, security),
    block(`${base}/assets/*`, [["Cache-Control", caching.immutable]]),
    block(`${base}/media/photos/*`, [["Cache-Control", caching.pictures]]),
  ].join("\n");
}

/**
 * To be included in a `server` of nginx, which has the `root`. In a folder of a site, everything is in a `location`, so that
 * the rest of that site stays unchanged; the `root` is that of the site.
 */
export function printNginx(security: [string, string][], moves: readonly Move[], base: string): string {
  const headers = (caching: string) =>
    [...security, ["Cache-Control", caching]].map(
      ([name = "", value = ""]) => `  add_header ${name} ${quote(value)} always;`,
    );
  const safe = moves.filter(({ from, to }) => !/[$"\\\p{Cc}]/u.test(decodePath(from) + to));
  const redirects = safe.map(({ from, to }) => `location = ${quote(decodePath(from))} { return 301 ${quote(to)}; }\n`);
  const here = base.replaceAll(".", "\\.");
  const serving = `index index.html;
charset utf-8;
charset_types text/plain text/css text/javascript application/json application/xml application/manifest+json;
error_page 404 ${base}/404.html;
absolute_redirect off;

types {
${allTypes()
  .map(([extension, type]) => `  ${type} ${extension};`)
  .join("\n")}
}
default_type application/octet-stream;
`;
  const locations = `location ${base}/assets/ {
${headers(caching.immutable).join("\n")}
}

location ${base}/media/photos/ {
${headers(caching.pictures).join("\n")}
}

location ~ ^${here}/(nginx\\.conf|_headers|_redirects|\\.(?!well-known/).*)$ {
  return 404;
}

location ~ ^(?<page>${here}/.+)/comments/(?<comment>[0-9]+)$ {
  return 301 $page/#comment-$comment;
}
`;
  const pages = `try_files $uri $uri/index.html =404;
${headers(caching.short).join("\n")}
`;
  const about = `# A static copy of this site. Include this file in a server block that has the root of ${base === "" ? "the copy" : "the site"}:
#
#   server {
#     listen 80;
#     server_name example.org;
#     root /srv/${base === "" ? "copy" : "site"};
#     include /srv/${base === "" ? "copy" : `site${base}`}/nginx.conf;
#   }

`;
  if (base === "") return `${about}${serving}\nlocation / {\n${pages}}\n\n${locations}\n${redirects.join("")}`;
  return `${about}location = ${base} { return 301 ${base}/; }\n\nlocation ${base}/ {\n${serving}\n${pages}\n${locations}\n${redirects.join("")}}\n`;
}

const quote = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
