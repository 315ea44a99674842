import { type ReactNode, useState } from "react";
import { formatBytes, formatNumber } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/screen.tsx";
import { storageTexts as t } from "./texts.ts";

type Row = { key: string | number; name: string; count: number; bytes: number };
type Props = { title: string; head: [name: string, count: string]; rows: Row[]; more?: ReactNode };

const fewRows = 12;

/** A table with a bar in each row. Of many rows, the first are shown. `more` loads further ones. */
export function Amounts({ title, head, rows, more = null }: Props) {
  const [isWhole, setWhole] = useState(false);
  const max = Math.max(1, ...rows.map(({ bytes }) => bytes));
  const shown = isWhole ? rows : rows.slice(0, fewRows);
  return (
    <Card>
      <table className="w-full table-fixed">
        <caption className="mb-2 text-left text-base font-semibold">{title}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{head[0]}</th>
            <th scope="col">{head[1]}</th>
            <th scope="col">{words.size}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, name, count, bytes }) => (
            <tr key={key} className="[&>*]:py-2 [&>*]:align-bottom">
              <th scope="row" className="text-left font-normal">
                <span className="block truncate" dir="auto">
                  {name}
                </span>
                <span className="mt-1 block h-1.5 rounded-full bg-tint">
                  <span className="block h-full rounded-full bg-accent" style={{ width: `${(bytes / max) * 100}%` }} />
                </span>
              </th>
              <td className="w-20 text-right text-soft tabular-nums md:w-28">{formatNumber(count)}</td>
              <td className="w-24 text-right tabular-nums md:w-28">{formatBytes(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length ? (
        <Button className="mt-3" onClick={() => setWhole(true)}>
          {more ? words.showMore : t.showAll(rows.length)}
        </Button>
      ) : (
        more
      )}
    </Card>
  );
}
