import type { z } from "zod";
import type { CursorOptions, CursorRequest } from "./cursor.ts";
import type { Exchange } from "./exchange.ts";
import type { PageRequest } from "./pages.ts";

export type Role = "reader" | "author" | "admin";
export type Bucket = "api" | "media" | "none";

/** The user who sends a request, as far as the platform needs to know. */
export type Caller = { id: number; username: string; role: Role; tokenID: string };

/** The user who views something: a caller, or null for a guest. */
export type Viewer = Pick<Caller, "id" | "role"> | null;

/** The input of a handler. `caller` exists if the route has a role, `record` if it has `find`. */
export type Call<Found, Body, Query> = {
  caller: Caller;
  /** The caller, if the route is `personal`; null for a guest, or for a token that is no longer valid. */
  viewer: Caller | null;
  record: Found;
  body: Body;
  query: Query;
  page: PageRequest;
  /** Set if the list is to be read by cursor; only on routes with `cursor`. */
  cursor: CursorRequest | null;
  params: Params;
  exchange: Exchange;
};

/** The ids in the path; a route has those that its path names. */
export type Params = Readonly<Record<"id" | "photoID" | "versionID", number>>;

/**
 * One endpoint. The order of the checks is part of the contract: limit, route, token, record, permission, input. The
 * OpenAPI document is generated from the same declaration.
 */
export type Declaration<Found, Body extends z.ZodType, Query extends z.ZodObject> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  /** Unique; the name in generated clients. */
  name: string;
  /** Defined by the base specification, which allows no other statuses: an unknown method is a 404, not a 405. */
  base?: true;
  tag: string;
  summary: string;
  details?: string;
  /** The rate limit bucket of a request; by default, the one for its path. */
  limit?: Bucket;
  /** The minimum role of the caller; without one, no token is needed. */
  role?: Role;
  /** Needs no token, but returns more to some callers. */
  personal?: true;
  /** Loads the record that the path refers to; throws if it does not exist. */
  find?: (params: Params) => Promise<Found>;
  may?: (caller: Caller, record: Found) => boolean;
  query?: Query;
  /** Headers that the handler reads itself. */
  headers?: Record<string, Header>;
  /** Accepts `page` and `pageSize`; the handler returns `{ items, total }`. */
  paged?: true;
  /** Accepts `cursor`; the handler then returns `{ items, next }`. */
  cursor?: CursorOptions;
  body?: Body;
  /** A form that the handler reads itself. */
  form?: z.ZodObject;
  /** The content type of a binary body, which the handler reads itself. */
  bytes?: string;
  status?: 200 | 201 | 204;
  /** The URL of a created record, with `{id}` for its id; by default, its id below the path of the route. */
  location?: `/${string}`;
  /** The response on success: JSON of this schema, or bytes of these types. */
  answer: z.ZodType | Media;
  /** Statuses that not every such route has, with their meaning here. */
  statuses?: Record<number, string>;
  /** Returns a value that becomes JSON, or a Response. */
  handle: (call: Call<Found, z.output<Body>, z.output<Query>>) => unknown;
};

/** The meaning of a request header, for the document. */
export type Header = { description: string; example: string; required?: true };

/** Bytes with one of these content types. */
export type Media = { contentTypes: string[]; description: string };

export function isMedia(answer: z.ZodType | Media): answer is Media {
  return "contentTypes" in answer;
}

export type Route = Declaration<unknown, z.ZodType, z.ZodObject>;

export function route<Found = null, Body extends z.ZodType = z.ZodNull, Query extends z.ZodObject = z.ZodObject>(
  declaration: Declaration<Found, Body, Query>,
): Route {
  // Types of record, body and query are checked against each other here; request processing only passes them on.
  return declaration as unknown as Route;
}

const ranks: Record<Role, number> = { reader: 1, author: 2, admin: 3 };

export function mayActAs(caller: Caller, role: Role): boolean {
  return ranks[caller.role] >= ranks[role];
}

/** The rule for nearly every record: its owner, or an admin. */
export function isOwnerOrAdmin(viewer: Viewer, record: { ownerID: number }): boolean {
  return viewer !== null && (viewer.id === record.ownerID || viewer.role === "admin");
}
