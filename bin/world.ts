// Outlines of all land and the borders between countries, from Natural Earth (public domain), as an image of paths. Two of them:
// one for the whole world, one for when it is near.
import { readFile } from "node:fs/promises";
import { project } from "../src/platform/mercator.ts";

type Pair = [number, number];
type Geometry = { type: string; arcs?: unknown; geometries?: Geometry[] };
type Topology = {
  arcs: Pair[][];
  transform: { scale: Pair; translate: Pair };
  objects: { land: Geometry; countries: Geometry };
};

/** `size` is how many steps wide the map is; what is less than `tolerance` steps away from a straight line is on it. */
const outlines = [
  { name: "world", source: "countries-110m", size: 8192, tolerance: 1.5, smallest: 0 },
  { name: "world-near", source: "countries-50m", size: 32_768, tolerance: 3.5, smallest: 40 },
];

export async function drawWorlds(): Promise<{ name: string; text: string }[]> {
  return Promise.all(
    outlines.map(async ({ name, source, ...detail }) => {
      const text = await readFile(`node_modules/world-atlas/${source}.json`, "utf8");
      return { name, text: draw(JSON.parse(text) as Topology, detail) };
    }),
  );
}

type Detail = { size: number; tolerance: number; smallest: number };

function draw(topology: Topology, { size, tolerance, smallest }: Detail): string {
  const arcs = decode(topology, size).map((arc) => simplify(unbroken(arc, size), tolerance));
  const pointsOf = (index: number) => (index < 0 ? (arcs[~index] ?? []).toReversed() : (arcs[index] ?? []));
  const rings = ringsOf(topology.objects.land).map((ring) =>
    closed(
      unbroken(
        ring.flatMap((index, at) => pointsOf(index).slice(at === 0 ? 0 : 1)),
        size,
      ),
      size,
    ),
  );
  const land = rings.filter((ring) => ring.length > 3 && areaOf(ring) >= smallest).map((ring) => `${print(ring)}z`);
  const borders = sharedArcs(topology.objects.countries).map((index) => print(unbroken(arcs[index] ?? [], size)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path id="land" d="${land.join("")}"/><path id="borders" vector-effect="non-scaling-stroke" d="${borders.join("")}"/></svg>`;
}

/** Each arc begins at a point, and the others are differences to the one before. */
function decode({ arcs, transform: { scale, translate } }: Topology, size: number): Pair[][] {
  return arcs.map((arc) => {
    let [x, y] = [0, 0];
    const points = arc.map(([right, up]): Pair => {
      [x, y] = [x + right, y + up];
      const at = project({ longitude: x * scale[0] + translate[0], latitude: y * scale[1] + translate[1] });
      return [Math.round(at.x * size), Math.round(at.y * size)];
    });
    return points.filter(
      (point, index) => index === 0 || point[0] !== points[index - 1]?.[0] || point[1] !== points[index - 1]?.[1],
    );
  });
}

/** What crosses the date line goes on beyond the edge of the map: the world is drawn again beside itself. */
function unbroken(points: Pair[], size: number): Pair[] {
  let turns = 0;
  return points.map(([x, y], index): Pair => {
    const step = x - (points[index - 1]?.[0] ?? x);
    if (Math.abs(step) > size / 2) turns -= Math.sign(step);
    return [x + turns * size, y];
  });
}

/** What goes around the world goes around the pole: it ends at the lower edge. */
function closed(ring: Pair[], size: number): Pair[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (!first || !last || Math.abs(first[0] - last[0]) < size / 2) return ring;
  return [...ring, [last[0], size], [first[0], size]];
}

/** Leaves out the points that are near the line between those around them (Douglas and Peucker). The ends stay: arcs meet there. */
function simplify(points: Pair[], tolerance: number): Pair[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 3) return points;
  let [farthest, distance] = [0, 0];
  for (const [index, point] of points.entries()) {
    const away = distanceTo(point, first, last);
    if (away > distance) [farthest, distance] = [index, away];
  }
  if (distance < tolerance) return [first, last];
  const before = simplify(points.slice(0, farthest + 1), tolerance);
  return [...before.slice(0, -1), ...simplify(points.slice(farthest), tolerance)];
}

function distanceTo([x, y]: Pair, [ax, ay]: Pair, [bx, by]: Pair): number {
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return Math.hypot(x - ax, y - ay);
  return Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length;
}

const areaOf = (ring: Pair[]): number =>
  Math.abs(
    ring.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = ring[(index + 1) % ring.length] as Pair;
      return sum + x * nextY - nextX * y;
    }, 0),
  ) / 2;

function ringsOf(geometry: Geometry): number[][] {
  if (geometry.geometries) return geometry.geometries.flatMap(ringsOf);
  if (geometry.type === "Polygon") return geometry.arcs as number[][];
  return geometry.type === "MultiPolygon" ? (geometry.arcs as number[][][]).flat() : [];
}

/** The arcs that two countries have. */
function sharedArcs({ geometries = [] }: Geometry): number[] {
  const uses = new Map<number, number>();
  for (const country of geometries) {
    const own = new Set(ringsOf(country).flatMap((ring) => ring.map((index) => (index < 0 ? ~index : index))));
    for (const index of own) uses.set(index, 1 + (uses.get(index) ?? 0));
  }
  return [...uses].filter(([, count]) => count > 1).map(([index]) => index);
}

/** A path, with differences to the point before, and no space before a minus. */
function print(points: Pair[]): string {
  const [first, ...rest] = points;
  if (!first || rest.length === 0) return "";
  const steps = rest.map(([x, y], index) => {
    const [beforeX, beforeY] = points[index] as Pair;
    return ` ${x - beforeX} ${y - beforeY}`;
  });
  return `M${first.join(" ")}l${steps.join("").trimStart()}`.replaceAll(" -", "-");
}
