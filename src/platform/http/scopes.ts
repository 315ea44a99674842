import { forbidden } from "../errors.ts";

/** What an app key may do. Whoever has `admin` may do all of it; `dav` is for WebDAV alone. */
export const scopes = ["read", "photos:write", "files:write", "blog:write", "comments:write", "dav", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** What a route asks of an app key: one of these scopes. `session` means that no key is enough: a person has to sign in. */
export type Needed = Exclude<Scope, "dav"> | "session" | readonly Exclude<Scope, "dav">[];

type Asked = { method: string; scope?: Needed | undefined };
type Asking = { key?: { scopes: readonly Scope[] } };

/** Whoever did not say what a request that changes something asks of a key lets no key in. */
export const neededScopes = ({ method, scope }: Asked): readonly string[] =>
  [scope ?? (method === "GET" ? "read" : "session")].flat();

/** A person who has signed in may do what the role allows; a program only what its key is for, too. */
export function isInScope(route: Asked, { key }: Asking): boolean {
  if (!key) return true;
  const needed = neededScopes(route);
  return !needed.includes("session") && key.scopes.some((one) => one === "admin" || needed.includes(one));
}

/** What an app key can be limited to. */
export const limitKinds = ["directory", "album"] as const;
export type LimitKind = (typeof limitKinds)[number];

type Limited = { limit?: { kind: LimitKind } };

/** A key that is limited to a record reaches only the routes that were made for it. */
export function requireWithinLimit({ openTo = [] }: { openTo?: readonly LimitKind[] }, { limit }: Limited): void {
  if (limit && !openTo.includes(limit.kind))
    throw forbidden(`This app key may not do this: it is limited to one ${limit.kind}.`);
}

export function requireScope(route: Asked, caller: Asking): void {
  if (isInScope(route, caller)) return;
  const needed = neededScopes(route);
  throw forbidden(
    needed.includes("session")
      ? "An app key cannot do this: sign in."
      : `This app key may not do this: it needs the scope ${needed.join(" or ")}.`,
  );
}
