// Runs on other engines only with TEST_LONG: what links reach is decided by the same statements as in tests/api/visibility.test.ts.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { api, made } from "../kit/permissions/records.ts";
import { type Client, client } from "../kit/client.ts";
import { startServer } from "../kit/server.ts";
import { isLong } from "../kit/long.ts";
import {
  anyChoice,
  createWorld,
  isHidden,
  listRequests,
  type Made,
  someOfEach,
  type World,
} from "../kit/visibility.ts";

const shareKinds = ["photo", "album", "file", "directory", "post"] as const;
type ShareKind = (typeof shareKinds)[number];

/** The ids that a link reaches, by the names in paths. */
type Reach = Record<Path, Set<number>> & { comments: Set<number>; hasArchive: boolean };
type Path = "photos" | "albums" | "files" | "blog";

test("a link reaches what is shared and what lies in it, and changes nothing else that a guest gets", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyChoice, { minLength: 8, maxLength: 14 }),
      fc.boolean(),
      async (choices, allowDownload) => {
        await using server = await startServer();
        const world = await createWorld(server, client(server), [...someOfEach, ...choices]);
        const entries = world.records.map(({ id }) => ({ method: "GET", path: `${api}/files/${id}/entries` }));
        const byGuest: Answered[] = [];
        for (const request of [...listRequests(world), ...entries])
          byGuest.push({ request, answer: await send(world.guest, request) });
        for (const kind of shareKinds) {
          const isForDownload = kind === "file" || kind === "directory";
          const options = { allowDownload: isForDownload || allowDownload };
          const record = chooseRecord(world, kind);
          const { token } = await made(world.owner, "/shares", { kind, id: record.id, ...options });
          const link = client(server, null, 0, { "X-Share-Token": token });
          await expectReach(world, byGuest, link, await reachOf(world, kind, record, options.allowDownload));
        }
      },
    ),
    { numRuns: isLong ? 2 : 1, endOnFailure: true },
  );
});

/** One that guests do not see; a directory with something in it. */
function chooseRecord({ records }: World, kind: ShareKind): Made {
  const hidden = records.filter((one) => one.kind === kind && isHidden(records, one));
  const full = hidden.find((one) => records.some(({ path }) => path.startsWith(`${one.path}/`)));
  return (kind === "directory" ? (full ?? hidden[0]) : hidden.at(-1)) as Made;
}

/** By what the owner sees. */
async function reachOf(
  { owner, records }: World,
  kind: ShareKind,
  record: Made,
  allowDownload: boolean,
): Promise<Reach> {
  const ids = {
    photos: new Set<number>(),
    albums: new Set<number>(),
    files: new Set<number>(),
    blog: new Set<number>(),
  };
  const reach: Reach = { ...ids, comments: new Set(), hasArchive: allowDownload };
  const addPhoto = (photo: any) => {
    reach.photos.add(photo.id);
    if (allowDownload && photo.fileID) reach.files.add(photo.fileID);
  };
  const read = async (path: string) => (await owner.get(`${api}/${path}/${record.id}`)).body;
  if (kind === "photo") addPhoto(await read("photos"));
  else if (kind === "album") {
    const add = async (id: number): Promise<void> => {
      reach.albums.add(id);
      (await owner.get(`${api}/albums/${id}`)).body.photos.forEach(addPhoto);
      for (const child of (await owner.get(`${api}/albums/${id}/albums`)).body) await add(child.id);
    };
    await add(record.id);
  } else if (kind === "post") {
    reach.blog.add(record.id);
    const { coverID } = await read("blog");
    if (coverID) reach.photos.add(coverID);
    const { body: comments } = await owner.get(`${api}/comments?blogPostID=${record.id}`);
    for (const { id } of comments) reach.comments.add(id);
  } else {
    for (const one of records) {
      const isInside = kind === "directory" && one.path.startsWith(`${record.path}/`);
      if (one === record || isInside) reach.files.add(one.id);
    }
  }
  return reach;
}

type Answered = { request: { method: string; path: string; body?: object }; answer: Sent };

/** What somebody with a link gets, compared with what a guest got before there were links. */
async function expectReach(world: World, answered: Answered[], link: Client, reach: Reach): Promise<void> {
  const { owner, records } = world;
  const isReached = (one: Made) =>
    reach[
      one.kind === "photo" ? "photos" : one.kind === "album" ? "albums" : one.kind === "post" ? "blog" : "files"
    ].has(one.id);
  const secrets = records.filter((one) => one.kind !== "comment" && isHidden(records, one) && !isReached(one));
  for (const { request, answer: byGuest } of answered) {
    const byLink = await send(link, request);
    const what = [request.method, request.path, byLink.status];
    expect([...what, byLink.cache]).toEqual([...what, "private, no-store"]);
    // The name of a secret is not told by any response, unless the request has it.
    const told = secrets.filter(({ words }) => byLink.text.includes(words) && !request.path.includes(words));
    expect([...what, told]).toEqual([...what, []]);
    const referred = referencesIn(byLink.text);
    const leaked = secrets.filter((one) => referred.some(({ kind, id }) => kind === one.kind && id === one.id));
    expect([...what, leaked]).toEqual([...what, []]);
    const [, kind = "", id = "", rest = ""] =
      /^\/api\/v1\/(photos|albums|files|blog)\/(\d+)((?:[/?].*)?)$/.exec(request.path) ?? [];
    const isRead = request.method === "GET" && !/^\/(versions|revisions)/.test(rest);
    if (isRead && isOfSharedPost(request.path, reach, records)) {
      // A page of the owner may have hidden comments.
      if (request.path.includes("cursor=")) continue;
      expect([...what, visibleIn(byLink)]).toEqual([...what, visibleIn(await send(owner, request))]);
    } else if (isRead && reach[kind as Path]?.has(Number(id))) {
      const byOwner = await send(owner, request);
      const isWithheld = kind === "albums" && rest === "/zip" && !reach.hasArchive;
      expect([...what, byLink.status]).toEqual([...what, isWithheld ? byGuest.status : byOwner.status]);
      expect([...what, coreOf(byLink)]).toEqual([...what, coreOf(byOwner)]);
    } else if (isRead && kind === "albums" && rest === "/albums" && byLink.status === 200) {
      // What is shared is also found where it lies.
      const others = JSON.parse(byLink.text).filter(
        (album: any) => !reach.albums.has(album.id) || album.visibility === "public",
      );
      expect([...what, others.map(({ id }: any) => id)]).toEqual([
        ...what,
        JSON.parse(byGuest.text).map(({ id }: any) => id),
      ]);
    } else if (/^\/api\/v1\/files(\?path=|\/dir\/)/.test(request.path) && byLink.text !== byGuest.text) {
      // What is shared is also found by its path.
      const known = new Set([...reach.files, ...visibleIn(byGuest)]);
      const others = visibleIn(byLink).filter((one) => !known.has(one));
      expect([...what, others]).toEqual([...what, []]);
    } else {
      expect([...what, byLink.link, byLink.total]).toEqual([...what, byGuest.link, byGuest.total]);
      expect([...what, byLink.status, withoutReferences(byLink)]).toEqual([
        ...what,
        byGuest.status,
        withoutReferences(byGuest),
      ]);
    }
  }
}

/** Whether a request reads the comments of a post that is shared, or the post by its slug. */
function isOfSharedPost(path: string, { blog, comments }: Reach, records: Made[]): boolean {
  const postID = Number(/comments\?blogPostID=(\d+)/.exec(path)?.[1]);
  const commentID = Number(/comments\/(\d+)$/.exec(path)?.[1]);
  const slug = /by-slug\?slug=(.*)/.exec(path)?.[1];
  const hasSlug = records.some(({ kind, id, words }) => kind === "post" && words === slug && blog.has(id));
  return blog.has(postID) || comments.has(commentID) || hasSlug;
}

/** The ids of what everyone sees there. */
function visibleIn({ isJSON, text }: Sent): number[] {
  const found = isJSON ? JSON.parse(text) : [];
  const all = Array.isArray(found) ? found : [found];
  return all.filter(({ status, error }: any) => !error && status !== "hidden").map(({ id }: any) => id);
}

type Sent = Awaited<ReturnType<typeof send>>;

async function send(who: Client, { method, path, body }: { method: string; path: string; body?: object }) {
  const init = body ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {};
  const { status, headers, body: got } = await who.request(method, path, init);
  const text = typeof got === "string" ? got : JSON.stringify(got);
  return {
    status,
    link: headers.get("link"),
    total: headers.get("x-total-count"),
    cache: headers.get("cache-control"),
    isJSON: headers.get("content-type")?.startsWith("application/json") ?? false,
    text: text.replace(/"requestID":"[^"]*"/g, `"requestID":""`),
  };
}

/** What identifies a record that the link shares, and what is in it. */
function coreOf({ isJSON, status, text }: Sent): unknown {
  if (!isJSON || status !== 200) return null;
  const record = JSON.parse(text);
  const pick = (one: any) => [one.id, one.title ?? one.name, one.visibility, one.ownerID, one.photoCount, one.coverID];
  return Array.isArray(record) ? record.map(pick) : [pick(record), record.photos?.map(pick)];
}

/** References to what is shared are shown wherever they are. */
const withoutReferences = ({ isJSON, text }: Sent): unknown =>
  isJSON
    ? JSON.parse(text, (name, value) =>
        ["file", "fileID", "cover", "coverID", "html", "requestID"].includes(name) ? null : value,
      )
    : null;

/** The ids of files and photos that records refer to. */
function referencesIn(text: string): { kind: string; id: number }[] {
  const idsIn = (name: string) => [...text.matchAll(new RegExp(`"${name}":(\\d+)`, "g"))].map(([, id]) => Number(id));
  return [
    ...idsIn("fileID").map((id) => ({ kind: "file", id })),
    ...idsIn("coverID").map((id) => ({ kind: "photo", id })),
  ];
}
