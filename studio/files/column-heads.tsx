import { ArrowDown, ArrowUp } from "lucide-react";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { columnsClass } from "./entry-row.tsx";
import type { Column, Order } from "./order.ts";
import { fileTexts as t } from "./texts.ts";

export const columns: Column[] = ["name", "updatedAt", "type", "size"];

/** The heads of the columns of a list; a click sorts by one. */
export function ColumnHeads({ order, onOrder }: { order: Order; onOrder: (order: Order) => void }) {
  return (
    <div role="row" aria-rowindex={1} className={classes(columnsClass, "border-b border-line px-2 text-sm text-soft")}>
      {columns.map((column) => {
        const isChosen = order.by === column;
        const Arrow = order.isDescending ? ArrowDown : ArrowUp;
        return (
          <span
            key={column}
            role="columnheader"
            aria-sort={isChosen ? (order.isDescending ? "descending" : "ascending") : "none"}
          >
            <button
              type="button"
              onClick={() => onOrder({ by: column, isDescending: isChosen && !order.isDescending })}
              className={classes(
                "flex min-h-8 w-full items-center gap-1 hover:text-ink",
                column === "size" && "justify-end",
                isChosen && "font-medium text-ink",
              )}
            >
              {t.columns[column]}
              {isChosen && <Arrow aria-hidden="true" className="size-3.5" />}
            </button>
          </span>
        );
      })}
      <span role="columnheader">
        <span className="sr-only">{words.more}</span>
      </span>
    </div>
  );
}
