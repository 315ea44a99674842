import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { MapPinOff } from "lucide-react";
import { useRef, useState } from "react";
import type { PhotoArea } from "../../client/src/index.ts";
import type { MovingMap } from "../../src/web/design/browser/moving-map.ts";
import { words } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { PhotosOfArea, Places } from "./area-panel.tsx";
import { areasQuery, findBounds, type MapPart, shownOn } from "./areas.ts";
import { mapTexts as t } from "./texts.ts";
import { readView, toSearch } from "./view.ts";
import { WorldMap } from "./world-map.tsx";

export function MapScreen() {
  const world = useQuery(areasQuery(null));
  return (
    <Screen title={t.title} isWide>
      <Result of={world}>
        {(areas) =>
          areas.length > 0 ? (
            <PhotoMap />
          ) : (
            <Empty
              icon={<MapPinOff />}
              title={t.empty}
              action={
                <Link to="/photos" className={buttonClass()}>
                  {words.toPhotos}
                </Link>
              }
            >
              {t.emptyHint}
            </Empty>
          )
        }
      </Result>
    </Screen>
  );
}

/** The area whose photos were shown last. */
let lastChosen: PhotoArea | null = null;

/** Pressing an area goes there and shows its photos. */
function PhotoMap() {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const navigate = useNavigate();
  const [first] = useState(() => readView(search));
  const [shown, setShown] = useState<MapPart | null>(null);
  const [chosen, setChosen] = useState(() => (lastChosen?.bbox === search["area"] ? lastChosen : null));
  const map = useRef<MovingMap>(null);
  const { data: areas = [] } = useQuery({ ...areasQuery(shown), enabled: shown !== null });
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <WorldMap
        label={t.label}
        view={first}
        areas={areas}
        map={map}
        onSettled={(settled) => {
          setShown(shownOn(settled));
          remember(settled, chosen);
        }}
        onPress={press}
        className="!h-[50dvh] lg:!h-[min(100dvh-7.5rem,46rem)]"
      />
      <div className="lg:max-h-[min(100dvh-7.5rem,46rem)] lg:overflow-y-auto">
        {chosen ? (
          <PhotosOfArea area={chosen} onClose={() => choose(null)} />
        ) : (
          <Places areas={areas} bbox={shown?.bbox ?? ""} onPress={press} />
        )}
      </div>
    </div>
  );

  function choose(area: PhotoArea | null): void {
    setChosen(area);
    lastChosen = area;
    if (map.current) remember(map.current, area);
  }

  /** A person who comes back from a photo finds the map unchanged. */
  function remember({ view }: MovingMap, area: PhotoArea | null): void {
    // A person who presses a photo while the map still moves is on the way to it, and not brought back when the map stops.
    if (!location.pathname.endsWith("/map")) return;
    const address = { ...toSearch(view), ...(area && { area: area.bbox }) };
    void navigate({ to: "/map", search: address, replace: true, resetScroll: false });
  }

  function press(area: PhotoArea): void {
    choose(area);
    if (area.count > 1 && shown) void findBounds(area, shown.zoom).then((bounds) => map.current?.show(bounds));
  }
}
