// Mixed load on a real server for ten minutes: memory, descriptors and latency must stay flat. Linux only.
//   npm run test:soak
//   npm run test:soak -- --minutes 2
//   npm run test:soak -- --program dist/main.js
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Client, client, password, person, png, uncached } from "./kit.ts";
import { stopChecking } from "./check-responses.ts";
import { startVitrine } from "./process.ts";

const workers = 8;
const sampleEveryMs = 1000;
const warmUpMs = 60_000;
const delayEveryMs = 10;

type Sample = { memory: number; descriptors: number };
/** `delays`: how late the timers of this process ran, in milliseconds. */
type Part = { samples: Sample[]; durations: number[]; delays: number[] };
type Site = { owner: Client; guest: Client; posts: number[]; photos: number[]; files: number[]; pid: number };

/** In the last third, at most this many times what it was in the first, plus a constant. */
const bounds = {
  memory: { factor: 1.1, more: 8, unit: " MiB" },
  descriptors: { factor: 1, more: 16, unit: "" },
  p99: { factor: 1.5, more: 5, unit: " ms" },
};

async function soak(minutes: number, program: string | undefined): Promise<string[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "vitrine-soak-"));
  try {
    const settings = { DATA_DIR: dataDir, MEDIA_RATE_LIMIT_BURST: "1000000000" };
    await using server = await startVitrine(settings, program && resolve(program));
    stopChecking(server.url);
    const site = await fill(server.url, server.process.pid);
    // Caches fill, and the compiler of the runtime is done with most functions.
    await load(site, Math.max(warmUpMs, (minutes * 60_000) / 5));
    const parts: Part[] = [];
    for (const _third of [1, 2, 3]) parts.push(await load(site, (minutes * 60_000) / 3));
    return judge(parts);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill(url: string, pid: number): Promise<Site> {
  const owner = await person({ url }, "owner");
  const site: Site = { owner, guest: client({ url }), posts: [], photos: [], files: [], pid };
  for (let number = 0; number < 100; number++) {
    await operations.writePost(site);
    await operations.uploadPhoto(site);
  }
  return site;
}

/** What people do on a site, mostly reading. Each returns when the server has done it, or throws. */
const operations = {
  list: ({ guest }: Site) => expectStatus(guest.get(`/api/v1/photos?page=${below(3) + 1}`), 200),
  trueMiss: ({ guest }: Site) => expectStatus(guest.get("/api/v1/blog", uncached), 200),
  read: ({ guest, posts }: Site) => expectStatus(guest.get(`/api/v1/blog/${anyOf(posts)}`), 200),
  download: ({ guest, files }: Site) => expectStatus(guest.get(`/api/v1/files/${anyOf(files)}/content`), 200),
  image: ({ guest, photos }: Site) => expectStatus(guest.get(`/api/v1/photos/${anyOf(photos)}/image?w=320`), 200),
  search: ({ guest }: Site) => expectStatus(guest.get("/api/v1/search?q=harbour"), 200),
  mine: ({ owner }: Site) => expectStatus(owner.get("/api/v1/photos?owner=me"), 200),
  refused: ({ guest }: Site) => expectStatus(guest.post("/api/v1/blog", { title: "No" }), 401),
  signIn: ({ guest }: Site) => expectStatus(guest.post("/signin", { username: "owner", password }), 200),
  async comment({ owner, posts }: Site) {
    await expectStatus(owner.post("/api/v1/comments", { blogPostID: anyOf(posts), content: "By the water." }), 201);
  },
  async writePost(site: Site) {
    const content = "We walked down to the **harbour**. ".repeat(20);
    const { id } = await expectStatus(site.owner.post("/api/v1/blog", { title: "A walk", content }), 201);
    site.posts.push(id as number);
    const oldest = site.posts.length > 200 ? site.posts.shift() : undefined;
    if (oldest) await expectStatus(site.owner.delete(`/api/v1/blog/${oldest}`), 200);
  },
  async uploadPhoto(site: Site) {
    const bytes = Buffer.concat([png(64, 48), crypto.getRandomValues(new Uint8Array(20_000))]);
    const file = await expectStatus(site.owner.upload("photo.png", bytes), 201);
    const photo = await expectStatus(site.owner.post("/api/v1/photos", { title: "Harbour", fileID: file.id }), 201);
    site.files.push(file.id as number);
    site.photos.push(photo.id as number);
    const [oldFile, oldPhoto] = site.files.length > 200 ? [site.files.shift(), site.photos.shift()] : [];
    if (!oldFile) return;
    await expectStatus(site.owner.delete(`/api/v1/photos/${oldPhoto}`), 200);
    await expectStatus(site.owner.delete(`/api/v1/files/${oldFile}`), 200);
  },
};

/** How often each is done, in relation to the others. */
const shares: Record<keyof typeof operations, number> = {
  list: 30,
  trueMiss: 10,
  read: 25,
  download: 10,
  image: 8,
  search: 3,
  mine: 5,
  refused: 2,
  signIn: 0.1,
  comment: 3,
  writePost: 2,
  uploadPhoto: 2,
};

async function load(site: Site, milliseconds: number): Promise<Part> {
  const part: Part = { samples: [], durations: [], delays: [] };
  const end = performance.now() + milliseconds;
  const timer = setInterval(() => part.samples.push(takeSample(site.pid)), sampleEveryMs);
  let due = performance.now() + delayEveryMs;
  const delayTimer = setInterval(() => {
    part.delays.push(Math.max(0, performance.now() - due));
    due = performance.now() + delayEveryMs;
  }, delayEveryMs);
  const work = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await operations[choose()](site);
      part.durations.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: workers }, work)).finally(() => {
    clearInterval(timer);
    clearInterval(delayTimer);
  });
  return part;
}

function takeSample(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const memory = Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]) / 1024;
  return { memory, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** Prints a table, and returns a sentence for everything that has grown. */
function judge(parts: Part[]): string[] {
  const values = parts.map(({ samples, durations, delays }) => ({
    memory: percentile(
      samples.map(({ memory }) => memory),
      0.5,
    ),
    descriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
    p99: percentile(durations, 0.99),
    delay: percentile(delays, 0.99),
    requests: durations.length,
  }));
  console.table(
    values.map((row) => Object.fromEntries(Object.entries(row).map(([key, number]) => [key, round(number)]))),
  );
  const [first, , last] = values;
  return (Object.keys(bounds) as (keyof typeof bounds)[]).flatMap((name) => {
    const { factor, more, unit } = bounds[name];
    const [before, after] = [first?.[name] ?? 0, last?.[name] ?? 0];
    // A machine that has become busier with other work also delays the timers of this process.
    const busier = name === "p99" ? Math.max(1, (last?.delay ?? 1) / (first?.delay ?? 1)) : 1;
    const most = before * factor * busier + more;
    return after <= most ? [] : [`${name}: ${round(before)} in the first third, ${round(after)}${unit} in the last.`];
  });
}

async function expectStatus<Body>(answering: Promise<{ status: number; body: Body }>, expected: number): Promise<Body> {
  const { status, body } = await answering;
  if (status !== expected) throw new Error(`The status was ${status} instead of ${expected}: ${JSON.stringify(body)}`);
  return body;
}

const names = Object.keys(operations) as (keyof typeof operations)[];
const allShares = names.reduce((sum, name) => sum + shares[name], 0);

function choose(): keyof typeof operations {
  let point = Math.random() * allShares;
  return names.find((name) => (point -= shares[name]) < 0) ?? "list";
}

const below = (limit: number) => Math.floor(Math.random() * limit);
const anyOf = (ids: number[]) => ids[below(ids.length - 20) + 20];
const round = (number: number) => Math.round(number * 10) / 10;

function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

const { values: options } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, program: { type: "string" } },
});
const minutes = Number(options.minutes);
if (!(minutes > 0)) throw new Error("--minutes must be a number above 0.");
const complaints = await soak(minutes, options.program);
for (const complaint of complaints) console.error(`soak: ${complaint}`);
if (complaints.length === 0) console.log("Memory, descriptors and latency stayed flat.");
process.exit(complaints.length === 0 ? 0 : 1);
