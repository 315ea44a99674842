import { z } from "zod";
import { invalid } from "../errors.ts";
import type { KeysetRequest, Order, Position, Sort } from "../database/keyset.ts";
import { hashOfText } from "../hash.ts";
import { isStorable } from "../text.ts";
import type { Exchange } from "./exchange.ts";
import { pageQuery, printParameters } from "./pages.ts";
import { validate } from "./validate.ts";

/** How the list of a route is read by cursor. */
export type CursorOptions = {
  /** Its parameters. */
  readonly query: z.ZodObject;
  readonly choose: (parameters: Record<string, string>) => Choice;
  /** The list has no other form: without `cursor`, the first page is returned. */
  readonly isOnly?: boolean;
  /** The list has a total for every filter: it is read by cursor only if `cursor` is sent. */
  readonly isOnRequest?: true;
};

type Choice = Pick<KeysetRequest, "sort" | "order"> & { chosen: Record<string, string> };

export type CursorRequest = KeysetRequest & {
  /** Identifies the list, its order and its filters. A cursor is valid only for those it was made for. */
  readonly list: string;
  /** The parameters of the links to other pages. */
  readonly parameters: Record<string, unknown>;
};

const cursor = z.string().max(4096).optional().meta({
  description:
    "Reads the list by cursor: empty for the first page, then the value in the `next` link. Cannot be combined with `page`.",
});

/** The client chooses one of `sorts`, of which the first is the default. `orders` are defaults of some of them. */
export function sortedBy(
  sorts: Record<string, Sort>,
  defaultOrder: Order,
  orders: Record<string, Order> = {},
): CursorOptions {
  const others = Object.entries(orders).map(([sort, order]) => ` With \`sort=${sort}\`, the default is \`${order}\`.`);
  const query = z.object({
    cursor,
    sort: z
      .enum(Object.keys(sorts))
      .default(Object.keys(sorts)[0] as string)
      .meta({ description: "What to sort by. The list is then read by cursor." }),
    order: z
      .enum(["asc", "desc"])
      .default(defaultOrder)
      .meta({ description: `Ascending or descending. The list is then read by cursor.${others.join("")}` }),
  });
  return {
    query,
    choose(parameters) {
      const { sort, ...valid } = validate(query, parameters);
      const order = (parameters["order"] === undefined && orders[sort]) || valid.order;
      return { sort: sorts[sort] as Sort, order, chosen: { sort, order } };
    },
  };
}

/** The list has only this order. Without `cursor`, all of it is returned. */
export function alwaysSortedBy(sort: Sort, order: Order): CursorOptions {
  const pageSize = pageQuery.shape.pageSize.meta({ description: "Records per page; has no effect without `cursor`." });
  return { query: z.object({ cursor, pageSize }), choose: () => ({ sort, order, chosen: {} }) };
}

/** The same for a list that is too long to be returned as a whole. */
export function onlyByCursor(sort: Sort, order: Order) {
  const { query, choose } = alwaysSortedBy(sort, order);
  const { description } = pageQuery.shape.pageSize.meta() ?? {};
  const described = query.extend({ pageSize: pageQuery.shape.pageSize.meta({ description }) });
  return { query: described, choose, isOnly: true } as const;
}

/** The list has only this order, and page numbers beside `cursor`, also with filters. */
export function alsoByCursor(sort: Sort, order: Order): CursorOptions {
  return { query: z.object({ cursor }), choose: () => ({ sort, order, chosen: {} }), isOnRequest: true };
}

type Listing = { cursor?: CursorOptions | undefined; paged?: true | undefined };

/**
 * Null if the request is not for a page by cursor. Most lists with page numbers have no total for a filter or another order,
 * so those are always read by cursor.
 */
export function readCursor(
  { cursor: options, paged }: Listing,
  path: string,
  search: URLSearchParams,
  filters: Record<string, unknown>,
): CursorRequest | null {
  if (!options || (search.size === 0 && !options.isOnly)) return null;
  const names =
    paged && !options.isOnRequest ? [...Object.keys(options.query.shape), ...Object.keys(filters)] : ["cursor"];
  const reason = names.find((name) => search.has(name));
  if (!reason && !options.isOnly) return null;
  if (reason && search.has("page")) {
    throw invalid(`"page" cannot be combined with "${reason}": follow the links in the Link header instead.`, "page");
  }
  const sent = Object.fromEntries(search);
  const { sort, order, chosen } = options.choose(sent);
  const { cursor: text = "", pageSize } = validate(cursorQuery, sent);
  const list = hashOfText(JSON.stringify([path, chosen, filters])).slice(0, 12);
  const after = text === "" ? null : decodeCursor(text, list, sort);
  return { sort, order, after, size: pageSize, list, parameters: { pageSize, ...chosen, ...filters } };
}

const cursorQuery = z.object({ cursor, pageSize: pageQuery.shape.pageSize });

/** Links to the first and the next page (RFC 8288). The last page has no `next`. */
export function cursorHeaders(
  { baseURL, path }: Pick<Exchange, "baseURL" | "path">,
  { list, parameters }: CursorRequest,
  next: Position | null,
): Record<string, string> {
  const rest = printParameters(parameters);
  const link = (text: string, rel: string) => `<${baseURL}${path}?cursor=${text}${rest}>; rel="${rel}"`;
  return { Link: [link("", "first"), ...(next ? [link(encodeCursor(list, next), "next")] : [])].join(", ") };
}

/** The cursor of a position in a list. */
export function encodeCursor(list: string, { id, key }: Position): string {
  return Buffer.from(JSON.stringify([list, id, key])).toString("base64url");
}

/** The position of a cursor. Throws if it was not made for this list. */
export function decodeCursor(text: string, list: string, sort: Sort): Position {
  const parsed = z.tuple([z.string(), z.int().min(1), keySchema(sort)]).safeParse(parse(text));
  if (!parsed.success || encodeCursor(parsed.data[0], toPosition(parsed.data)) !== text) {
    throw invalid(
      `"cursor" is malformed: use the one in the "next" link, or an empty one for the first page.`,
      "cursor",
    );
  }
  if (parsed.data[0] === list) return toPosition(parsed.data);
  throw invalid(`"cursor" belongs to another list, order or filter: start again with an empty one.`, "cursor");
}

const toPosition = ([, id, key]: [string, number, Position["key"]]): Position => ({ id, key });

function keySchema({ type, isNullable }: Sort): z.ZodType<Position["key"]> {
  const value = type === "integer" ? z.int() : z.string().refine(isStorable);
  return isNullable ? value.nullable() : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return null;
  }
}
