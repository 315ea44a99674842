import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Client, client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { useScratch } from "../../../tests/kit/scratch.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { findProgram, needs } from "../../../tests/kit/optional.ts";

const scratch = useScratch();

const server = useServer();
const owner = server.person("owner");

/** The names and the text of the files in the archive, according to an independent reader. */
async function unzip(path: string): Promise<{ headers: Headers; files: Record<string, string> }> {
  const response = await fetch(owner.url(path));
  expect(response.status).toBe(200);
  const archive = join(scratch, `${crypto.randomUUID()}.zip`);
  await Bun.write(archive, response);
  const script =
    "import sys,json,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))";
  const reader = Bun.spawn(["python3", "-c", script, archive], { stdout: "pipe", stderr: "inherit" });
  return { headers: response.headers, files: JSON.parse(await new Response(reader.stdout).text()) };
}

const { test: testWithPython } = needs("Python", findProgram("python3") !== null);

describe("a zip archive", () => {
  testWithPython("of a directory contains everything below it, with the same names", async () => {
    await owner.upload("ünï 💥.txt", "one", { path: "/trip/day 1" });
    await owner.upload("b.txt", "two", { path: "/trip" });
    await owner.post("/api/v1/directories", { name: "empty", path: "/trip" });
    const { body: gone } = await owner.upload("gone.txt", "three", { path: "/trip" });
    await owner.delete(`/api/v1/files/${gone.id}`);
    const { id } = (await owner.get("/api/v1/files")).body.find((file: any) => file.name === "trip");
    const { headers, files } = await unzip(`/api/v1/files/${id}/zip`);
    expect(files).toEqual({
      "trip/": "",
      "trip/day 1/": "",
      "trip/day 1/ünï 💥.txt": "one",
      "trip/empty/": "",
      "trip/b.txt": "two",
    });
    expect(headers.get("content-type")).toBe("application/zip");
    expect(headers.get("content-disposition")).toContain('attachment; filename="trip.zip"');
  });

  testWithPython(
    "of an album contains the files of its photos in order; a number is added to equal names",
    async () => {
      const { body: album } = await owner.post("/api/v1/albums", { name: "../Lisbon/2026" });
      for (const path of ["/x", "/y"]) {
        const { body: file } = await owner.upload("same.txt", `from ${path}`, { path });
        const { body: photo } = await owner.post("/api/v1/photos", {
          title: "p",
          fileID: file.id,
          width: 1,
          height: 1,
        });
        await owner.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id });
      }
      const { files } = await unzip(`/api/v1/albums/${album.id}/zip`);
      expect(files).toEqual({ "..-Lisbon-2026/same.txt": "from /x", "..-Lisbon-2026/same (1).txt": "from /y" });
    },
  );

  testWithPython("has no path that leads out of its folder on any system", async () => {
    for (const [path, name] of [
      ["/odd/.. ", "up.txt"],
      ["/odd/C:", "drive.txt"],
      ["/odd", "end."],
      ["/odd", "end"],
      ["/odd", "..."],
    ] as const) {
      expect((await owner.upload(name, name, { path })).status).toBe(201);
    }
    const { id } = (await owner.get("/api/v1/files")).body.find((file: any) => file.name === "odd");
    const { files } = await unzip(`/api/v1/files/${id}/zip`);
    expect(Object.keys(files).toSorted()).toEqual(
      [
        "odd/",
        "odd/_/",
        "odd/_/up.txt",
        "odd/C_/",
        "odd/C_/drive.txt",
        "odd/_ (1)",
        "odd/end",
        "odd/end (1)",
      ].toSorted(),
    );
  });

  testWithPython("of chosen files and directories has them side by side", async () => {
    const { body: one } = await owner.upload("one.txt", "1", { path: "/chosen" });
    const { body: twin } = await owner.upload("one.txt", "2", { path: "/elsewhere" });
    const { body: deep } = await owner.upload("deep.txt", "3", { path: "/chosen/inner" });
    const { body: secret } = await owner.upload("secret.txt", "4", { path: "/chosen/inner", visibility: "private" });
    const inner = (await owner.get("/api/v1/files?path=/chosen")).body.find((file: any) => file.isDirectory);
    const { headers, files } = await unzip(`/api/v1/files/zip?ids=${twin.id},${inner.id},${one.id},${one.id}`);
    expect(files).toEqual({
      "files/one.txt": "2",
      "files/inner/": "",
      "files/inner/deep.txt": "3",
      "files/one (1).txt": "1",
    });
    expect(headers.get("content-disposition")).toContain('attachment; filename="files.zip"');
    const statusOf = async (who: Client, ids: string | number) =>
      (await who.get(`/api/v1/files/zip?ids=${ids}`)).status;
    const stranger = await person(server, "stranger");
    expect(await statusOf(owner, secret.id)).toBe(200);
    expect(await statusOf(stranger, `${deep.id},${secret.id}`)).toBe(404);
    expect(await statusOf(stranger, "999999")).toBe(404);
    for (const wrong of ["", "x", "1,", "0", "1,-2", Array.from({ length: 501 }, (_, index) => index + 1).join()]) {
      expect([wrong, await statusOf(owner, wrong)]).toEqual([wrong, 400]);
    }
    expect((await owner.get("/api/v1/files/zip")).status).toBe(400);
  });

  testWithPython(
    "of chosen photos has their files in this order, without those that the viewer may not see",
    async () => {
      const create = async (name: string, text: string, visible: { file?: string; photo?: string } = {}) => {
        const path = `/photos of ${text}`;
        const { body: file } = await owner.upload(name, text, { path, visibility: visible.file ?? "public" });
        const size = { width: 1, height: 1, visibility: visible.photo ?? "public" };
        return (await owner.post("/api/v1/photos", { title: "p", fileID: file.id, ...size })).body.id;
      };
      const [a, b] = [await create("a.txt", "first"), await create("a.txt", "second")];
      const [hiddenFile, hidden] = [
        await create("original.txt", "original", { file: "private" }),
        await create("hidden.txt", "hidden", { photo: "private" }),
      ];
      const { files } = await unzip(`/api/v1/photos/zip?ids=${b},${hiddenFile},${a}`);
      expect(files).toEqual({ "photos/a.txt": "second", "photos/a (1).txt": "first" });
      const guest = client(server);
      expect((await guest.get(`/api/v1/photos/zip?ids=${a},${hidden}`)).status).toBe(404);
      expect((await owner.get(`/api/v1/photos/zip?ids=${a},${hidden}`)).status).toBe(200);
    },
  );

  test("has headers that HEAD reads without the archive", async () => {
    const { body: directory } = await owner.post("/api/v1/directories", { name: "measured" });
    const { status, headers, body } = await owner.request("HEAD", `/api/v1/files/${directory.id}/zip`);
    expect([status, headers.get("content-type"), body]).toEqual([200, "application/zip", ""]);
    // Closing an archive that was not read must not fail; the runtime would report it now.
    await Bun.sleep(1);
  });

  test("can only be created from existing directories", async () => {
    const { body: file } = await owner.upload("f.txt", "x");
    expect((await client(server).get(`/api/v1/files/${file.id}/zip`)).status).toBe(400);
    expect((await client(server).get("/api/v1/files/99999/zip")).status).toBe(404);
    expect((await client(server).get("/api/v1/albums/99999/zip")).status).toBe(404);
  });
});
