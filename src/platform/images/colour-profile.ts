import type { ByteRange } from "../byte-range.ts";
import { type Edit, latin, uint } from "./bytes.ts";

/**
 * The tags of a colour profile that are public: those of the ICC specification with colours, names and rights, and the
 * curves of displays. Others may describe one device, as Apple's `mmod` does with the serial number of a monitor.
 */
const keptTags = new Set(
  [
    "A2B0 A2B1 A2B2 A2B3 B2A0 B2A1 B2A2 B2A3 B2D0 B2D1 B2D2 B2D3 D2B0 D2B1 D2B2 D2B3 gamt pre0 pre1 pre2",
    "rXYZ gXYZ bXYZ rTRC gTRC bTRC kTRC wtpt bkpt lumi chad chrm clro clrt clot cicp tech view vued meas",
    "desc cprt dmnd dmdd dscm ncl2 pseq psid ciis rig0 rig2 resp vcgt vcgp ndin aarg aagg aabg",
  ].flatMap((names) => names.split(" ")),
);
const headerLength = 132;
const maxTags = 200;
const profileID: ByteRange = { start: 84, end: 100 };

/** The edits that remove private tags from a profile, whose bytes are in these parts of the file, one after another. */
export function profileEdits(bytes: Uint8Array, parts: ByteRange[]): Edit[] {
  const profile = Buffer.concat(parts.map(({ start, end }) => bytes.subarray(start, end)));
  const found = privateRanges(profile);
  const edits: Edit[] = [];
  let at = 0;
  for (const { start, end } of parts) {
    for (const range of found) {
      const [from, to] = [Math.max(range.start, at), Math.min(range.end, at + end - start)];
      if (from < to) edits.push({ start: start + from - at, end: start + to - at, by: 0 });
    }
    at += end - start;
  }
  return edits;
}

/** A profile without private tags: itself if it has none. */
export function cleanProfile(profile: Uint8Array): Uint8Array {
  const ranges = privateRanges(profile);
  if (ranges.length === 0) return profile;
  const clean = Uint8Array.from(profile);
  for (const { start, end } of ranges) clean.fill(0, start, end);
  return clean;
}

/** The values of private tags without their types, and the hash of the profile, which no longer fits. */
function privateRanges(profile: Uint8Array): ByteRange[] {
  const count = Math.min(uint(profile, 128, 4), maxTags);
  const tags = Array.from({ length: count }, (_, i) => {
    const at = headerLength + 12 * i;
    const start = uint(profile, at + 4, 4);
    return { name: latin(profile, at, at + 4), start, end: Math.min(start + uint(profile, at + 8, 4), profile.length) };
  });
  const known = tags.filter(({ name }) => keptTags.has(name));
  const hidden = tags
    .filter(({ name, start, end }) => !keptTags.has(name) && start >= headerLength + 12 * count && end > start + 8)
    // Tags may share a value.
    .filter(({ start, end }) => !known.some((other) => other.start < end && start < other.end))
    .map(({ start, end }) => ({ start: start + 8, end }));
  const changed = hidden.filter(({ start, end }) => profile.subarray(start, end).some((byte) => byte !== 0));
  return changed.length > 0 ? [profileID, ...changed] : [];
}
