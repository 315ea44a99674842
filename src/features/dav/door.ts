import type { Door } from "../../platform/http/door.ts";
import type { Operation } from "../../platform/metrics/metrics.ts";
import { late, once } from "../../platform/once.ts";
import { davPath } from "./address.ts";
import { methods } from "./method-table.ts";
import type { DavDeps } from "./serve.ts";

const loadServing = late(() => import("./serve.ts"));

/** WebDAV on the tree of files (RFC 4918). All of it is loaded with the first request. */
export function createDavDoor(deps: DavDeps): Door {
  const operations = new Map<string, Operation>();
  for (const method of ["OPTIONS", ...Object.keys(methods), "other"])
    operations.set(method, { method, path: davPath, name: `dav${method}` });
  const load = once(async () => (await loadServing()).createServe(deps));
  return {
    path: davPath,
    operationOf: (method) => operations.get(method) ?? (operations.get("other") as Operation),
    serve: async (exchange, porter) => (await load())(exchange, porter),
  };
}
