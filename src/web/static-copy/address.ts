import { hashOfText } from "../../platform/hash.ts";

/** Where something of the site is in a copy: the path of its file, and the address in links. */
export type Spot = { file: string; link: string };

/** Positions in lists that go on. Their values are opaque, and pages are numbered instead. */
const cursors = ["cursor", "newer", "photos"];
/** What only people who have signed in need, and what a server has to answer. */
const dynamic =
  /^\/(?:docs|openapi\.json|signin|signup|studio|session|setup|oembed|dav|mcp|s|livez|readyz|metrics)(?:\/|$)/;
const media = /^\/api\/v1\/(photos|files)\/(\d+)\/(image|motion|content)$/;
/** One page of the copy represents all of them. */
const withoutQuery = new Set(["/map", "/search"]);

/** The address without what makes no difference to a copy: path and query. Null if a copy has no such thing. */
export function toAddress(path: string, search: string): string | null {
  const plain = path === "/" ? path : path.replace(/\/$/, "");
  const isMedia = media.test(plain);
  if (dynamic.test(plain) || (plain.startsWith("/api/") && !isMedia)) return null;
  const query = new URLSearchParams(withoutQuery.has(plain) ? "" : search);
  if (isMedia) query.delete("download");
  return plain + (query.size === 0 ? "" : `?${query.toString()}`);
}

/** The address of a list without the position in it, and the name of the parameter with that position. */
export function splitCursor(address: string): { list: string; cursor: string | null } {
  const [path = "", search = ""] = address.split("?");
  const query = new URLSearchParams(search);
  const cursor = cursors.find((name) => query.has(name)) ?? null;
  for (const name of cursors) query.delete(name);
  return { list: path + (query.size === 0 ? "" : `?${query.toString()}`), cursor };
}

/** A picture or a file, if it is one: `kind` is the last part of its address. */
export function readMedia(address: string): { of: string; id: string; kind: string; query: URLSearchParams } | null {
  const [path = "", search = ""] = address.split("?");
  const [, of = "", id = "", kind = ""] = media.exec(path) ?? [];
  return kind === "" ? null : { of, id, kind, query: new URLSearchParams(search) };
}

/** `/blog?cursor=…`, as page 2 of a list, is `blog/~page-2/index.html`. */
export function pageSpot(address: string, number: number): Spot {
  const { list, cursor } = splitCursor(address);
  const [path = "", search = ""] = list.split("?");
  const values = [...new URLSearchParams(search)];
  const page = cursor === null ? [] : [[cursor === "photos" ? "photos" : "page", String(number)]];
  const suffix = [...values, ...page].map(([name = "", value = ""]) => `~${plainOf(`${name}-${value}`)}`).join("");
  const names = [...namesOf(path), ...(suffix === "" ? [] : [suffix])];
  return { file: [...names, "index.html"].join("/"), link: toLink(names, "/") };
}

/** `/custom.css?v=1` is `custom~v-1.css`. */
export function fileSpot(address: string): Spot {
  const [path = "", search = ""] = address.split("?");
  const suffix = [...new URLSearchParams(search)].map(([name, value]) => `~${plainOf(`${name}-${value}`)}`).join("");
  const names = namesOf(path);
  const last = names.pop() ?? "";
  const dot = last.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [last.slice(0, dot), last.slice(dot)] : [last, ""];
  const all = [...names, stem + suffix + extension];
  return { file: all.join("/"), link: toLink(all) };
}

export function mediaSpot(of: string, id: string, name: string): Spot {
  const names = ["media", of, id, safeName(name)];
  return { file: names.join("/"), link: toLink(names) };
}

/** The same in another place, where two addresses would have the same file on a disk that ignores case. */
export function otherSpot({ file, link }: Spot, address: string): Spot {
  const mark = `~${hashOfText(address).slice(0, 10)}`;
  const at = (text: string, end: string) => text.slice(0, text.length - end.length) + mark + end;
  if (file.endsWith("/index.html")) return { file: at(file, "/index.html"), link: at(link, "/") };
  const extension = /\.[^./]*$/.exec(file)?.[0] ?? "";
  return { file: at(file, extension), link: at(link, extension) };
}

const toLink = (names: string[], end = "") =>
  names.length === 0 ? "/" : `/${names.map(encodeURIComponent).join("/")}${end}`;

const namesOf = (path: string): string[] => path.split("/").filter(Boolean).map(decode).map(safeName);

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Names that some file system or web server does not accept get others. */
function safeName(name: string): string {
  const isSafe = !/[\p{Cc}\\/:*?"<>|]|[. ]$|^index\.html?$/iu.test(name) && Buffer.byteLength(name) <= 240;
  if (isSafe) return name;
  const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? "";
  return `${plainOf(name).slice(0, 100)}-${hashOfText(name).slice(0, 10)}${/^index\.html?$/i.test(name) ? "" : extension}`;
}

/** For values of a query. One that has other characters gets a hash of all of them. */
function plainOf(text: string): string {
  const plain = text.replaceAll(/[^\w.,-]+/g, "_").slice(0, 80);
  return plain === text ? plain : `${plain}-${hashOfText(text).slice(0, 10)}`;
}
