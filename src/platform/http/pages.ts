import { z } from "zod";
import type { Exchange } from "./exchange.ts";
import { queryInteger, validate } from "./validate.ts";

export type PageRequest = { page: number; pageSize: number };

const [firstPage, usualSize] = [1, 10];
const page = queryInteger(Number.MAX_SAFE_INTEGER);
const pageSize = queryInteger(1000);
const pageText = { description: "Page number, starting at 1." };
const pageSizeText = { description: "Records per page." };

export const pageQuery = z.object({
  page: page.default(firstPage).meta(pageText),
  pageSize: pageSize.default(usualSize).meta(pageSizeText),
});

/** For a record with a list that is returned whole if neither is sent. */
export const optionalPageQuery = z.object({
  page: page.optional().meta(pageText),
  pageSize: pageSize.optional().meta(pageSizeText),
});

/** Null for the whole list. */
export function toPage(query: z.output<typeof optionalPageQuery>): PageRequest | null {
  if (query.page === undefined && query.pageSize === undefined) return null;
  return { page: query.page ?? firstPage, pageSize: query.pageSize ?? usualSize };
}

export function readPage(search: URLSearchParams): PageRequest {
  return validate(pageQuery, Object.fromEntries(search));
}

/**
 * The total, and links to other pages (RFC 8288) that keep the other parameters of the query. The links are absolute if
 * the public URL of the server is known.
 */
export function pageHeaders(
  { baseURL, path }: Pick<Exchange, "baseURL" | "path">,
  { page, pageSize }: PageRequest,
  total: number,
  query: object | null = null,
): { "X-Total-Count": string; Link: string } {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const filter = printParameters(query ?? {});
  const link = (target: number, rel: string) =>
    `<${baseURL}${path}?page=${target}&pageSize=${pageSize}${filter}>; rel="${rel}"`;
  const links = [link(1, "first")];
  if (page > 1) links.push(link(Math.min(page - 1, last), "prev"));
  if (page < last) links.push(link(page + 1, "next"));
  links.push(link(last, "last"));
  return { "X-Total-Count": String(total), Link: links.join(", ") };
}

/** The parameters of a link, after others: `&a=1&b=2`. */
export function printParameters(parameters: object): string {
  const sent = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return sent.map(([name, value]) => `&${name}=${encodeURIComponent(String(value))}`).join("");
}

export function offsetOf({ page, pageSize }: PageRequest): { offset: number; size: number } {
  return { offset: (page - 1) * pageSize, size: pageSize };
}
