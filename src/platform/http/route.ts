import type { z } from "zod";
import type { Queries } from "../database/database.ts";
import type { Position } from "../database/keyset.ts";
import type { Slices } from "../database/slices.ts";
import type { Sql } from "../database/sql.ts";
import type { MediaResult } from "./content.ts";
import type { CursorOptions, CursorRequest } from "./cursor.ts";
import type { Exchange } from "./exchange.ts";
import type { PageRequest } from "./pages.ts";
import type { LimitKind, Needed as NeededScope, Scope } from "./scopes.ts";
import type { Transact } from "./transact.ts";

export type Role = "reader" | "author" | "admin";
/** A page takes from `pages` only if it is not served from memory. */
export type Bucket = "api" | "media" | "pages" | "none";

/** The user who sends a request, as far as the platform needs to know. */
export type Caller = {
  id: number;
  username: string;
  role: Role;
  tokenID: string;
  /** The app key with which a program acts for the user. Without the scope `admin`, the role is never `admin`. */
  key?: { id: number; scopes: readonly Scope[] };
  /** Of the app key: for this caller, nothing else exists. */
  limit?: Limit;
  /** Set if the user has to set up a second factor before anything else. */
  needsFactor?: true;
  /** Set in the session of a browser: its token was made to be a cookie. */
  isInBrowser?: true;
};

/** Who views something: a caller, or null for a guest. A guest with a grant has the id 0, which no user has. */
export type Viewer = { id: number; role: Role | "guest"; grant?: Grant; limit?: Limit } | null;

/** The one record to which an app key is limited, and what it reaches by it. A kind that is missing in `reach` is not reached. */
export type Limit = {
  readonly kind: LimitKind;
  readonly id: number;
  readonly reach: Readonly<Record<string, Reach>>;
};

/** Records of one kind: there may be very many. */
export type Reach = {
  /** Their ids, as what stands between the parentheses of `IN ()`. */
  readonly ids: Sql;
  /** The condition that a column has one of these ids, which does not read all of them. */
  includes(id: Sql): Sql;
};

/** Records of one owner that a request may read besides those that its caller may read. */
export type Grant = {
  readonly ownerID: number;
  /** These records by their kind. */
  readonly reach: Readonly<Record<string, Reach>>;
  readonly allowDownload: boolean;
  readonly showMetadata: boolean;
};

/** Finds the grant of a request. `headers` are those by which the request asks for one. */
export type Grants = {
  readonly headers: Record<string, Header>;
  /** The token in a path that asks for a grant, and the path behind it; null for other paths. */
  readPath?(path: string): { token: string; path: string } | null;
  /** Null if the request has no valid grant. */
  find(exchange: Exchange): Promise<Grant | null>;
};

/**
 * One endpoint. The order of the checks is part of the contract: limit, route, token, record, permission, input. The
 * OpenAPI document is generated from the same declaration.
 */
export type Route = {
  /** Loads all that is not there yet of a route that is declared by its method and path (`LateRoutes`). */
  load?(): Promise<void>;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  /** Unique; the name in generated clients. */
  name: string;
  /** Defined by the base specification, which allows no other statuses. */
  base?: true;
  tag: string;
  summary: string;
  details?: string;
  /** The rate limit bucket of a request; by default `api`. */
  limit?: Bucket;
  /** Of another protocol than the API: an unknown method is a 405, and outside its path everyone with a token is limited by account. */
  isOfProtocol?: true;
  /**
   * A page for people, not a part of the API: the parts of its path are texts, not ids; it is cached for each language; and
   * its errors are pages, too.
   */
  isPage?: true;
  /** The response is never cached, so that the handler of a page for guests sees the whole request. */
  isNeverKept?: true;
  /** The handler checks itself who asks: no cache may store a response, whatever it is. */
  isPrivate?: true;
  /** The minimum role of the caller; without one, no token is needed. */
  role?: Role;
  /** What it asks of an app key. By default, what reads asks for `read`, and everything else for a person who has signed in. */
  scope?: NeededScope;
  /**
   * Lets in app keys that are limited to one of these. Then its handler reads and changes only what the limit of its caller or
   * viewer reaches. All other routes refuse such keys.
   */
  openTo?: readonly LimitKind[];
  /** Also for those who have to set up a second factor before anything else. */
  withoutFactor?: true;
  /** Needs no token, but returns more to some callers. No cache may store what it returns to them. */
  personal?: true;
  /** For a route that is `personal`: its viewer may have a grant. */
  granted?: true;
  /** Loads the record that the path refers to; throws if it does not exist for this viewer. */
  find?(params: Record<string, number>, viewer: Viewer): Promise<unknown>;
  may?(caller: Caller | null, record: unknown): boolean;
  /** Throws if a request with this body is refused. The body is as it was sent; null if it is not JSON. */
  mayWith?(record: unknown, sent: unknown): void;
  /** Locks the record and returns what its GET returns to this caller: `If-Match` is compared with its tag. */
  current?(tx: Queries, caller: Caller | null, params: Record<string, number>): Promise<unknown>;
  query?: z.ZodObject;
  /**
   * Why a POST does not return its first result again for an `Idempotency-Key`. An upload would have to be received before it
   * can be compared, so the key is refused. A token or another secret is not stored, so the key is ignored. So it is where the
   * POST only reads: it can be repeated without a key.
   */
  noIdempotency?: "upload" | "token" | "read";
  /** The response says more than is known in the transaction: for an `Idempotency-Key`, it is stored again when it is complete. */
  settlesLater?: true;
  /**
   * Whether a request with this body, or none, is handled while the storage is full, because it frees space or takes hardly
   * any. A request that reads or deletes always is, others by default are not.
   */
  whenFull?(body: unknown): boolean;
  /** Headers that the handler reads itself. */
  headers?: Record<string, Header>;
  /** Accepts `page` and `pageSize`; the handler returns `{ items, total }`. */
  paged?: true;
  /** Accepts `cursor`; the handler then returns `{ items, next }`. */
  cursor?: CursorOptions;
  body?: z.ZodType;
  /** The body may also be sent by the form of a page, whose fields are those of the schema. */
  acceptsForm?: true;
  /** Does nothing with the session of a browser: the JSON of its body may have any content type, as beside a token. */
  ignoresSessions?: true;
  /** A form that the handler reads itself. */
  form?: z.ZodObject;
  /** The content type of a binary body, which the handler reads itself. */
  bytes?: string;
  status?: 200 | 201 | 202 | 204;
  /** The URL of a created record, with `{id}` for its id; by default, its id below the path of the route. */
  location?: `/${string}`;
  /** The response on success: JSON of this schema, or bytes of these types. */
  response: z.ZodType | Media;
  /** Statuses that not every such route has, with their meaning here. */
  statuses?: Record<number, string>;
  /** Headers of the response, which scripts of other origins may read; the handler returns `{ body, headers }`. */
  responseHeaders?: readonly string[];
  /** Returns the value of the schema, in which a list may come in slices; for bytes, a `MediaResult`. */
  handle(call: Call): unknown;
};

/** The input of a handler. What the route does not declare is null. */
export type Call = {
  caller: Caller | null;
  /** The caller, also if the route is only `personal`; null for a guest, or for a token that is no longer valid. */
  viewer: Viewer;
  record: unknown;
  body: unknown;
  query: object | null;
  page: PageRequest | null;
  /** Set if the list is to be read by cursor. */
  cursor: CursorRequest | null;
  params: Record<string, number>;
  /** The parts of the path, as they were sent. */
  texts: Record<string, string>;
  /**
   * For the change that the request asks for, one transaction. It fails if the record that the path refers to does not match
   * `If-Match`. For a POST with an `Idempotency-Key`, it also stores the response.
   */
  transaction: Transact;
  exchange: Exchange;
};

/** The meaning of a request header, for the document. */
export type Header = { description: string; example: string; required?: true };

/** Bytes with one of these content types; with a schema, they are JSON. */
export type Media = { contentTypes: string[]; description: string; schema?: z.ZodType };

export function isMedia(response: z.ZodType | Media): response is Media {
  return "contentTypes" in response;
}

/**
 * Declares an endpoint. Its handler gets exactly what the declaration has, and must return what the declaration
 * promises.
 */
export function route<
  Path extends `/${string}`,
  Answered extends z.ZodType | Media,
  Needed extends Role | undefined = undefined,
  Personal extends true | undefined = undefined,
  Granted extends true | undefined = undefined,
  Paged extends true | undefined = undefined,
  Found = null,
  Body extends z.ZodType = z.ZodNull,
  Query extends z.ZodObject | z.ZodNull = z.ZodNull,
  const Sends extends readonly string[] | undefined = undefined,
  Cursor extends CursorOptions | undefined = undefined,
>(
  declaration: Omit<Route, "load" | "find" | "may" | "mayWith" | "current" | "whenFull" | "handle"> & {
    path: Path;
    role?: Needed;
    personal?: Personal;
    granted?: Granted;
    find?: (params: Params<Path>, viewer: ViewerOf<Needed, Personal, Granted>) => Promise<Found>;
    may?: (caller: CallerOf<Needed>, record: Found) => boolean;
    mayWith?: (record: Found, sent: unknown) => void;
    current?: (tx: Queries, caller: CallerOf<Needed>, params: Params<Path>) => Promise<unknown>;
    whenFull?: (body: z.output<Body>) => boolean;
    query?: Query;
    paged?: Paged;
    cursor?: Cursor;
    body?: Body;
    response: Answered;
    responseHeaders?: Sends;
    handle: (call: {
      caller: CallerOf<Needed>;
      viewer: ViewerOf<Needed, Personal, Granted>;
      record: Found;
      body: z.output<Body>;
      query: z.output<Query>;
      page: Paged extends true ? PageRequest : null;
      cursor: CursorOf<Cursor>;
      params: Params<Path>;
      texts: { readonly [Name in ParamName<Path>]: string };
      transaction: Transact;
      exchange: Exchange;
    }) => Result<ResultOf<Answered, Paged, Sends> | CursorPageOf<Answered, Cursor>>;
  },
): Route {
  return declaration;
}

type Result<Value> = Value | Promise<Value>;

type CursorOf<Cursor> = Cursor extends { isOnly: true }
  ? CursorRequest
  : Cursor extends CursorOptions
    ? CursorRequest | null
    : null;

/** The ids in the path, by the names in it: `/trees/:id/leaves/:leafID` has `id` and `leafID`. */
type Params<Path extends string> = { readonly [Name in ParamName<Path>]: number };

type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type CallerOf<Needed> = Needed extends Role ? Caller : null;
type ViewerOf<Needed, Personal, Granted> = Needed extends Role
  ? Caller
  : Personal extends true
    ? Granted extends true
      ? Viewer
      : Caller | null
    : null;

type ResultOf<Answered, Paged, Sends> = Answered extends z.ZodType
  ? Paged extends true
    ? PageOf<z.output<Answered>>
    : Sends extends readonly (infer Name extends string)[]
      ? { body: Sliced<z.output<Answered>>; headers: { [Sent in Name]?: string } }
      : Sliced<z.output<Answered>>
  : MediaResult;

type CursorPageOf<Answered, Cursor> = Cursor extends CursorOptions
  ? Answered extends z.ZodType
    ? { items: Sliced<z.output<Answered>>; next: Position | null }
    : never
  : never;

type PageOf<List> = List extends (infer Item)[] ? { items: Item[] | Slices<Item>; total: number } : never;

/** The value, in which a list may come in slices: the value itself, or one of its fields. */
type Sliced<Value> = Value extends (infer Item)[]
  ? Value | Slices<Item>
  : Value extends object
    ? { [Name in keyof Value]: Value[Name] extends (infer Item)[] ? Value[Name] | Slices<Item> : Value[Name] }
    : Value;

const ranks: Record<Role, number> = { reader: 1, author: 2, admin: 3 };

export function mayActAs(caller: Caller, role: Role): boolean {
  return ranks[caller.role] >= ranks[role];
}

/** Whether the viewer has not signed in. */
export function isGuest(viewer: Viewer): boolean {
  return viewer === null || viewer.role === "guest";
}

/** The rule for nearly every record: its owner, or an admin. */
export function isOwnerOrAdmin(viewer: Viewer, record: { ownerID: number }): boolean {
  return viewer !== null && !isGuest(viewer) && (viewer.id === record.ownerID || viewer.role === "admin");
}
