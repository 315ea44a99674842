import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Photo } from "../../client/src/index.ts";
import { isStatus } from "../lib/api.ts";
import { nameOfPhoto } from "../lib/photo-name.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty, Failure, Loading, useTitle } from "../ui/screen.tsx";
import { toSearch, useFilters } from "./filters.ts";
import { setOpenedFromGrid } from "./last-seen.ts";
import { photoQuery } from "./photo-queries.ts";
import { viewerTexts as t } from "./viewer/texts.ts";
import { Overlay, Viewer } from "./viewer/viewer.tsx";

export function PhotoScreen() {
  const { id } = useParams({ strict: false });
  const filters = useFilters();
  const { data, error, refetch } = useQuery(photoQuery(Number(id)));
  /** Until the next photo is there, the one before stays on the screen. */
  const shown = useRef<Photo | null>(null);
  if (data) shown.current = data;
  useTitle((data && nameOfPhoto(data)) || t.photo);
  useEffect(() => () => setOpenedFromGrid(false), []);
  const photo = data ?? (error ? null : shown.current);
  if (photo) return <Viewer photo={photo} filters={filters} />;
  return (
    <Overlay>
      <div className="m-auto">
        {isStatus(error, 404, 400) ? (
          <Empty
            title={t.missing}
            action={
              <Link to="/photos" search={toSearch(filters)} className={buttonClass()}>
                {t.back}
              </Link>
            }
          />
        ) : error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </div>
    </Overlay>
  );
}
