import type { OwnerStorage, StorageReport } from "../../client/src/index.ts";
import { formatBytes, formatNumber } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { storageTexts as t } from "./texts.ts";

type Kind = keyof typeof t.kinds;
type Part = { kind: Kind; count: number; bytes: number };
type Holdings = Pick<OwnerStorage, "images" | "videos" | "otherFiles" | "versions" | "posters" | "texts" | "trash">;
type Variants = NonNullable<StorageReport["site"]>["variants"];

const colours: Record<Kind, string> = {
  images: "bg-accent",
  videos: "bg-notice",
  otherFiles: "bg-ink",
  versions: "bg-soft",
  posters: "bg-accent/50",
  texts: "bg-notice/50",
  trash: "bg-danger",
  variants: "bg-line",
};

/** What takes the room. Kinds with nothing in them are left out. */
export const partsOf = (holdings: Holdings, variants: Variants): Part[] =>
  (Object.keys(colours) as Kind[])
    .map((kind) => ({ kind, ...((kind === "variants" ? variants : holdings[kind]) ?? { count: 0, bytes: 0 }) }))
    .filter(({ count }) => count > 0);

/** A bar of all parts, and a table with their numbers. */
export function Proportions({ parts }: { parts: Part[] }) {
  const whole = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  if (whole === 0) return <p className="text-soft">{t.nothing}</p>;
  return (
    <>
      <div aria-hidden="true" className="mb-4 flex h-4 gap-0.5 overflow-hidden rounded-full bg-tint">
        {parts.map(({ kind, bytes }) => (
          <div key={kind} className={colours[kind]} style={{ flexGrow: bytes / whole, minWidth: 2 }} />
        ))}
      </div>
      <table className="w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">{words.kind}</th>
            <th scope="col">{words.files}</th>
            <th scope="col">{words.size}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ kind, count, bytes }) => (
            <tr key={kind} className="[&>*]:py-1.5">
              <th scope="row" className="text-left font-normal">
                <span className={`mr-3 inline-block size-3 rounded-full ${colours[kind]}`} />
                {t.kinds[kind]}
              </th>
              <td className="text-right text-soft tabular-nums">{formatNumber(count)}</td>
              <td className="w-28 text-right tabular-nums">{formatBytes(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
