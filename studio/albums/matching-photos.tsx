import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { AlbumFilter } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatNumber } from "../lib/format.ts";
import { albumTexts as t } from "./texts.ts";

const delayMs = 300;

/** How many of one's photos a filter finds, when nothing was changed for a moment. */
export function MatchingPhotos({ filter }: { filter: AlbumFilter | null }) {
  const wanted = filter && JSON.stringify(filter);
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), delayMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error } = useQuery({
    queryKey: ["photos", "matches", asked],
    queryFn: ({ signal }) => api.countMatchingPhotos({ filter: asked ?? "" }, { signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });
  return (
    <p role="status" className="min-h-5 text-sm text-soft">
      {wanted !== null && data && !error && t.matching(data.count, formatNumber(data.count))}
    </p>
  );
}
