import type { Queries } from "../../../../platform/database/database.ts";
import type { Translated } from "../../language.ts";

export const sampleDirectory: Translated<string> = { en: "Samples", de: "Beispiele" };

/** The kinds of samples, in the order in which they are removed: nothing that stays refers to what is removed. */
export const sampleKinds = ["post", "album", "photo", "file"] as const;

/** A record that belongs to the samples. It has been edited if its `updatedAt` is another one. */
export type Sample = { name: string; kind: (typeof sampleKinds)[number]; id: number; updatedAt: string };

/** Calls `write` to create a record, and stores in the same transaction that it is a sample. */
export type Keep = (tx: Queries, write: () => Promise<Omit<Sample, "name">>) => Promise<void>;
