import { useMemo } from "react";
import { classes } from "../ui/classes.ts";
import { isHidden, type Piece, rowsOf } from "./rows.ts";
import { paneTexts as t } from "./texts.ts";

const maxRows = 1000;

type Props = { left: string; right: string; leftName: string; rightName: string };

/** Two texts side by side, with their differences. On a narrow screen, a line of one is above that of the other. */
export default function Comparison({ left, right, leftName, rightName }: Props) {
  const rows = useMemo(() => rowsOf(left, right), [left, right]);
  if (left === right) return <p className="py-6 text-center text-soft">{t.same}</p>;
  return (
    <div className="text-sm">
      <div className="mb-1 grid grid-cols-2 gap-3 font-medium">
        <p>{leftName}</p>
        <p>{rightName}</p>
      </div>
      <ol className="grid gap-px font-mono text-[0.8125rem]">
        {rows.slice(0, maxRows).map((row) =>
          isHidden(row) ? (
            <li key={row.key} className="my-1 border-y border-line bg-tint py-0.5 text-center font-sans text-soft">
              {t.hidden(row.hidden)}
            </li>
          ) : (
            <li key={row.key} className="grid grid-cols-2 gap-3">
              <Cell pieces={row.left} isLeft />
              <Cell pieces={row.right} />
            </li>
          ),
        )}
      </ol>
      {rows.length > maxRows && <p className="py-3 text-center text-soft">{t.cut}</p>}
    </div>
  );
}

function Cell({ pieces, isLeft = false }: { pieces: Piece[] | null; isLeft?: boolean }) {
  const isChanged = pieces?.some((piece) => piece.isChanged);
  const Change = isLeft ? "del" : "ins";
  return (
    <p
      dir="auto"
      className={classes(
        "min-h-[1.5em] min-w-0 border-l-2 pl-2 break-words whitespace-pre-wrap",
        isChanged ? (isLeft ? "border-danger" : "border-accent") : "border-transparent",
        pieces === null && "bg-tint",
      )}
    >
      {pieces?.map(({ text, isChanged }, index) =>
        isChanged ? (
          // oxlint-disable-next-line react/no-array-index-key
          <Change key={index} className={classes("bg-mark text-ink", isLeft ? "decoration-danger" : "no-underline")}>
            {text}
          </Change>
        ) : (
          text
        ),
      )}
    </p>
  );
}
