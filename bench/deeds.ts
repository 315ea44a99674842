import type { Call } from "./request.ts";

/** What is asked of a server for one deed, in turn, and what it must answer. */
export type Target = {
  port: number;
  calls: Call[];
  status: number;
  bodyBytes?: number;
  /** A turn ends early after so many: what is written must fit on the disk. */
  most?: number;
};

export type Deed = keyof typeof deeds;
export type Contestant<Name extends string = Deed> = { name: string; targets: Record<Name, Target> };

export const deeds = {
  list: "LIST, one address",
  get: "GET, 1,000 addresses",
  freshList: "LIST, always a new address",
  freshGet: "GET, always a new address",
  download: "DOWNLOAD 1 MB",
  create: "CREATE a post",
  upload: "UPLOAD 100 KB",
} as const;

export const photoCount = 1000;
export const photoBytes = 1000;
export const uploadBytes = 100_000;
export const mostUploads = 500;
export const downloadBytes = 1_000_000;

export const photo = (number: number) => ({
  title: `Photo ${number}`,
  description: `Picture ${number} of a long walk along the harbour, taken before the rain came.`,
  width: 1600,
  height: 1200,
});

export const post = (number: string) => ({
  title: `Post ${number}`,
  content: "We arrived by train, late in the evening, and walked down to the water. ".repeat(14),
});

/** The same bytes for the same seed, others for another. */
export function bytesOf(size: number, seed: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = seed;
  for (let index = 0; index < words.length; index++)
    words[index] = state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return new Uint8Array(words.buffer, 0, size);
}

/** Does something for 1, 2, … `count`, sixteen at a time. */
export async function forEachNumber(count: number, deed: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await deed(++next);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
}
