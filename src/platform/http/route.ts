import type { z } from "zod";
import type { Exchange } from "./exchange.ts";
import type { PageRequest } from "./pages.ts";

export type Role = "reader" | "author" | "admin";
export type Bucket = "api" | "media" | "none";

/** Who asks, as far as the platform needs to know. */
export type Caller = { id: number; username: string; role: Role; tokenID: string };

/** Who looks at something: a caller, or null for a guest. */
export type Viewer = Pick<Caller, "id" | "role"> | null;

/** What a handler is given. `caller` is there where the route names a role, `record` where it has `find`. */
export type Call<Found, Body, Query> = {
  caller: Caller;
  /** Who asks, where the route is `personal`; null for a guest, or for a token that is no longer valid. */
  viewer: Caller | null;
  record: Found;
  body: Body;
  query: Query;
  page: PageRequest;
  params: Params;
  exchange: Exchange;
};

/** The ids in the path; a route has those that its path names. */
export type Params = Readonly<Record<"id" | "photoID" | "versionID", number>>;

/**
 * One endpoint. The order of the checks is the contract's: limit, route, token, record, permission, input.
 * The OpenAPI document is made of the same words.
 */
export type Declaration<Found, Body extends z.ZodType, Query extends z.ZodObject> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  /** Unique; what a generated client calls it. */
  name: string;
  /** Given by the base specification, whose statuses are the only ones here: a method that is not known is a 404, not a 405. */
  base?: true;
  tag: string;
  summary: string;
  details?: string;
  /** Which bucket of the rate limit a request comes out of; by default, the one for its path. */
  limit?: Bucket;
  /** The least role that may call; none: everybody, without a token. */
  role?: Role;
  /** Open to everybody, but answers more to some. */
  personal?: true;
  /** Loads the record that the path names; throws when it is missing. */
  find?: (params: Params) => Promise<Found>;
  may?: (caller: Caller, record: Found) => boolean;
  query?: Query;
  /** Headers that the handler reads itself. */
  headers?: Record<string, Header>;
  /** Takes `page` and `pageSize`; the handler answers `{ items, total }`. */
  paged?: true;
  body?: Body;
  /** A form that the handler reads itself. */
  form?: z.ZodObject;
  /** The content type of a body of bytes, which the handler reads itself. */
  bytes?: string;
  status?: 200 | 201 | 204;
  /** Where a created record is found, with `{id}` for its id; by default, its id below the path of the route. */
  location?: `/${string}`;
  /** What success looks like: JSON of this schema, or bytes of these types. */
  answer: z.ZodType | Media;
  /** Statuses that not every such route has, with what they mean here. */
  statuses?: Record<number, string>;
  /** Answers a value that becomes JSON, or a Response. */
  handle: (call: Call<Found, z.output<Body>, z.output<Query>>) => unknown;
};

/** What a request header means; for the document. */
export type Header = { description: string; example: string; required?: true };

/** Bytes; they have one of the content types. */
export type Media = { contentTypes: string[]; description: string };

export function isMedia(answer: z.ZodType | Media): answer is Media {
  return "contentTypes" in answer;
}

export type Route = Declaration<unknown, z.ZodType, z.ZodObject>;

export function route<Found = null, Body extends z.ZodType = z.ZodNull, Query extends z.ZodObject = z.ZodObject>(
  declaration: Declaration<Found, Body, Query>,
): Route {
  // Record, body and query are checked against each other here; the way of a request only passes them on.
  return declaration as unknown as Route;
}

const ranks: Record<Role, number> = { reader: 1, author: 2, admin: 3 };

export function mayActAs(caller: Caller, role: Role): boolean {
  return ranks[caller.role] >= ranks[role];
}

/** The rule of nearly every record: its owner, or an admin. */
export function isOwnerOrAdmin(viewer: Viewer, record: { ownerID: number }): boolean {
  return viewer !== null && (viewer.id === record.ownerID || viewer.role === "admin");
}
