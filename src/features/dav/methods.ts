import { makeDirectory, remove } from "./collections.ts";
import type { MethodName } from "./method-table.ts";
import { lock, unlock } from "./lock-methods.ts";
import { propfind } from "./propfind.ts";
import { proppatch } from "./proppatch.ts";
import { put } from "./put.ts";
import { read } from "./read.ts";
import { transfer } from "./transfer.ts";
import type { Visit } from "./visit.ts";

export const handlers: Record<MethodName, (visit: Visit) => Promise<Response>> = {
  GET: read,
  HEAD: read,
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  MKCOL: makeDirectory,
  PUT: put,
  DELETE: remove,
  COPY: transfer("copy"),
  MOVE: transfer("move"),
  LOCK: lock,
  UNLOCK: unlock,
};
