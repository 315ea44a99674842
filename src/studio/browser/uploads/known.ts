import { hashFile } from "./hash-file.ts";

/** A file of one's own on the server, and the photo of it. */
export type Known = { fileID: number; photoID: number | null };

/** Which of the files the server already has, by their content. */
export async function findKnown(files: ReadonlyMap<string, File>): Promise<Map<string, Known>> {
  for (const file of files.values()) await hashFile(file);
  return new Map();
}
