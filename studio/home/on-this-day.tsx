import { Link } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { PhotoMemory } from "../../client/src/index.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { Button } from "../ui/button.tsx";
import { Part } from "./part.tsx";
import { PhotoRow } from "./photo-row.tsx";
import { homeTexts as t } from "./texts.ts";

/** So that the rest of the screen is not far away. */
const yearsShown = 3;

/** The date where the person is, such as `2026-06-12`. */
export function today(): string {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}

/** Photos of this day in earlier years. */
export function OnThisDay({ memories, day }: { memories: PhotoMemory[]; day: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (memories.length === 0) return null;
  const shown = isWhole ? memories : memories.slice(0, yearsShown);
  const hidden = memories.length - shown.length;
  return (
    <Part title={t.onThisDay}>
      <div className="grid gap-4">
        {shown.map(({ year, count, photos }) => (
          <section key={year}>
            <h3 className="mb-1 flex items-baseline justify-between gap-4 text-sm">
              <span>
                {t.yearsAgo(Number(day.slice(0, 4)) - year)} <span className="text-soft">· {year}</span>
              </span>
              {count > photos.length && (
                <Link
                  to="/photos/$id"
                  params={{ id: String(photos[0]?.id) }}
                  className="py-1 text-soft underline decoration-line underline-offset-2"
                >
                  {countOf(recordKinds.photo, count)}
                </Link>
              )}
            </h3>
            <PhotoRow photos={photos} />
          </section>
        ))}
      </div>
      {hidden > 0 && (
        <Button variant="quiet" className="mt-2 -ml-3" icon={<ChevronDown />} onClick={() => setIsWhole(true)}>
          {t.moreYears(hidden)}
        </Button>
      )}
    </Part>
  );
}
