// Runs on other engines only with TEST_LONG: the statements of WebDAV also run in dav.test.ts.
import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Dav, davOf, hrefsIn, makeKey } from "../../../tests/dav/client.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { findProgram, needs } from "../../../tests/kit/optional.ts";

const scratch = useScratch();
const server = useServer();
const owner = server.person("owner");
let dav: Dav;
beforeAll(async () => {
  dav = await davOf(server, owner, "owner");
});

needs("litmus", findProgram("litmus") !== null).test("litmus finds nothing wrong", async () => {
  const directory = newDirectory(scratch);
  const key = await makeKey(owner, "dav");
  const litmus = Bun.spawn(["litmus", `${server.url}/dav/`, "owner", key], { cwd: directory, stderr: "pipe" });
  const output = await litmus.stdout.text();
  const complaints = output.split("\n").filter((line) => /WARNING|FAIL/.test(line));
  expect([complaints, await litmus.exited]).toEqual([[], 0]);
});

/** A directory is a map of its entries, a file its content. */
type Tree = Map<string, Tree | string>;

const names = ["a", "b", "c"];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const step = fc.record({
  method: fc.constantFrom("PUT", "MKCOL", "DELETE", "COPY", "MOVE"),
  from: path,
  to: path,
  mayReplace: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test("any series of requests makes the tree that a model has, in WebDAV and in the API", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40 }), async (steps) => {
      const top = `run${run++}`;
      const model: Tree = new Map();
      await dav("MKCOL", top);
      for (const [index, one] of steps.entries()) {
        const headers = {
          Destination: `/dav/${[top, ...one.to].join("/")}`,
          Overwrite: one.mayReplace ? "T" : "F",
        };
        const body = one.method === "PUT" ? `content ${index}` : null;
        const sent = one.method === "COPY" || one.method === "MOVE" ? { headers } : { body };
        const { status } = await dav(one.method, [top, ...one.from].join("/"), sent);
        expect([index, one, status]).toEqual([index, one, expectedStatus(model, one, body ?? "")]);
      }
      const expected = listed(model, `/dav/${top}/`);
      expect(await readDav(`${top}/`)).toEqual(expected);
      expect(await readAPI(`/${top}`, `/dav/${top}/`)).toEqual(expected);
    }),
    { numRuns: 5, endOnFailure: true },
  );
});

const at = (tree: Tree, place: string[]): Tree | string | undefined =>
  place.reduce<Tree | string | undefined>((found, name) => (found instanceof Map ? found.get(name) : undefined), tree);

/** Does to the model what the request does, and returns its status. */
function expectedStatus(model: Tree, { method, from, to, mayReplace }: Step, content: string): number {
  const above = at(model, from.slice(0, -1));
  const name = from.at(-1) as string;
  const found = at(model, from);
  if (method === "PUT") {
    if (found instanceof Map) return 405;
    if (!(above instanceof Map)) return 409;
    above.set(name, content);
    return found === undefined ? 201 : 204;
  }
  if (method === "MKCOL") {
    if (found !== undefined) return 405;
    if (!(above instanceof Map)) return 409;
    above.set(name, new Map());
    return 201;
  }
  if (found === undefined) return 404;
  if (method === "DELETE") {
    (above as Tree).delete(name);
    return 204;
  }
  const isInside = (inner: string[], outer: string[]) => outer.every((one, index) => inner[index] === one);
  if (isInside(from, to) || (isInside(to, from) && found instanceof Map)) return 403;
  const into = at(model, to.slice(0, -1));
  const target = at(model, to);
  if (!(into instanceof Map)) return 409;
  if (target !== undefined && !mayReplace) return 412;
  into.set(to.at(-1) as string, structuredClone(found));
  if (method === "MOVE") (above as Tree).delete(name);
  return target === undefined ? 201 : 204;
}

function listed(tree: Tree, prefix: string): string[] {
  return [...tree]
    .flatMap(([name, entry]) =>
      entry instanceof Map
        ? [`${prefix}${name}/`, ...listed(entry, `${prefix}${name}/`)]
        : [`${prefix}${name} ${entry}`],
    )
    .toSorted();
}

async function readDav(directory: string): Promise<string[]> {
  const [, ...hrefs] = hrefsIn(await (await dav("PROPFIND", directory, { headers: { Depth: "1" } })).text());
  const below = hrefs.map(async (href) => {
    const place = href.slice("/dav/".length);
    return href.endsWith("/")
      ? [href, ...(await readDav(place))]
      : [`${href} ${await (await dav("GET", place)).text()}`];
  });
  return (await Promise.all(below)).flat().toSorted();
}

async function readAPI(directory: string, prefix: string): Promise<string[]> {
  const { body } = await owner.get(`/api/v1/files?path=${directory}`);
  const below = body.map(async ({ name, isDirectory, url }: any) =>
    isDirectory
      ? [`${prefix}${name}/`, ...(await readAPI(`${directory}/${name}`, `${prefix}${name}/`))]
      : [`${prefix}${name} ${(await owner.get(url)).body}`],
  );
  return (await Promise.all(below)).flat().toSorted();
}
