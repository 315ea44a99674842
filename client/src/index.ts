export type * from "./api.ts";
export { createClient } from "./client.ts";
export { VitrineError } from "./errors.ts";
export { etagOf } from "./etags.ts";
export { excerptOf } from "./excerpt.ts";
export { slugOf } from "./slug.ts";
export type * from "./types.ts";
export { memoryStore } from "./upload-store.ts";
