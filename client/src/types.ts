import type { Activity, File, Message, Operations, SignedIn, SignIn } from "../../build/client/api.ts";

export type ClientOptions = {
  /** Where the server is: `https://photos.example`. In a browser, the default is the site of the page. */
  baseURL?: string | undefined;
  /** The token of an earlier sign-in. */
  token?: string | null | undefined;
  /** For pages of the site itself: `signIn` opens a session with a cookie, and there is no token. */
  session?: boolean | undefined;
  /** A share link that every request uses. */
  share?: ShareLink | undefined;
  retry?: Retry | undefined;
  /** Where the client remembers unfinished uploads. Default: `localStorage`, or memory if there is none. */
  uploads?: UploadStore | undefined;
  /** Default: the global `fetch`. */
  fetch?: Fetch | undefined;
};

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** What follows `/s/` in a share link, and its password, if it has one. */
export type ShareLink = { token: string; password?: string | undefined };

/** Only requests that can be repeated without harm are repeated. */
export type Retry = {
  /** How many times a request is sent at most. Default: 5; 1 turns repetition off. For `events`: no limit. */
  attempts?: number | undefined;
  /** The first delay in milliseconds; it doubles each time, and a random part is taken off. Default: 400. */
  minDelay?: number | undefined;
  /** The longest delay in milliseconds. If the server asks for a longer one, the call fails. Default: 30 seconds. */
  maxDelay?: number | undefined;
};

export type CallOptions = {
  signal?: AbortSignal | undefined;
  retry?: Retry | undefined;
  /**
   * Milliseconds until an attempt fails that has no complete response. Default: 60 seconds; none for calls that send or
   * return bytes.
   */
  timeout?: number | undefined;
  headers?: Record<string, string> | undefined;
};

export type IfMatch = {
  /**
   * The record as this client has read or saved it, or its ETag: if the record has changed since, the call fails with the status
   * 412 and changes nothing.
   */
  ifMatch?: object | string | undefined;
};

export type Keyed = {
  /** Identifies the request, so that it is carried out only once. Default: a random one for each call. */
  idempotencyKey?: string | undefined;
};

export type Shared = { share?: ShareLink | undefined };

/** Parameters and body are one object, which may be omitted if nothing in it is required. */
type Arguments<Input, Options> = {} extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];

export type Call<Input, Answer, More = unknown> = (...sent: Arguments<Input, CallOptions & More>) => Promise<Answer>;

export type List<Input, Item, More = unknown> = {
  /** One page. */
  (...sent: Arguments<Input, CallOptions & More>): Promise<Page<Item, Input>>;
  /** All items; pages are requested as they are needed. */
  all(...sent: Arguments<Omit<Input, "page" | "cursor">, CallOptions & More>): AsyncGenerator<Item, void, undefined>;
};

export type Page<Item, Input> = {
  items: Item[];
  /** The input of the call that returns the next page; null on the last page. */
  next: Input | null;
  /** The number of items on all pages; null if the server does not count them. */
  total: number | null;
};

export type Download<Input, More = unknown> = {
  /** `range` is the value of the header: `bytes=0-1023`. */
  (...sent: Arguments<Input, CallOptions & More & { range?: string | undefined }>): Promise<Response>;
  /** The URL, for `<img>`, `<video>` and links. It contains no token. */
  url(...sent: Arguments<Input, never>): string;
};

export type Client = Omit<Operations, "signIn" | "signOut"> & {
  /** Null before `signIn`, after `signOut`, and if the client uses a session. */
  token: string | null;
  /** Keeps the token, or the cookie if the client uses a session. */
  signIn(input: SignIn, options?: CallOptions): Promise<Omit<SignedIn, "token">>;
  signOut(options?: CallOptions): Promise<Message>;
  /**
   * Uploads a file. An upload that was interrupted, by `signal`, by the network or by a reload of the page,
   * goes on where it was if the same file is uploaded again.
   */
  upload(content: Blob, options?: UploadOptions): Promise<File>;
  /** Changes as they happen. Connects again, without a gap, until `signal` ends it or the server refuses. */
  events(options?: EventOptions): AsyncGenerator<LiveEvent, void, undefined>;
};

export type UploadOptions = {
  /** Default: the name of a `File`. */
  name?: string | undefined;
  /** The directory; created if it does not exist. Default: the root. */
  path?: string | undefined;
  /**
   * What to do if the name is taken. Default: `rename`, which keeps both files. `reuse` does the same, but returns your file if it
   * already has this content there. With `reuse` and `replace`, a small file takes a single request.
   */
  onConflict?: "rename" | "reuse" | "replace" | "fail" | undefined;
  visibility?: "public" | "private" | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Stops the upload. To continue, upload the same file again; to give up, call `deleteUpload` with its id. */
  signal?: AbortSignal | undefined;
  /** Counts attempts without progress. */
  retry?: Retry | undefined;
  /** Identifies the file after a restart. Default: made of its name, path, size and time of change. */
  key?: string | undefined;
};

/** `uploadID` is null while the file is sent by one request, which cannot be resumed. */
export type UploadProgress = { sent: number; total: number; uploadID: number | null };

/** Remembers the ids of unfinished uploads. */
export type UploadStore = {
  get(key: string): string | null | Promise<string | null>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
};

export type EventOptions = {
  signal?: AbortSignal | undefined;
  /** The `id` of the last event that you have received: you get what happened since. */
  lastEventID?: string | undefined;
  retry?: Retry | undefined;
};

export type LiveEvent =
  | ({ type: "change"; id: string } & Pick<Activity, "action" | "kind" | "recordID" | "createdAt">)
  /** All changes after this one will be sent. */
  | { type: "ready"; id: string }
  /** Changes were missed: load again what you show. */
  | { type: "reload" };

/** The codes of the server, and those of a request without a usable response. */
export type ErrorCode =
  | "invalid"
  /** The account has no space left for it. */
  | "quota"
  | "unauthorized"
  /** The password is right, and the account has a second factor. */
  | "factor_required"
  | "forbidden"
  /** The account needs a second factor before it can do anything else. */
  | "factor_setup_required"
  | "missing"
  | "disallowed"
  | "conflict"
  | "outdated"
  | "oversized"
  | "readOnly"
  | "unsupported"
  | "unsatisfiable"
  | "limited"
  | "damaged"
  | "unavailable"
  | "broken"
  | "unimplemented"
  | "busy"
  | "full"
  /** There was no response. */
  | "network"
  /** There was no complete response in time. */
  | "timeout"
  /** The response is not from Vitrine, but from a proxy in between. */
  | "unknown";
