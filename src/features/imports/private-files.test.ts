import { beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { member } from "../../../tests/kit/people.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const counts = ({ imported, existing, refused, left }: any) => [imported, existing, refused, left];

const server = useServer();
const { owner, stranger, admin } = server.people();
beforeAll(async () => {
  await owner.upload("secret-scan.png", png(2, 2), { visibility: "private" });
  await owner.upload("secret-below.png", png(3, 2), { path: "/secret-diary/secret-year", visibility: "private" });
  await owner.upload("shown.png", png(4, 2), { path: "/open" });
  await owner.upload("secret-later.png", png(5, 2), { path: "/open" });
  await stranger.upload("own.png", png(6, 2), { path: "/theirs" });
});

/** Everything that the API says about an import. */
async function tell(who: Client, id: number) {
  const path = `/api/v1/imports/${id}`;
  const answers = [
    await who.get(path),
    await who.get(`${path}/files`),
    await who.get(`${path}/files?cursor=`),
    ...(await Promise.all(
      ["imported", "exists", "refused", "waiting"].map((outcome) => who.get(`${path}/files?outcome=${outcome}`)),
    )),
  ];
  return { answers, text: JSON.stringify(answers.map(({ body, headers }) => [body, [...headers]])) };
}

describe("the private files of others", () => {
  test("are in no name, id, count or total of an import of everything", async () => {
    const begun = (await stranger.post("/api/v1/photos/import", { path: "/", recursive: true })).body;
    expect(begun.status).toBe("finished");
    expect(JSON.stringify(begun)).not.toContain("secret");
    expect(counts(begun)).toEqual([1, 0, 0, 0]);
    const { answers, text } = await tell(stranger, begun.id);
    expect(text).not.toContain("secret");
    expect(answers[1]?.headers.get("x-total-count")).toBe("1");
    expect(answers[1]?.body.map(({ name }: any) => name)).toEqual(["own.png"]);
  });

  test("stay hidden if they were public when the import read their directory", async () => {
    const begun = (await stranger.post("/api/v1/photos/import", { path: "/open" })).body;
    const before = await tell(stranger, begun.id);
    const later = (await owner.get("/api/v1/files/dir/open")).body.find(({ name }: any) => name.startsWith("secret"));
    await owner.put(`/api/v1/files/${later.id}`, { visibility: "private" });
    const { text } = await tell(stranger, begun.id);
    expect(text).not.toContain("secret");
    expect(text).not.toContain(`"fileID":${later.id},`);
    // What the import says cannot be compared with what it said before the change either.
    const bodies = ({ answers }: typeof before) => answers.map(({ body }) => body);
    expect(bodies(await tell(stranger, begun.id))).toEqual(bodies(before));
  });

  test("are not shown to somebody who is no longer an admin", async () => {
    const former = await member(server, "former", "admin");
    const begun = (await former.post("/api/v1/photos/import", { path: "/", recursive: true })).body;
    expect(JSON.stringify(begun)).toContain("secret-scan.png");
    await admin.put(`/api/v1/users/${former.userID}`, { role: "author" });
    const { answers, text } = await tell(former, begun.id);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(text).not.toContain("secret");
    expect((await admin.get(`/api/v1/imports/${begun.id}`)).status).toBe(200);
  });
});
