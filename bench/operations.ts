import type { Call } from "./request.ts";

/** The requests to a server for one operation, sent in turn, and the expected response. */
export type Target = {
  port: number;
  calls: Call[];
  status: number;
  bodyBytes?: number;
  /** The usual number, if none is given. */
  connections?: number;
  /** A turn ends early after this many requests, because what they write must fit on the disk. */
  most?: number;
  /** A request that is sent 50 times a second beside the others, and changes something. */
  beside?: Call;
};

export type Operation = keyof typeof operations;
export type MeasuredServer<Name extends string = Operation> = {
  name: string;
  pid: number;
  /** A server that cannot do an operation is left out of its rounds. */
  targets: Partial<Record<Name, Target>>;
};

export const operations = {
  list: "LIST, from memory",
  post: "GET a post, from memory",
  get: "GET 1,000 photos, from memory",
  newList: "LIST, with an unknown parameter",
  newPost: "GET a post, with an unknown parameter",
  getBesideComments: "GET 1,000 photos, while comments are written",
  getBesidePhotos: "GET 1,000 photos, while a photo is changed",
  getBesideNewPhotos: "GET 1,000 photos, while photos are added",
  getBesideNewPosts: "GET 1,000 photos, while posts are added",
  missedList: "LIST, true miss",
  missedPhoto: "GET a photo, true miss",
  missedPost: "GET a post, true miss",
  ownList: "LIST, signed in",
  download: "DOWNLOAD 1 MB",
  create16: "CREATE a post, 16 connections",
  create64: "CREATE a post, 64 connections",
  update16: "UPDATE a post, 16 connections",
  update64: "UPDATE a post, 64 connections",
  comment: "CREATE a comment, 16 connections",
  photo: "CREATE a photo, 16 connections",
  attach: "ADD a photo to an album, 16 connections",
  small: "UPLOAD 100 KB, 16 connections",
  large: "UPLOAD 1 MB, 16 connections",
} as const;

export const photoCount = 1000;
export const photoBytes = 1000;
/** Of a small and a large upload, with as many of them as fit on the disk. */
export const uploads = { small: { bytes: 100_000, most: 500 }, large: { bytes: 1_000_000, most: 100 } };
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

/** The same bytes for the same seed, different ones for another seed. */
export function bytesOf(size: number, seed: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = seed;
  for (let index = 0; index < words.length; index++)
    words[index] = state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return new Uint8Array(words.buffer, 0, size);
}

/** Calls the function for 1, 2, … `count`, sixteen at a time. */
export async function forEachNumber(count: number, operation: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await operation(++next);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
