import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isScaled, testScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { startServer } from "../kit/server.ts";
import { useServer } from "../kit/use-server.ts";
import { until } from "../kit/until.ts";
import { testLong } from "../kit/long.ts";

const token = "a token for the metrics";
const withToken = { Authorization: `Bearer ${token}` };

const server = useServer({ METRICS_TOKEN: token });
const owner = server.person("owner");

/** Every sample by its name and labels, as in the text. Fails if the text is malformed. */
async function readMetrics(from: { url: string } = server): Promise<Map<string, number>> {
  const { status, body, headers } = await client(from).get("/metrics", withToken);
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  return parseMetrics(body);
}

function parseMetrics(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.trimEnd().split("\n")) {
    const [, type] = /^# TYPE (\w+ (?:counter|gauge|histogram))$/.exec(line) ?? [];
    const [, sample, name = "", value] = /^((\w+)(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) (\d\S*)$/.exec(line) ?? [];
    if (type) {
      const [family = "", kind = ""] = type.split(" ");
      expect(types.has(family)).toBe(false);
      types.set(family, kind);
    } else if (sample) {
      const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "");
      expect([line, types.get(family) !== undefined]).toEqual([line, true]);
      expect([line, samples.has(sample)]).toEqual([line, false]);
      samples.set(sample, Number(value));
    } else expect(line).toMatch(/^# HELP \w+ [A-Z0-9].*\.$/);
  }
  return samples;
}

/** How much one sample has grown while `work` ran. */
async function growth(sample: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await readMetrics()).get(sample) ?? 0;
  await work();
  return ((await readMetrics()).get(sample) ?? Number.NaN) - before;
}

describe("the metrics can be read", () => {
  test("only if METRICS_TOKEN is set", async () => {
    await using silent = await startServer();
    expect((await client(silent).get("/metrics")).status).toBe(404);
    expect((await client(silent).get("/metrics", withToken)).status).toBe(404);
  });

  test("only with the token", async () => {
    for (const authorization of ["", "Bearer", `Bearer ${token}x`, token, `Bearer ${owner.token}`]) {
      const { status, body, headers } = await client(server).get("/metrics", { Authorization: authorization });
      expect([authorization, status, headers.get("cache-control")]).toEqual([authorization, 401, "private, no-store"]);
      expect(JSON.stringify(body)).not.toContain("vitrine_");
    }
    const { status, headers } = await client(server).get("/metrics", withToken);
    expect([status, headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  });
});

describe("the metrics", () => {
  test("count requests by operation and status, with their durations", async () => {
    const { body: post } = await owner.post("/api/v1/blog", { title: "One", content: "x" });
    const labels = 'method="GET",route="/api/v1/blog/:id",operation="readPost"';
    const read = () => owner.get(`/api/v1/blog/${post.id}`);
    expect(await growth(`vitrine_http_requests_total{${labels},status="200"}`, read)).toBe(1);
    const readMissing = () => owner.get("/api/v1/blog/999999");
    expect(await growth(`vitrine_http_requests_total{${labels},status="404"}`, readMissing)).toBe(1);
    const bucket = 'vitrine_http_request_duration_seconds_bucket{operation="readPost",le="+Inf"}';
    expect(await growth(bucket, read)).toBe(1);
    expect(await growth('vitrine_http_request_duration_seconds_count{operation="readPost"}', read)).toBe(1);
  });

  test("have buckets that include the smaller ones", async () => {
    const found = [...(await readMetrics())].filter(([name]) => name.includes("_bucket{"));
    const histograms = Map.groupBy(found, ([name]) => name.replace(/,?le="[^"]*"/, ""));
    expect(histograms.size).toBeGreaterThan(3);
    for (const [name, buckets] of histograms) {
      const counts = buckets.map(([, count]) => count);
      expect([name, counts]).toEqual([name, counts.toSorted((a, b) => a - b)]);
      expect(buckets.at(-1)?.[0]).toContain('le="+Inf"');
    }
  });

  test("do not grow with the input of clients", async () => {
    const send = async (round: string) => {
      for (let index = 0; index < 50; index++) {
        const path = `/${round}${index}/secret`;
        await client(server).get(path);
        await client(server).request("DELETE", `/api/v1${path}`);
        await client(server).get(`/api/v1/blog/${index}?${round}=${index}`);
        await client(server).get(`/api/v1/files/dir/${round}${index}`);
      }
    };
    await send("walrus");
    const before = await readMetrics();
    await send("zebra");
    const after = await readMetrics();
    // A job may run for the first time in between.
    const namesOf = (metrics: Map<string, unknown>) =>
      [...metrics.keys()].filter((name) => !name.startsWith("vitrine_job_"));
    expect(namesOf(after)).toEqual(namesOf(before));
    expect([...after.keys()].filter((name) => /walrus|zebra|secret/.test(name))).toEqual([]);
    const unmatched = 'vitrine_http_requests_total{method="",route="",operation="unmatched",status="404"}';
    expect(after.get(unmatched)).toBe((before.get(unmatched) ?? 0) + 100);
  });

  test("count responses from the cache and others", async () => {
    await owner.post("/api/v1/albums", { name: "A" });
    const guest = client(server);
    // The people of this test were created by another connection, which the server notices when it looks into its cache.
    for (let index = 0; index < 3; index++) await guest.get("/api/v1/albums?pageSize=6");
    const before = await readMetrics();
    for (let index = 0; index < 20; index++) await guest.get("/api/v1/albums?pageSize=7");
    const after = await readMetrics();
    const [hits = 0, misses = 0] = ["hits", "misses"].map((name) => {
      const sample = `vitrine_response_cache_${name}_total`;
      return (after.get(sample) ?? Number.NaN) - (before.get(sample) ?? Number.NaN);
    });
    expect(hits + misses).toBe(20);
    // A short response is kept when it is requested for the first time. On PostgreSQL, any write to another database of the
    // server empties the cache, too.
    if (!isScaled) expect(misses).toBe(1);
  });

  test("count the bytes of uploads and downloads", async () => {
    const { body: file } = await owner.upload("a.txt", "x".repeat(1000));
    const sent = "vitrine_content_sent_bytes_total";
    expect(await growth(sent, () => owner.get(file.url))).toBe(1000);
    expect(await growth(sent, () => owner.get(file.url, { Range: "bytes=0-9" }))).toBe(10);
    expect(await growth(sent, () => owner.request("HEAD", file.url))).toBe(0);
    const upload = () => owner.upload("b.txt", "y".repeat(500));
    expect(await growth("vitrine_content_received_bytes_total", upload)).toBe(500);
  });

  test("count the decoder's work and its failures", async () => {
    const upload = (name: string, bytes: Bun.BlobPart) => async () => {
      const { body: file } = await owner.upload(name, bytes);
      await owner.post("/api/v1/photos", { title: name, fileID: file.id, width: 1, height: 1 });
    };
    const done = 'vitrine_decoder_tasks_total{task="measure",result="done"}';
    expect(await growth(done, upload("good.png", png(8, 8)))).toBe(1);
    const failed = 'vitrine_decoder_tasks_total{task="measure",result="failed"}';
    expect(await growth(failed, upload("bad.png", png(8, 8).subarray(0, 40)))).toBe(1);
    const metrics = await readMetrics();
    expect([metrics.get("vitrine_decoder_waiting"), metrics.get("vitrine_decoder_running")]).toEqual([0, 0]);
  });

  test("count refusals of the rate limit", async () => {
    const limits = { RATE_LIMIT_PER_SECOND: "0.001", RATE_LIMIT_BURST: "2" };
    await using strict = await startServer({ METRICS_TOKEN: token, ...limits });
    for (let index = 0; index < 5; index++) await client(strict).get("/api/v1/photos");
    const metrics = await readMetrics(strict);
    expect(metrics.get("vitrine_rate_limit_refusals_total")).toBe(3);
    const refused =
      'vitrine_http_requests_total{method="GET",route="/api/v1/photos",operation="listPhotos",status="429"}';
    expect(metrics.get(refused)).toBe(3);
  });

  test("describe the process", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const metrics = await readMetrics();
    expect([...metrics.keys()].find((name) => name.startsWith("vitrine_build_info"))).toContain(`version="${version}"`);
    expect(metrics.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(metrics.get("process_start_time_seconds")).toBeLessThan(Date.now() / 1000);
    expect(metrics.get("process_start_time_seconds")).toBeGreaterThan(Date.now() / 1000 - 86_400);
    expect(metrics.get("vitrine_data_directory_free_bytes")).toBeGreaterThan(0);
    expect(metrics.get("vitrine_http_requests_in_flight")).toBe(1);
    const ticks = "vitrine_event_loop_delay_seconds_count";
    expect(await growth(ticks, () => Bun.sleep(500))).toBeGreaterThan(0);
  });

  testScaled("measure how long transactions waited for a connection", async () => {
    const write = () => owner.post("/api/v1/albums", { name: "B" });
    expect(await growth("vitrine_database_wait_seconds_count", write)).toBeGreaterThan(0);
  });

  testLong("count the runs of background jobs", async () => {
    const done = 'vitrine_job_runs_total{task="sessions",result="done"}';
    const metrics = await until(readMetrics, (found) => found.get(done), 120_000);
    expect(metrics.get('vitrine_job_duration_seconds_count{task="sessions"}')).toBe(metrics.get(done) as number);
    expect(metrics.get('vitrine_job_runs_total{task="sessions",result="failed"}')).toBe(0);
  });
});

describe("the monitoring files of the documentation", () => {
  const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
  const metricsIn = (texts: string[]) => texts.flatMap((text) => text.match(/\b(vitrine|process)_\w+/g) ?? []);

  async function expectKnown(names: string[]): Promise<void> {
    const { body } = await client(server).get<string>("/metrics", withToken);
    const families = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name as string));
    const isKnown = (name: string) => families.has(name) || families.has(name.replace(/_(bucket|sum|count)$/, ""));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
  }

  test("the alerts use metrics that exist", async () => {
    const { groups } = Bun.YAML.parse(read("alerts.yml")) as any;
    const rules: { alert: string; expr: string; annotations: { summary: string; description: string } }[] =
      groups[0].rules;
    expect(rules.length).toBeGreaterThanOrEqual(5);
    for (const { alert, annotations } of rules) {
      expect([annotations.summary, annotations.description]).toEqual([
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\.$/),
      ]);
      expect(read("operate/operating.md")).toContain(`\`${alert}\``);
    }
    await expectKnown(metricsIn(rules.map(({ expr }) => expr)));
  });

  test("the operations that the alert for slow requests excludes exist", async () => {
    const [, names = ""] = /operation!~"([^"]+)"/.exec(read("alerts.yml")) ?? [];
    const { body } = await client(server).get("/openapi.json");
    const known = Object.values<any>(body.paths).flatMap((path) =>
      Object.values<any>(path).map((operation) => operation.operationId),
    );
    for (const name of names.split("|")) expect(known).toContain(name);
  });

  test("the dashboard shows every metric and no others, and the guide lists them", async () => {
    const { panels, templating } = JSON.parse(read("grafana-dashboard.json"));
    const queries: string[] = panels.flatMap((panel: any) => panel.targets.map((target: any) => target.expr));
    const used = metricsIn([...queries, templating.list[1].query.query]);
    await expectKnown(used);
    const { body } = await client(server).get<string>("/metrics", withToken);
    const shown = new Set(used.map((name) => name.replace(/_(bucket|sum|count)$/, "")));
    const families = [...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name as string);
    expect(families.filter((name) => !shown.has(name))).toEqual([]);
    const [, section = ""] = read("operate/operating.md").split("## Metrics\n");
    const listed = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) +\|/gm)].flatMap(([, cell = ""]) =>
      cell.match(/\w+/g),
    );
    expect(listed.filter((name) => /^(vitrine|process)_/.test(name ?? "")).toSorted()).toEqual(families.toSorted());
    expect(new Set(panels.map((panel: any) => panel.id)).size).toBe(panels.length);
  });
});
