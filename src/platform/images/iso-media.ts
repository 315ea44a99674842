import { type Block, nothing, opaque, removed } from "./bytes.ts";
import { type Box, emptyBox, findBox, readBoxes } from "./boxes.ts";
import { isPictureMeta, readItems } from "./heif.ts";
import { cleanBox, readMovie } from "./movie.ts";
import { complement } from "./ranges.ts";

const keptBoxes = new Set(["ftyp", "styp", "sidx", "ssix", "mfra", "pdin", "moof", "mdat"]);
const maxGaps = 100_000;

/**
 * The metadata of an ISO media file (AVIF, HEIF, MP4, QuickTime). Parts of the file refer to each other by offset, so private
 * data is overwritten in place; only what follows the last known box is cut off.
 */
export function* isoMediaBlocks(bytes: Uint8Array): Generator<Block> {
  const { boxes } = readBoxes(bytes, 0, bytes.length);
  const moov = findBox(boxes, "moov");
  const meta = boxes.find((box) => box.type === "meta" && isPictureMeta(bytes, box));
  const [items, movie] = [meta && readItems(bytes, meta), moov && readMovie(bytes, moov)];
  for (const block of items?.blocks ?? []) yield block;
  const moofs = boxes.filter(({ type }) => type === "moof");
  const fragments = moofs.flatMap((box) => cleanBox(bytes, box) ?? [null]);
  const isDamaged = items === null || movie === null || !fragments.every((edit) => edit !== null);
  // Fragments are kept as a whole, so they must be complete and hold no private track.
  const isUnclear = moofs.length > 0 && (movie?.losesTracks || !boxes.every(({ isWhole }) => isWhole));
  if (isDamaged || isUnclear || (!items && !movie)) return yield opaque;

  const isKnown = (box: Box) => box === meta || box === moov || keptBoxes.has(box.type);
  const end = boxes.findLast(isKnown)?.end ?? 0;
  const others = boxes.filter((box) => box.end <= end && !isKnown(box));
  // From the first fragment on, all samples are kept.
  const [first = { start: end }] = moofs;
  const samples = [...(items?.kept ?? []), ...(movie?.kept ?? []), { start: first.start, end }];
  const around = boxes.map(({ type, start, from, end }) => ({ start, end: type === "mdat" ? from : end }));
  const gaps = complement([...samples, ...around], { start: 0, end });
  if (gaps.length > maxGaps) return yield opaque;
  const edits = [...(movie?.edits ?? []), ...fragments, ...others.flatMap(emptyBox)];
  yield { kind: "other", data: nothing, edits: [...edits, ...gaps.map((gap) => ({ ...gap, by: 0 }))] };
  yield removed(bytes, end, bytes.length);
}
