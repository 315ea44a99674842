import { beforeEach, describe, expect, test } from "bun:test";
import type { Client, ClientOptions } from "../../client/src/index.ts";
import { createManualClock } from "../../tests/kit/manual-clock.ts";
import { useSite } from "../../tests/studio/site.ts";
import type { UploadStorage } from "./kept.ts";
import { createQueue } from "./queue.ts";
import type { Upload } from "./upload.ts";
import { until } from "../../tests/kit/until.ts";
import { testLong } from "../../tests/kit/long.ts";

const site = useSite();

/** What the browser keeps: it outlives a page. */
let records: Map<string, Upload>;
let copies: Map<string, File>;
let progress: Map<string, string>;
let isFull: boolean;
let clock: ReturnType<typeof createManualClock>;
let directory: string;

beforeEach(() => {
  [records, copies, progress, isFull] = [new Map(), new Map(), new Map(), false];
  clock = createManualClock();
  directory = `/${crypto.randomUUID()}`;
});

const storage: UploadStorage = {
  keepUploads: async (uploads) => uploads.forEach((upload) => records.set(upload.id, upload)),
  forgetUploads: async (ids) =>
    ids.forEach((id) => {
      records.delete(id);
      copies.delete(id);
    }),
  keepFile: async (id, file) => !isFull && Boolean(copies.set(id, file)),
  readKeptFile: async (id) => copies.get(id) ?? null,
  forgetProgress: (id) => void progress.delete(`vitrine upload ${id}`),
};

/** The uploads of a page that is opened now. */
function open(options: ClientOptions = {}) {
  const store = {
    get: (key: string) => progress.get(key) ?? null,
    set: (key: string, value: string) => void progress.set(key, value),
    delete: (key: string) => void progress.delete(key),
  };
  const api: Client = site.connect({ uploads: store, ...options });
  const queue = createQueue({ api, storage, clock, userID: () => 1 });
  const add = (...files: File[]) =>
    queue.addToQueue(
      files.map((file) => ({ file })),
      { directory, isPhoto: false, visibility: "private" },
    );
  return { ...queue, add, states: () => queue.list.all().map(({ state }) => state) };
}

type Page = ReturnType<typeof open>;

const text = (name: string, content = `${name} ${crypto.randomUUID()}`) =>
  new File([content], name, { lastModified: 1 });
const texts = (count: number) => Array.from({ length: count }, (_, index) => text(`${index}.txt`));
const large = (mebibytes: number) => {
  const bytes = new Uint8Array(mebibytes * 2 ** 20);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return new File([bytes], "large.bin", { lastModified: 1 });
};

const untilOver = (page: Page, ...expected: string[]) =>
  until(page.list.all, (all) =>
    all.every(({ state }) => (expected.length > 0 ? expected : ["finished"]).includes(state)),
  );

const stored = async () => (await site.elsewhere.listDirectory({ path: directory, pageSize: 1000 })).items;
const sentSince = (from: number, start: string) =>
  site.sent().filter(({ line }, at) => at >= from && line.startsWith(start));
const now = () => site.sent().length;

/** Records the names of the files whose form is sent, and how many are sent at the same time. */
function watchForms() {
  const names: string[] = [];
  let [active, most] = [0, 0];
  const watch: ClientOptions["fetch"] = async (url, init) => {
    const isForm = init?.body instanceof FormData;
    if (isForm) names.push((init.body as FormData).get("name") as string);
    most = Math.max(most, (active += Number(isForm)));
    try {
      return await fetch(url, init);
    } finally {
      active -= Number(isForm);
    }
  };
  return { names, most: () => most, fetch: watch };
}

describe("the queue of uploads", () => {
  test("sends files in their order, five at a time, and asks for many at once what the server has", async () => {
    const forms = watchForms();
    const page = open({ fetch: forms.fetch });
    const from = now();
    page.add(...texts(70));
    await untilOver(page);
    expect(forms.names).toEqual(Array.from({ length: 70 }, (_, index) => `${index}.txt`));
    expect(forms.most()).toBe(5);
    expect(await stored()).toHaveLength(70);
    expect(sentSince(from, "GET").length + sentSince(from, "POST /api/v1/files/known").length).toBeLessThan(10);
  });

  test("pauses at once, and goes on with those that were interrupted", async () => {
    const forms = watchForms();
    const page = open({ fetch: forms.fetch });
    page.add(...texts(20));
    await until(() => forms.names.length >= 7);
    page.pauseUploads();
    await until(() => !page.states().includes("sending"));
    const sent = forms.names.length;
    const interrupted = page.list.all().find(({ state }) => state === "waiting")?.name;
    await Bun.sleep(50);
    expect([forms.names.length, page.list.isPaused()]).toEqual([sent, true]);
    page.continueUploads();
    await untilOver(page);
    expect(forms.names[sent]).toBe(interrupted as string);
    expect(await stored()).toHaveLength(20);
  });

  test("one that is refused fails with the reason, and can be tried again; the others are sent", async () => {
    let refusals = 1;
    const page = open({
      fetch: async (url, init) => {
        const isRefused = init?.body instanceof FormData && init.body.get("name") === "3.txt" && refusals-- > 0;
        return isRefused ? Response.json({ error: "The disk is on holiday." }, { status: 400 }) : fetch(url, init);
      },
    });
    page.add(...texts(8));
    await untilOver(page, "finished", "failed");
    const failed = page.list.all().filter(({ state }) => state === "failed");
    expect(failed.map(({ problem }) => problem)).toEqual(["The disk is on holiday."]);
    page.retryUploads(failed.map(({ id }) => id));
    await untilOver(page);
    expect([(await stored()).length, page.list.all().filter(({ problem }) => problem !== null)]).toEqual([8, []]);
  });

  test("goes on with the others if the server cannot say what it has", async () => {
    const page = open();
    site.fail("POST /api/v1/files/known", { status: 400 });
    page.add(...texts(8));
    await untilOver(page, "finished", "failed");
    expect(page.states().filter((state) => state === "failed")).toHaveLength(5);
    page.retryUploads(page.list.all().flatMap(({ id, state }) => (state === "failed" ? [id] : [])));
    await untilOver(page);
    expect(await stored()).toHaveLength(8);
  });

  test("waits without a connection, and goes on by itself, or when the network is there again", async () => {
    let [isDown, wasDown] = [false, false];
    const page = open({
      fetch: (url, init) => {
        // After the question what the server has.
        if (!wasDown && init?.body instanceof FormData) [isDown, wasDown] = [true, true];
        return isDown ? Promise.reject(new TypeError("The network is down.")) : fetch(url, init);
      },
    });
    page.add(text("one.txt"));
    await until(() => page.list.isOffline());
    expect(page.states()).toEqual(["waiting"]);
    page.add(text("two.txt"));
    const from = now();
    clock.pass(4999);
    expect(now()).toBe(from);
    clock.pass(1);
    // Still down: the next attempt is five seconds later.
    await until(() => page.list.isOffline());
    expect(now()).toBe(from);
    isDown = false;
    page.continueUploads();
    await untilOver(page);
    expect([page.list.isOffline(), (await stored()).length]).toEqual([false, 2]);
  });

  test("forgets those that are finished, and shows all others", async () => {
    const page = open();
    page.add(...texts(3));
    await untilOver(page);
    clock.pass(1000);
    expect(page.list.shown().list).toHaveLength(3);
    page.clearFinished();
    clock.pass(0);
    expect([page.list.shown().list, page.list.hasUnsent()]).toEqual([[], false]);
  });
});

describe("a file that the server has already", () => {
  test("is not sent again, at the same place and as a copy at another one", async () => {
    const content = crypto.randomUUID();
    const first = open();
    first.add(text("a.txt", content));
    await untilOver(first);
    const page = open();
    const from = now();
    page.add(text("a.txt", content), text("b.txt", content));
    await untilOver(page, "existing");
    expect(sentSince(from, "POST /api/v1/files ").length + sentSince(from, "PATCH").length).toBe(0);
    expect((await stored()).map(({ name }) => name)).toEqual(["a.txt", "b.txt"]);
  });

  test("because it was chosen twice waits for the first one", async () => {
    const content = crypto.randomUUID();
    const forms = watchForms();
    const page = open({ fetch: forms.fetch });
    page.add(text("a.txt", content), text("b.txt", content), text("c.txt"));
    await untilOver(page, "finished", "existing");
    expect(page.states()).toEqual(["finished", "existing", "finished"]);
    expect(forms.names).toEqual(["a.txt", "c.txt"]);
    expect((await stored()).map(({ name }) => name)).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  test("of the same size but with another content is sent", async () => {
    const page = open();
    page.add(text("a.txt", "1".repeat(40)), text("b.txt", "2".repeat(40)));
    await untilOver(page);
    expect(await stored()).toHaveLength(2);
  });
});

describe("a large file", () => {
  const offsetsSince = (from: number) =>
    sentSince(from, "PATCH").map(({ headers }) => Number(headers["upload-offset"]));

  /** The part at this offset is not sent before it was cancelled once. */
  function stopAt(offset: number): ClientOptions["fetch"] {
    let isOpen = false;
    return (url, init) => {
      const at = Number(new Headers(init?.headers).get("upload-offset"));
      if (isOpen || at < offset) return fetch(url, init);
      return new Promise((_, reject) => {
        init?.signal?.addEventListener("abort", () => {
          isOpen = true;
          reject(init.signal?.reason);
        });
      });
    };
  }

  test("is sent in parts, and after a cut from where the server is", async () => {
    const page = open({ retry: { attempts: 3, minDelay: 1 } });
    const from = now();
    const file = large(9);
    site.fail("PATCH", { cutAfter: 2 ** 17 });
    page.add(file);
    await untilOver(page);
    const offsets = offsetsSince(from);
    expect(offsets[0]).toBe(0);
    expect(offsets.length).toBeGreaterThan(2);
    expect(offsets).toEqual(offsets.toSorted((one, other) => one - other));
    const [entry] = await stored();
    const bytes = new Uint8Array(await (await site.elsewhere.readContent({ id: entry!.id })).arrayBuffer());
    expect(Buffer.from(bytes).equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
  });

  test("goes on after a reload of the page, and sends nothing twice that the server has", async () => {
    const before = open({ fetch: stopAt(2 ** 20) });
    before.add(large(9));
    clock.pass(2000);
    await until(() => before.list.all()[0]?.sent === 2 ** 20 && copies.size === 1);
    // The page is left: its requests end.
    before.pauseUploads();
    await until(() => !before.states().includes("sending"));
    const from = now();
    const page = open();
    await page.resumeUploads([...records.values()]);
    await untilOver(page);
    expect(offsetsSince(from)[0]).toBe(2 ** 20);
    expect(await stored()).toMatchObject([{ name: "large.bin", size: 9 * 2 ** 20 }]);
    clock.pass(1000);
    expect([records.size, copies.size, progress.size]).toEqual([0, 0, 0]);
  });

  test("that is cancelled is deleted on the server, too", async () => {
    const page = open({ fetch: stopAt(2 ** 20) });
    const from = now();
    page.add(large(9));
    await until(() => page.list.all()[0]?.sent === 2 ** 20);
    const [{ id, serverID } = { id: "", serverID: 0 }] = page.list.all();
    page.cancelUploads([id]);
    await until(() => sentSince(from, "DELETE").length === 1);
    expect(sentSince(from, "DELETE")[0]?.line).toBe(`DELETE /api/v1/uploads/${serverID}`);
    expect(page.list.all()).toEqual([]);
    expect(await site.elsewhere.listDirectory({ path: directory }).catch(({ status }) => status)).toBe(404);
  });

  test("is sent again if somebody else shall see it", async () => {
    const page = open({ fetch: stopAt(2 ** 20) });
    const from = now();
    page.add(large(9));
    await until(() => page.list.all()[0]?.sent === 2 ** 20);
    page.showUploadsTo("public");
    await untilOver(page);
    expect(offsetsSince(from).filter((offset) => offset === 0)).toHaveLength(2);
    expect(await stored()).toMatchObject([{ visibility: "public" }]);
  });
});

describe("after a reload", () => {
  test("a file that the browser could not keep is lost, until it is chosen again", async () => {
    isFull = true;
    const file = text("a.txt");
    const before = open();
    before.pauseUploads();
    before.add(file);
    expect(before.wouldLose()).toBe(true);
    clock.pass(3000);
    await until(() => records.size === 1);
    const page = open();
    await page.resumeUploads([...records.values()]);
    expect([page.states(), page.wouldLose()]).toEqual([["lost"], false]);
    page.add(file, text("b.txt"));
    await untilOver(page);
    expect([page.list.all().length, (await stored()).length]).toEqual([2, 2]);
  });

  test("what is not finished is in its order, and what has failed waits for a person", async () => {
    const before = open();
    before.pauseUploads();
    before.add(...texts(3));
    clock.pass(3000);
    await until(() => copies.size === 3);
    clock.pass(1000);
    const [first, ...others] = [...records.values()] as [Upload, ...Upload[]];
    const page = open();
    await page.resumeUploads([{ ...first, state: "failed", problem: "Full" }, ...others]);
    await until(() => page.states().filter((state) => state === "finished").length === 2);
    expect(page.states()).toEqual(["failed", "finished", "finished"]);
  });
});

describe("thousands of files", () => {
  /** A server that takes everything, and costs nothing. */
  const takeAll: ClientOptions["fetch"] = async (url, init) => {
    const isForm = init?.body instanceof FormData;
    return Response.json(isForm ? { id: 1, contentType: "text/plain", visibility: "private" } : [], {
      status: isForm ? 201 : 200,
      headers: { "X-Sent": url },
    });
  };

  async function sendAll(count: number): Promise<number> {
    const files = Array.from({ length: count }, (_, index) => new File(["x".repeat(index % 7)], `${index}`));
    const started = process.cpuUsage();
    const page = open({ fetch: takeAll });
    page.add(...files);
    await until(() => !page.list.hasUnsent());
    const { user, system } = process.cpuUsage(started);
    return user + system;
  }

  testLong("take about as long as the same number in ten parts", async () => {
    await sendAll(300);
    let [ofParts, ofAll] = [Infinity, Infinity];
    for (let round = 0; round < 2; round++) {
      let sum = 0;
      for (let part = 0; part < 10; part++) sum += await sendAll(300);
      ofParts = Math.min(ofParts, sum);
      ofAll = Math.min(ofAll, await sendAll(3000));
    }
    expect(ofAll / ofParts).toBeLessThan(2);
  });
});
