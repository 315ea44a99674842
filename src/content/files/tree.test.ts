import { describe, expect, test } from "bun:test";
import { isoTime } from "../../../tests/kit/client.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { until } from "../../../tests/kit/until.ts";

const files = "/api/v1/files";
const directories = "/api/v1/directories";

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

const list = async (path: string) => (await guest.get(`${files}?path=${encodeURIComponent(path)}`)).body;
const names = async (path: string) => (await list(path)).map((entry: any) => entry.name);
const createDirectory = async (name: string, path = "/") => (await owner.post(directories, { name, path })).body;
const at = (path: string) => guest.get(`${files}/dir/${path.split("/").map(encodeURIComponent).join("/")}`);
const upload = async (name: string, path = "/") => (await owner.upload(name, `bytes of ${name}`, { path })).body;

describe("creating a directory", () => {
  test("a directory is a file object without bytes, and empty", async () => {
    const { status, body } = await owner.post(directories, { name: "lisbon", path: "/" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: "lisbon",
      path: "/",
      isDirectory: true,
      size: 0,
      contentType: null,
      url: null,
      sha256: null,
      visibility: "public",
      ownerID: owner.userID,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: body.createdAt,
    });
    expect(await list("/")).toContainEqual(body);
    expect(await list("/lisbon")).toEqual([]);
    expect((await guest.get(`${files}/${body.id}/content`)).status).toBe(404);
  });

  test("both ways to create one return the same object", async () => {
    const one = (await owner.post(directories, { name: "one" })).body;
    const form = new FormData();
    form.set("isDirectory", "true");
    form.set("name", "two");
    const two = (await owner.request("POST", files, { body: form })).body;
    expect(Object.keys(two)).toEqual(Object.keys(one));
    expect({ ...two, id: one.id, name: "one" }).toEqual({ ...one, createdAt: two.createdAt, updatedAt: two.updatedAt });
  });

  test("slashes at the ends of the path are optional; the default path is the root", async () => {
    await createDirectory("parent");
    for (const [name, path] of Object.entries({ a: "parent", b: "/parent", c: "parent/", d: "/parent/" })) {
      expect(await createDirectory(name, path)).toMatchObject({ name, path: "/parent" });
    }
    expect(await names("parent/")).toEqual(["a", "b", "c", "d"]);
    expect((await owner.post(directories, { name: "rootless" })).body.path).toBe("/");
  });

  test("a taken name is refused, regardless of case and encoding of accents", async () => {
    await createDirectory("Caf\u00e9");
    await upload("menu.txt");
    const before = await list("/");
    for (const name of ["Caf\u00e9", "CAF\u00c9", "cafe\u0301", "MENU.txt"]) {
      const { status, body } = await owner.post(directories, { name });
      expect([name, status]).toEqual([name, 400]);
      expect(body.error).toBeString();
    }
    expect(await list("/")).toEqual(before);
    expect((await owner.post(directories, { name: "Caf\u00e9", path: "/Caf\u00e9" })).status).toBe(201);
  });

  test("of many concurrent requests for one directory, one succeeds", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => owner.post(directories, { name: index % 2 ? "Race" : "race" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    expect((await names("/")).filter((name: string) => /^race/i.test(name))).toHaveLength(1);
  });

  test("names are stored as typed, in NFC", async () => {
    for (const typed of [
      " blank at the ends ",
      ".hidden",
      "a.b.c",
      `"quoted" & 'more'`,
      "100%",
      "?#&=+;",
      "名前 \u{1f600}",
      "A\u030angstro\u0308m",
    ]) {
      const made = await createDirectory(typed, "/typed");
      expect(made.name).toBe(typed.normalize("NFC"));
      expect((await guest.get(`${files}/dir/typed/${encodeURIComponent(typed)}`)).body).toEqual([]);
    }
  });

  test.each(["", " ", ".", "..", "a/b", "/", "a\\b", "a\0b", "a\nb", "\u007f", "\u0085", "\ud800", "ü".repeat(128)])(
    "%j is no name, for a new directory or an old one",
    async (name) => {
      const made = await createDirectory(crypto.randomUUID(), "/bad");
      const before = await list("/bad");
      for (const answer of [
        await owner.post(directories, { name, path: "/bad" }),
        await owner.put(`${files}/${made.id}`, { name }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body.error).toContain("name");
      }
      expect(await list("/bad")).toEqual(before);
    },
  );
});

describe("listing a directory", () => {
  test("directories come first, then files, by name, ignoring case, with numbers in numeric order", async () => {
    for (const name of ["img10.jpg", "IMG2.jpg", "b.txt", "A.txt", "img1.jpg", "Zoo.txt", "éclair.txt", "img02b.jpg"]) {
      await upload(name, "/sorted");
    }
    for (const name of ["z10", "Z9", "a", "B"]) await createDirectory(name, "/sorted");
    expect(await names("/sorted")).toEqual([
      "a",
      "B",
      "Z9",
      "z10",
      "A.txt",
      "b.txt",
      "éclair.txt",
      "img1.jpg",
      "IMG2.jpg",
      "img02b.jpg",
      "img10.jpg",
      "Zoo.txt",
    ]);
  });

  test("returns only its direct children", async () => {
    await upload("deep.txt", "/direct/inner");
    const near = await upload("near.txt", "/direct");
    expect(await names("/direct")).toEqual(["inner", "near.txt"]);
    expect((await list("/direct"))[1]).toEqual(near);
    expect(await names("/")).not.toContain("near.txt");
  });

  test("the root can be listed with every form of its path", async () => {
    const root = (await guest.get(files)).body;
    expect(root.length).toBePositive();
    for (const way of [
      `${files}/`,
      `${files}?path=`,
      `${files}?path=/`,
      `${files}?path=%2F`,
      `${files}/dir/`,
      `${files}/dir`,
    ]) {
      expect((await guest.get(way)).body).toEqual(root);
    }
  });

  test("a path returns an object for a file and an array for a directory", async () => {
    const file = await upload("caf\u00e9 & cake.txt", "/two words/100%");
    expect((await at("two words/100%")).body).toEqual([file]);
    expect((await at("two words/100%/")).body).toEqual([file]);
    expect((await at("two words/100%/caf\u00e9 & cake.txt")).body).toEqual(file);
    expect((await at("two words/100%/cafe\u0301 & cake.txt")).body).toEqual(file);
  });

  test("an unknown path is 404, and so is listing a file", async () => {
    await upload("file.txt", "/nowhere");
    for (const path of ["/no", "/nowhere/no", "/nowhere/file.txt/no", "/nowhere/file.tx", "/where/file.txt"]) {
      for (const way of [`${files}?path=${path}`, `${files}/dir${path}`]) {
        const { status, body } = await guest.get(way);
        expect([way, status]).toEqual([way, 404]);
        expect(body.error).toBeString();
      }
    }
    expect((await guest.get(`${files}?path=/nowhere/file.txt`)).status).toBe(404);
  });
});

describe("renaming", () => {
  test("a file keeps its id, its bytes and its path; only the name can be changed", async () => {
    const file = await upload("old.txt", "/rename");
    // So that the time of the change is another one.
    await until(() => Date.now() > Date.parse(file.updatedAt));
    const wish = {
      id: 4711,
      path: "/",
      ownerID: 99,
      size: 0,
      sha256: "0",
      isDirectory: true,
      url: "/x",
      createdAt: "1999",
    };
    const { status, body } = await owner.put(`${files}/${file.id}`, { name: "new.txt", ...wish });
    expect(status).toBe(200);
    expect(body).toEqual({ ...file, name: "new.txt", updatedAt: body.updatedAt });
    expect(body.updatedAt > file.updatedAt).toBe(true);
    expect(await list("/rename")).toEqual([body]);
    expect((await guest.get(file.url)).body).toBe("bytes of old.txt");
    expect((await guest.get(`${files}/dir/rename/old.txt`)).status).toBe(404);
  });

  test("renaming a directory changes the path of everything below it", async () => {
    const file = await upload("leaf.txt", "/tree/branch");
    const [branch] = await list("/tree");
    expect((await owner.put(`${files}/${branch.id}`, { name: "bough" })).body.name).toBe("bough");
    expect((await guest.get(`${files}/dir/tree/bough/leaf.txt`)).body).toEqual({ ...file, path: "/tree/bough" });
    expect((await guest.get(`${files}/dir/tree/branch`)).status).toBe(404);
    expect((await guest.get(file.url)).status).toBe(200);
  });

  test("a taken name is refused, but not its own name in another case", async () => {
    const [one, two] = [await upload("one.txt", "/case"), await upload("two.txt", "/case")];
    await createDirectory("Three", "/case");
    for (const name of ["two.txt", "TWO.TXT", "three"]) {
      const { status, body } = await owner.put(`${files}/${one.id}`, { name });
      expect(status).toBe(400);
      expect(body.error).toBeString();
    }
    expect((await list("/case")).slice(1)).toEqual([one, two]);
    expect((await owner.put(`${files}/${one.id}`, { name: "ONE.txt" })).body.name).toBe("ONE.txt");
    expect((await owner.put(`${files}/${one.id}`, { name: "ONE.txt" })).status).toBe(200);
  });

  test("a body without a name is refused", async () => {
    const file = await upload("unchanged.txt", "/unnamed");
    for (const body of [{}, { path: "/elsewhere" }, { isDirectory: true }]) {
      const answer = await owner.put(`${files}/${file.id}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain("name");
    }
    expect(await list("/unnamed")).toEqual([file]);
  });
});

describe("deleting", () => {
  test("a deleted file disappears from every read, and its name is free again", async () => {
    const file = await upload("brief.txt", "/delete");
    const { status, body } = await owner.delete(`${files}/${file.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String) });
    expect(await list("/delete")).toEqual([]);
    for (const way of [`${files}/dir/delete/brief.txt`, file.url]) expect((await guest.get(way)).status).toBe(404);
    expect((await owner.put(`${files}/${file.id}`, { name: "back.txt" })).status).toBe(404);
    expect((await owner.delete(`${files}/${file.id}`)).status).toBe(404);
    const again = await upload("brief.txt", "/delete");
    expect(again.name).toBe("brief.txt");
    expect(again.id).toBeGreaterThan(file.id);
  });

  test("a directory is deleted with everything below it, and nothing else", async () => {
    const [below, deeper] = [await upload("below.txt", "/top/gone"), await upload("deeper.txt", "/top/gone/1/2")];
    const beside = await upload("beside.txt", "/top");
    const gone = (await list("/top")).find((entry: any) => entry.name === "gone");
    expect((await owner.delete(`${files}/${gone.id}`)).status).toBe(200);

    expect(await list("/top")).toEqual([beside]);
    for (const file of [below, deeper]) {
      expect((await guest.get(file.url)).status).toBe(404);
      expect((await owner.put(`${files}/${file.id}`, { name: "x" })).status).toBe(404);
      expect((await owner.delete(`${files}/${file.id}`)).status).toBe(404);
    }
    for (const path of ["/top/gone", "/top/gone/1", "/top/gone/1/2/deeper.txt"]) {
      expect((await guest.get(`${files}/dir${path}`)).status).toBe(404);
    }
    await createDirectory("gone", "/top");
    expect(await list("/top/gone")).toEqual([]);
  });

  test("deleting one of two files with the same bytes does not affect the other", async () => {
    const twins = await Promise.all(
      ["a.txt", "b.txt"].map((name) => owner.upload(name, "the same", { path: "/twins" })),
    );
    const [one, other] = twins.map((answer) => answer.body);
    expect(one.sha256).toBe(other.sha256);
    await owner.delete(`${files}/${one.id}`);
    expect((await guest.get(other.url)).body).toBe("the same");
    expect(await list("/twins")).toEqual([other]);
  });
});
