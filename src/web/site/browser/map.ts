/* Moves the map smoothly. Without it, the links beside the map do the same by opening another page. */

import { unproject } from "../../../platform/mercator.ts";
import { type Move, startMap } from "../../design/browser/moving-map.ts";

const box = document.querySelector<HTMLElement>(".map-view");
const drawing = box?.querySelector("svg");
if (box && drawing) start(box, drawing);

function start(box: HTMLElement, drawing: SVGSVGElement): void {
  const { far = "", near = "", tiles = null, label = "", max, x, y, zoom } = box.dataset;
  let loading: AbortController | null = null;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  const map = startMap({
    box,
    drawing,
    worlds: { far, near },
    tiles,
    view: { x: Number(x), y: Number(y), zoom: Number(zoom) },
    maxZoom: Number(max),
    onSettled: () => void load(),
  });
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-move]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      map.move(link.dataset["move"] as Move);
    });
  }

  /** The places of this part of the world are those of its page. */
  async function load(): Promise<void> {
    const { latitude, longitude } = unproject(map.view);
    const zoom = Math.floor(map.view.zoom + 0.01);
    const address = `/map?lat=${Number(latitude.toFixed(4))}&lon=${Number(longitude.toFixed(4))}&zoom=${Math.max(2, zoom)}`;
    if (address === location.pathname + location.search) return;
    history.replaceState(null, "", address);
    loading?.abort();
    loading = new AbortController();
    try {
      const response = await fetch(address, { signal: loading.signal });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const part of [".markers", ".areas"]) {
        const found = page.querySelector(part);
        if (found) document.querySelector(part)?.replaceChildren(...document.importNode(found, true).childNodes);
      }
      map.redraw();
    } catch {
      // The map stays unchanged.
    }
  }
}
