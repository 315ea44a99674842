/* Moves the map smoothly. Without it, the links beside the map do the same by opening another page. */

import { project, unproject } from "../../../platform/mercator.ts";

const box = document.querySelector<HTMLElement>(".map-view");
const drawing = box?.querySelector("svg");
if (box && drawing) start(box, drawing);

function start(box: HTMLElement, drawing: SVGSVGElement): void {
  const { far = "", near = "", tiles } = box.dataset;
  const view = { x: Number(box.dataset["x"]), y: Number(box.dataset["y"]), zoom: Number(box.dataset["zoom"]) };
  const most = Number(box.dataset["most"]);
  let least = 1;
  const size = { width: 1, height: 1 };
  let isDrawn = true;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let loading: AbortController | null = null;

  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", box.dataset["label"] ?? "");
  new ResizeObserver(([entry]) => {
    if (!entry) return;
    Object.assign(size, { width: entry.contentRect.width, height: entry.contentRect.height });
    // The world is never smaller than the window.
    least = Math.max(1, Math.log2(Math.max(size.height, size.width / 2) / 256));
    change({});
  }).observe(box);
  followPointers();
  followKeys();

  /** `at` is the point that stays where it is, from the middle, in pixels. */
  function change({ x = view.x, y = view.y, zoom = view.zoom, at = [0, 0] }: Change): void {
    const next = Math.min(most, Math.max(least, zoom));
    const apart = 1 / worldSize(view.zoom) - 1 / worldSize(next);
    const half = Math.min(0.5, size.height / 2 / worldSize(next));
    view.x = x + at[0] * apart;
    view.x -= Math.floor(view.x);
    view.y = Math.min(1 - half, Math.max(half, y + at[1] * apart));
    view.zoom = next;
    if (isDrawn) requestAnimationFrame(draw);
    isDrawn = false;
  }

  const moveBy = (right: number, down: number) =>
    change({ x: view.x + right / worldSize(view.zoom), y: view.y + down / worldSize(view.zoom) });

  function draw(): void {
    isDrawn = true;
    drawing.setAttribute("viewBox", `${-size.width / 2} ${-size.height / 2} ${size.width} ${size.height}`);
    drawWorld();
    drawTiles();
    drawMarkers();
    clearTimeout(settling);
    settling = setTimeout(() => void load(), 250);
  }

  function drawWorld(): void {
    const isNear = view.zoom >= 4;
    const world = worldSize(view.zoom);
    const scale = world / (isNear ? 32_768 : 8192);
    drawing.querySelectorAll(".world > g").forEach((part, index) => {
      const left = (index - 1 - view.x) * world;
      part.setAttribute("transform", `translate(${left} ${-view.y * world}) scale(${scale})`);
      for (const use of part.querySelectorAll("use")) {
        const href = `${isNear ? near : far}#${use.classList.contains("land") ? "land" : "borders"}`;
        if (use.getAttribute("href") !== href) use.setAttribute("href", href);
      }
    });
  }

  function drawMarkers(): void {
    for (const marker of drawing.querySelectorAll<SVGAElement>(".markers > a")) {
      const right = Number(marker.dataset["x"]) - view.x;
      const [x, y] = [right - Math.round(right), Number(marker.dataset["y"]) - view.y];
      const world = worldSize(view.zoom);
      marker.setAttribute("transform", `translate(${x * world} ${y * world})`);
    }
  }

  function drawTiles(): void {
    const layer = drawing.querySelector(".tiles");
    if (!tiles || !layer) return;
    const zoom = Math.round(view.zoom);
    const side = 256 * 2 ** (view.zoom - zoom);
    const known = new Map(Array.from(layer.children, (one) => [one.getAttribute("data-at"), one]));
    const world = worldSize(view.zoom);
    const [left, top] = [view.x * world - size.width / 2, view.y * world - size.height / 2];
    for (let row = Math.max(0, Math.floor(top / side)); row < 2 ** zoom && row * side < top + size.height; row++) {
      for (let column = Math.floor(left / side); column * side < left + size.width; column++) {
        const at = `${zoom}/${column}/${row}`;
        const tile = known.get(at) ?? document.createElementNS("http://www.w3.org/2000/svg", "image");
        known.delete(at);
        if (!tile.hasAttribute("href")) tile.setAttribute("href", tileURL(tiles, { zoom, column, row }));
        const place = { x: column * side - view.x * world, y: row * side - view.y * world, width: side, height: side };
        for (const [name, value] of Object.entries({ ...place, "data-at": at })) tile.setAttribute(name, String(value));
        layer.append(tile);
      }
    }
    for (const tile of known.values()) tile.remove();
  }

  /** The places of this part of the world are those of its page. */
  async function load(): Promise<void> {
    const { latitude, longitude } = unproject(view);
    const zoom = Math.floor(view.zoom + 0.01);
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
      drawMarkers();
    } catch {
      // The map stays as it is.
    }
  }

  function followPointers(): void {
    const held = new Map<number, { x: number; y: number }>();
    let hasMoved = false;
    const fromMiddle = (event: MouseEvent): [number, number] => {
      const { left, top } = box.getBoundingClientRect();
      return [event.clientX - left - size.width / 2, event.clientY - top - size.height / 2];
    };
    box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      if (held.size === 0) hasMoved = false;
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    box.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      if (!hasMoved && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
      if (!hasMoved) {
        hasMoved = true;
        box.classList.add("is-moving");
        box.setPointerCapture(event.pointerId);
      }
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
      const share = other ? 0.5 : 1;
      moveBy((before.x - now.x) * share, (before.y - now.y) * share);
      if (other) {
        const spread = (one: { x: number; y: number }) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
        change({ zoom: view.zoom + Math.log2(spread(now) / spread(before)), at: fromMiddle(event) });
      }
      held.set(event.pointerId, now);
    });
    const release = ({ pointerId }: PointerEvent) => {
      held.delete(pointerId);
      if (held.size === 0) box.classList.remove("is-moving");
    };
    box.addEventListener("pointerup", release);
    box.addEventListener("pointercancel", release);
    box.addEventListener("dragstart", (event) => event.preventDefault());
    box.addEventListener("click", (event) => {
      if (hasMoved) event.preventDefault();
    });
    box.addEventListener("dblclick", (event) => change({ zoom: view.zoom + 1, at: fromMiddle(event) }));
    box.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const step = event.deltaMode === 0 ? event.deltaY / 240 : event.deltaY / 8;
        change({ zoom: view.zoom - Math.min(1, Math.max(-1, step)), at: fromMiddle(event) });
      },
      { passive: false },
    );
  }

  function followKeys(): void {
    const moves: Record<string, () => void> = {
      in: () => change({ zoom: Math.floor(view.zoom + 1.01) }),
      out: () => change({ zoom: Math.ceil(view.zoom - 1.01) }),
      west: () => moveBy(-size.width / 4, 0),
      east: () => moveBy(size.width / 4, 0),
      north: () => moveBy(0, -size.height / 4),
      south: () => moveBy(0, size.height / 4),
      world: () => change({ ...project({ latitude: 25, longitude: 10 }), zoom: 0 }),
    };
    const keys: Record<string, string> = {
      ArrowLeft: "west",
      ArrowRight: "east",
      ArrowUp: "north",
      ArrowDown: "south",
      "+": "in",
      "=": "in",
      "-": "out",
      "0": "world",
    };
    box.addEventListener("keydown", (event) => {
      const move = moves[keys[event.key] ?? ""];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      move();
    });
    for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-move]")) {
      link.addEventListener("click", (event) => {
        const move = moves[link.dataset["move"] ?? ""];
        if (!move || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        move();
      });
    }
  }
}

const worldSize = (zoom: number): number => 256 * 2 ** zoom;

/** Columns go on around the world. */
function tileURL(template: string, { zoom, column, row }: { zoom: number; column: number; row: number }): string {
  const count = 2 ** zoom;
  return template
    .replaceAll("{z}", String(zoom))
    .replaceAll("{x}", String(((column % count) + count) % count))
    .replaceAll("{y}", String(row));
}

type Change = { x?: number; y?: number; zoom?: number; at?: [number, number] };
