import { useQuery } from "@tanstack/react-query";
import { MapPinned, X } from "lucide-react";
import { useId, useRef, useState } from "react";
import { type MovingMap, printBox } from "../../src/web/design/browser/moving-map.ts";
import { words } from "../lib/words.ts";
import { areasQuery, findBounds, type MapPart, shownOn } from "../map/areas.ts";
import { readView, viewOf } from "../map/view.ts";
import { WorldMap } from "../map/world-map.tsx";
import { Button } from "../ui/button.tsx";
import { albumTexts as t } from "./texts.ts";

/** The frame on the map is this share of its width and height away from its edges. */
const margin = 0.14;

type Props = { bbox: string; onChange: (bbox: string) => void };

/** An area of the world, chosen by moving a map. */
export function AreaField({ bbox, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(bbox !== "");
  const [view] = useState(() => readView(bbox === "" ? {} : viewOf(bbox)));
  const [shown, setShown] = useState<MapPart | null>(null);
  const map = useRef<MovingMap>(null);
  const { data: areas = [] } = useQuery({ ...areasQuery(shown), enabled: shown !== null });
  const label = useId();
  return (
    <div role="group" aria-labelledby={label} className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span id={label} className="font-medium">
          {words.place}
        </span>
        {!isOpen && (
          <Button icon={<MapPinned />} onClick={() => setIsOpen(true)}>
            {t.chooseArea}
          </Button>
        )}
        {bbox !== "" && (
          <Button variant="quiet" icon={<X />} onClick={() => onChange("")}>
            {words.removeArea}
          </Button>
        )}
      </div>
      {isOpen && (
        <>
          <WorldMap
            label={t.areaMap}
            view={view}
            areas={areas}
            outline={bbox === "" ? null : bbox}
            map={map}
            onSettled={(settled) => setShown(shownOn(settled))}
            onPress={(area) => void findBounds(area, shown?.zoom ?? 2).then((bounds) => map.current?.show(bounds))}
            isSmall
            className="!h-64"
          >
            <div className="pointer-events-none absolute inset-[14%] rounded-control border-2 border-dashed border-ink" />
          </WorldMap>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button
              icon={<MapPinned />}
              onClick={() => map.current && onChange(printBox(map.current.areaWithin(margin)))}
            >
              {t.useArea}
            </Button>
            <span className="text-sm text-soft">{bbox === "" ? t.areaHint : t.areaChosen}</span>
          </div>
        </>
      )}
    </div>
  );
}
