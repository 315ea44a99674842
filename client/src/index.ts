export type * from "../../build/client/api.ts";
export { createClient } from "./client.ts";
export { VitrineError } from "./errors.ts";
export { etagOf } from "./etags.ts";
export { excerptOf } from "../../src/platform/markdown/excerpt.ts";
export { slugOf } from "../../src/platform/slug.ts";
export type * from "./types.ts";
export { memoryStore } from "./upload-store.ts";
