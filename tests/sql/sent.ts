import type { Site as ModuleSite } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { observe } from "../../src/platform/database/observe.ts";
import { print } from "../../src/platform/database/postgres-statements.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { withDatabase } from "../kit/server.ts";
import { client } from "../kit/client.ts";
import { fillLargeSite } from "./large-site.ts";
import { createSite, furtherLists, lists, type People, type Site } from "./lists.ts";

const api = "/api/v1";

/** Jobs would send statements beside those of the requests. */
const withoutJobs = modules.map((module) => ({
  ...module,
  open: async (site: ModuleSite) => ({ ...(await module.open?.(site)), jobs: [] }),
}));

/** A statement that a list sends. `isNextPage`: for the page after the first one, by cursor. */
export type Sent = { who: keyof People; path: string; text: string; query: Sql; isNextPage: boolean };

/** A list of the API document, with the requests that were sent to it. */
export type List = {
  path: string;
  parameters: string[];
  sorts: string[];
  requests: string[];
  hasRows: boolean;
  hasNextPage: boolean;
};

/** Sends the requests of all lists to a large site, each with the page after the first one and in all orders. */
export async function sendAll(): Promise<{ site: Site; lists: List[]; sent: Sent[] }> {
  let recorded: Sql[] = [];
  const stop = observe((_engine, queries) => ({
    ...queries,
    ...(queries.all && { all: <Row>(query: Sql) => (recorded.push(query), queries.all!<Row>(query)) }),
    ...(queries.get && { get: <Row>(query: Sql) => (recorded.push(query), queries.get!<Row>(query)) }),
  }));
  const site = await createSite(
    {},
    (server) => withDatabase({ ...server, schema: undefined }, fillLargeSite),
    withoutJobs,
  );
  stop();
  await site.people.admin.put(`${api}/settings`, { photoComments: true });
  // Those of the owner that have enough of what is listed.
  Object.assign(site.ids, { directory: 20, post: 20, share: 20, import: 20, file: 60, webhook: 1 });
  const documented = await readLists(site);
  const sent: Sent[] = [];
  for (const [who, path] of [lists, furtherLists].flatMap((some) => Object.values(some).flat()))
    await sendList(who, path);
  return { site, lists: documented, sent };

  async function sendList(who: keyof People, path: string): Promise<void> {
    const list = findList(documented, path);
    const start = path.replace(/[?&]cursor=$/, "");
    const has = (name: string) => list?.parameters.includes(name) && !new RegExp(`[?&]${name}=`).test(start);
    const addTo = (more: string) => `${start}${start.includes("?") ? "&" : "?"}pageSize=1&${more}`;
    await record(who, path, path);
    if (has("page") && has("pageSize") && !path.includes("?")) await record(who, path, addTo("page=2"));
    if (!has("cursor") || !has("pageSize") || path.includes("page=")) return;
    for (const sort of list && has("sort") ? list.sorts : [""]) {
      for (const order of has("order") ? ["asc", "desc"] : [""]) {
        const next = await record(who, path, addTo(`cursor=${sort && `&sort=${sort}`}${order && `&order=${order}`}`));
        if (!next) continue;
        if (list) list.hasNextPage = true;
        await record(who, path, next, true);
      }
    }
  }

  /** Records what the request sends every time: others may come beside it, for which nobody waits. Returns the next page. */
  async function record(
    who: keyof People,
    path: string,
    request: string,
    isNextPage = false,
  ): Promise<string | undefined> {
    const attempts: Map<string, Sql>[] = [];
    let next: string | undefined;
    for (let attempt = 0; attempt < 3; attempt++) {
      recorded = [];
      next = await send(who, request);
      attempts.push(new Map(recorded.map((query) => [print(query.text).replaceAll(/\s+/g, " ").trim(), query])));
    }
    for (const [text, query] of attempts[0] ?? [])
      if (attempts.every((one) => one.has(text))) sent.push({ who, path, text, query, isNextPage });
    return next;
  }

  async function send(who: keyof People, request: string): Promise<string | undefined> {
    const filled = request.replaceAll(/:([a-z]+)/g, (_, name: string) => String(site.ids[name]));
    // With a token that is not valid, a guest's request is not answered from memory.
    const sender = who === "guest" ? client(site.server, "none") : site.people[who];
    const { status, body, headers } = await sender.get(api + filled);
    if (status !== 200) throw new Error(`${request} returned ${status}: ${body.error}`);
    const list = findList(documented, request);
    list?.requests.push(request);
    if (list && body.length > 0) list.hasRows = true;
    return /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]?.replace(api, "");
  }
}

/** What returns an array. */
async function readLists({ people }: Site): Promise<List[]> {
  const { body: document } = await people.guest.get("/openapi.json");
  return Object.entries<any>(document.paths).flatMap(([path, { get }]) => {
    if (get?.responses["200"]?.content?.["application/json"]?.schema.type !== "array") return [];
    const queries: any[] = (get.parameters ?? []).filter((one: any) => one.in === "query");
    const sorts = queries.find(({ name }) => name === "sort")?.schema.enum ?? [];
    const parameters = queries.map(({ name }) => name as string);
    return [{ path: path.replace(api, ""), parameters, sorts, requests: [], hasRows: false, hasNextPage: false }];
  });
}

function findList(all: List[], request: string): List | undefined {
  const [path = ""] = request.split("?");
  const fits = (list: List) => new RegExp(`^${list.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return all.find((list) => list.path === path) ?? all.find(fits);
}
