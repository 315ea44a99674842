import { z } from "zod";
import type { Exchange } from "./exchange.ts";
import { queryInteger, validate } from "./validate.ts";

export type PageRequest = { page: number; pageSize: number };

export const pageQuery = z.object({
  page: queryInteger(Number.MAX_SAFE_INTEGER).default(1).meta({ description: "Page number, starting at 1." }),
  pageSize: queryInteger(1000).default(10).meta({ description: "Records per page." }),
});

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
  query: Record<string, unknown> = {},
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const others = Object.entries(query).filter(([, value]) => value !== undefined);
  const filter = others.map(([name, value]) => `&${name}=${encodeURIComponent(String(value))}`).join("");
  const link = (target: number, rel: string) =>
    `<${baseURL}${path}?page=${target}&pageSize=${pageSize}${filter}>; rel="${rel}"`;
  const links = [link(1, "first")];
  if (page > 1) links.push(link(Math.min(page - 1, last), "prev"));
  if (page < last) links.push(link(page + 1, "next"));
  links.push(link(last, "last"));
  return { "X-Total-Count": String(total), Link: links.join(", ") };
}

export function offsetOf({ page, pageSize }: PageRequest): { offset: number; size: number } {
  return { offset: (page - 1) * pageSize, size: pageSize };
}
