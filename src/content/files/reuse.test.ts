import { describe, expect, test } from "bun:test";
import { person } from "../../../tests/kit/people.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { create } from "../../features/uploads/tus.test.ts";

const server = useServer();
const owner = server.person("owner");

const onConflict = "reuse";
const form = (name: string, text: string, path: string, who = owner) => who.upload(name, text, { path, onConflict });
const namesIn = async (path: string) =>
  (await owner.get(`/api/v1/files?path=${path}`)).body.map(({ name }: { name: string }) => name);

describe("an upload with onConflict=reuse", () => {
  test("is stored once if it is sent again, also at the same time and by tus", async () => {
    const forms = await Promise.all(Array.from({ length: 5 }, () => form("once.txt", "the same", "/once")));
    const metadata = { filename: "ONCE.txt", path: "/once", onConflict };
    const byTus = await create(owner, 8, metadata, {}, "the same");
    const ids = [...forms.map(({ body }) => body.id), byTus.body.file.id];
    expect([...new Set(ids)]).toEqual([forms[0]?.body.id]);
    expect(forms.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(await namesIn("/once")).toEqual(["once.txt"]);
  });

  test("is stored once under a name with a number, if another file has its name", async () => {
    await form("taken.txt", "other", "/taken");
    const sent = await Promise.all(Array.from({ length: 3 }, () => form("taken.txt", "mine", "/taken")));
    expect([...new Set(sent.map(({ body }) => body.name))]).toEqual(["taken (1).txt"]);
    expect(await namesIn("/taken")).toEqual(["taken (1).txt", "taken.txt"]);
  });

  test("is a new file under another name, in another directory, and if only a numbered name has the content", async () => {
    await form("first.txt", "equal", "/new");
    await form("second.txt", "equal", "/new");
    await form("third (1).txt", "equal", "/new");
    await form("third.txt", "equal", "/new");
    await form("first.txt", "equal", "/elsewhere");
    expect(await namesIn("/new")).toEqual(["first.txt", "second.txt", "third (1).txt", "third.txt"]);
    expect(await namesIn("/elsewhere")).toEqual(["first.txt"]);
  });

  test("is a new file if the one with the same content is in the trash, or is somebody else's", async () => {
    const { body: deleted } = await form("gone.txt", "again", "/gone");
    await owner.request("DELETE", `/api/v1/files/${deleted.id}`);
    expect((await form("gone.txt", "again", "/gone")).body.id).not.toBe(deleted.id);

    const stranger = await person(server, "stranger");
    await form("shared.txt", "public", "/");
    expect((await form("shared.txt", "public", "/", stranger)).body.name).toBe("shared (1).txt");
  });

  test("gives the file the visibility that was asked for", async () => {
    await form("seen.txt", "seen", "/seen");
    const hidden = await owner.upload("seen.txt", "seen", { path: "/seen", onConflict, visibility: "private" });
    expect(hidden.body).toMatchObject({ name: "seen.txt", visibility: "private" });
  });
});
