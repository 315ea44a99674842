import { expect, test } from "bun:test";
import { z } from "zod";
import { route } from "./route.ts";
import { createGrowingRouter, createRouter } from "./router.ts";

const declare = (path: `/${string}`) =>
  route({ method: "GET", path, name: path, tag: "", summary: "", response: z.null(), handle: () => null });

const paths = [
  "/trees/:id",
  "/trees/new",
  "/trees/:id/leaves/:leafID",
  "/words/:word",
  "/years/2026/:id",
  "/all/*",
  "/all/:id",
  "/maps/:file{map-[0-9]+\\.xml}",
] as const;
const router = createRouter(paths.map(declare));

test.each([
  ["/trees/7", "/trees/:id", { id: "7" }],
  ["/trees/07", "/trees/:id", { id: "07" }],
  ["/trees/seven", "/trees/:id", { id: "seven" }],
  ["/trees/:", "/trees/:id", { id: ":" }],
  ["/trees/new", "/trees/new", {}],
  ["/trees/7/leaves/8", "/trees/:id/leaves/:leafID", { id: "7", leafID: "8" }],
  ["/trees/7/leaves/x", "/trees/:id/leaves/:leafID", { id: "7", leafID: "x" }],
  ["/words/1984", "/words/:word", { word: "1984" }],
  ["/years/2026/5", "/years/2026/:id", { id: "5" }],
  ["/all/5", "/all/*", {}],
  ["/maps/map-3.xml", "/maps/:file{map-[0-9]+\\.xml}", { file: "map-3.xml" }],
])(
  "%s is found as %s, whether or not its parts are numbers, and whether or not the route was found before",
  (path, found, texts) => {
    for (const match of [router.match("GET", path), router.match("GET", path)]) {
      expect([match?.route.path, match?.texts]).toEqual([found, texts]);
    }
  },
);

test.each(["/trees", "/trees/7/8", "/years/2025/5", "/7"])("%s is not found", (path) => {
  expect(router.match("GET", path)).toBeNull();
  expect(router.routesAt(path)).toEqual([]);
});

test("other routes are loaded once, when a path is requested that only they can have, and again after a failure", async () => {
  let loads = 0;
  const load = async () => {
    loads++;
    if (loads === 1) throw new Error("cannot be loaded");
    return [declare("/trees/:id")];
  };
  const growing = createGrowingRouter([declare("/words")], [{ load }]);
  expect([growing.growFor("GET", "/words"), growing.match("GET", "/trees/7"), loads]).toEqual([null, null, 0]);
  expect(await growing.growFor("GET", "/trees/7")?.catch((error: Error) => error.message)).toBe("cannot be loaded");
  await Promise.all([growing.growFor("GET", "/trees/7"), growing.growFor("POST", "/words")]);
  expect([loads, growing.growFor("GET", "/none")]).toEqual([2, null]);
  expect(growing.match("GET", "/trees/7")?.texts).toEqual({ id: "7" });
  expect(growing.match("GET", "/words")?.route.path).toBe("/words");
});

test("routes below a path are loaded for it alone, also where another route would match", async () => {
  const loaded: string[] = [];
  const load = async (path: `/${string}`) => {
    loaded.push(path);
    return [declare(`${path}/:id`)];
  };
  const growing = createGrowingRouter(
    [declare("/:word/:id")],
    [{ below: ["/docs"], load: () => load("/docs") }, { load: () => load("/any") }],
  );
  expect([growing.growFor("GET", "/documents/7"), loaded]).toEqual([null, []]);
  await growing.growFor("GET", "/docs/7");
  expect(loaded).toEqual(["/docs"]);
  await growing.growFor("GET", "/trees/7/8");
  expect([loaded, growing.growFor("GET", "/docs")]).toEqual([["/docs", "/any"], null]);
});
