import { readID } from "../page.ts";

/** The id at the beginning of an album's part of a path, such as `12-lisbon`. */
export const readAlbumID = (part: string | undefined): number => readID(part?.split("-", 1)[0]);
