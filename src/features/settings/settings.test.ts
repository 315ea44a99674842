import { describe, expect, test } from "bun:test";
import { client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { admin, password } from "../../../tests/kit/people.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { defaultMenu } from "../../core/settings/menu.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const settings = "/api/v1/settings";

const server = useServer();
const people = server.people();

const usual = {
  siteName: "Vitrine",
  tagline: "",
  language: "en",
  theme: "magazine",
  accentColour: null,
  customCSS: "",
  defaultVisibility: "public",
  originalVisibility: "same",
  menu: defaultMenu,
  footer: "",
  signupRole: "author",
  passwordRule: "strong",
  approveFirstComments: false,
  photoComments: false,
  factorRoles: [],
  hearts: false,
  newsletter: false,
  webmentions: false,
  webSubHub: null,
  backupEvery: "day",
  backupsKept: { days: 7, weeks: 4, months: 12 },
  mapTiles: null,
  iconFileID: null,
  logoPhotoID: null,
  coverPhotoID: null,
  defaultMenu,
  fromEnvironment: [],
};

describe("settings", () => {
  test("admins read and change them; what is not sent stays as it is", async () => {
    const chief = people.admin;
    expect((await chief.get(settings)).body).toEqual(usual);
    const { status, body } = await chief.put(settings, { siteName: "Ada’s pictures", theme: "plain" });
    expect(status).toBe(200);
    expect(body).toEqual({ ...usual, siteName: "Ada’s pictures", theme: "plain" });
    expect((await chief.put(settings, { theme: "magazine" })).body.siteName).toBe("Ada’s pictures");
    expect((await chief.put(settings, { siteName: "Vitrine" })).body).toEqual(usual);
  });

  test("that an admin changes are in the activity by their names, for admins only", async () => {
    const { admin: chief, owner } = people;
    const secret = ".nobody-should-read-this {}";
    await chief.put(settings, { customCSS: secret, tagline: "Changed", theme: "magazine" });
    // Nothing is different.
    await chief.put(settings, { tagline: "Changed" });
    const { body } = await chief.get("/api/v1/activity?kind=settings");
    expect(body[0]).toMatchObject({ action: "changed", actor: { username: "root" }, ownerID: null });
    expect(body[0].name.split(", ").toSorted()).toEqual(["customCSS", "tagline"]);
    expect(JSON.stringify(body)).not.toContain("nobody-should-read-this");
    expect((await owner.get("/api/v1/activity?kind=settings")).body).toEqual([]);
    await chief.put(settings, { customCSS: "", tagline: "" });
  });

  test.each([
    ["siteName", ""],
    ["siteName", "x".repeat(101)],
    ["tagline", 5],
    ["language", "english please"],
    ["theme", "pink"],
    ["accentColour", "red; } body { display: none"],
    ["customCSS", "x".repeat(100_001)],
    ["defaultVisibility", "unlisted"],
    ["signupRole", "admin"],
    ["passwordRule", "weak"],
    ["approveFirstComments", "yes"],
    ["iconFileID", 999_999],
    ["logoPhotoID", 999_999],
    ["coverPhotoID", "1"],
  ])("%s: %j is refused, and nothing changes", async (name, value) => {
    const { status, body } = await people.admin.put(settings, { tagline: "half", [name]: value });
    expect(status).toBe(400);
    expect(body.error).toContain(name);
    expect((await people.admin.get(settings)).body).toEqual(usual);
  });

  test("the icon is a file, and null again when the file is deleted", async () => {
    const chief = people.admin;
    const { body: directory } = await chief.post("/api/v1/directories", { name: "icons" });
    expect((await chief.put(settings, { iconFileID: directory.id })).status).toBe(400);
    const { body: file } = await chief.upload("icon.txt", "icon");
    expect((await chief.put(settings, { iconFileID: file.id })).body.iconFileID).toBe(file.id);
    await chief.delete(`/api/v1/files/${file.id}`);
    expect((await chief.get(settings)).body).toEqual(usual);
  });

  test("two admins do not overwrite each other’s changes with If-Match", async () => {
    const chief = people.admin;
    const etag = (await chief.get(settings)).headers.get("etag") ?? "";
    const change = (tagline: string) =>
      chief.request("PUT", settings, {
        body: JSON.stringify({ tagline }),
        headers: { "Content-Type": "application/json", "If-Match": etag },
      });
    expect((await change("first")).status).toBe(200);
    expect((await change("second")).status).toBe(412);
    expect((await chief.put(settings, { tagline: "" })).body).toEqual(usual);
  });

  test("signupRole decides from the next sign-up on", async () => {
    const chief = people.admin;
    const signUp = (username: string) => client(server).post("/signup", { username, password });
    await chief.put(settings, { signupRole: "reader" });
    expect((await signUp("newcomer")).status).toBe(201);
    expect(await roleOf("newcomer")).toBe("reader");
    await chief.put(settings, { signupRole: "closed" });
    expect((await signUp("late")).status).toBe(403);
    await chief.put(settings, { signupRole: "author" });
    expect((await signUp("late")).status).toBe(201);
    expect(await roleOf("late")).toBe("author");
  });

  test("defaultVisibility decides about new records for which nothing is sent", async () => {
    const { owner, guest } = people;
    const create = async (fields: object) => {
      const { body: file } = await owner.upload(
        `${crypto.randomUUID()}.png`,
        png(2, 2),
        fields as Record<string, string>,
      );
      return [
        `/api/v1/files/${file.id}`,
        ...(await Promise.all(
          [
            ["photos", { title: "x", fileID: file.id }],
            ["blog", { title: "x", content: "y" }],
            ["albums", { name: "x" }],
          ].map(async ([path, body]) => {
            const { id } = (await owner.post(`/api/v1/${path as string}`, { ...(body as object), ...fields })).body;
            return `/api/v1/${path as string}/${id}`;
          }),
        )),
      ];
    };
    const statuses = async (paths: string[]) => Promise.all(paths.map(async (path) => (await guest.get(path)).status));
    const early = await create({});
    await people.admin.put(settings, { defaultVisibility: "private" });
    const [hidden, shown] = [await create({}), await create({ visibility: "public" })];
    await people.admin.put(settings, { defaultVisibility: "public" });
    expect(await statuses([...early, ...shown, ...(await create({}))])).toEqual(Array(12).fill(200));
    expect(await statuses(hidden)).toEqual(Array(4).fill(404));
  });

  const roleOf = async (username: string) =>
    (await client(server).post("/signin", { username, password })).body.user.role;
});

test("an environment variable wins over a setting, and the response says so", async () => {
  await using closed = await startServer({ SIGNUP_ROLE: "closed" });
  const [chief, guest] = [await admin(closed), client(closed)];
  expect((await chief.get(settings)).body).toEqual({ ...usual, signupRole: "closed", fromEnvironment: ["signupRole"] });
  const { status, body } = await chief.put(settings, { tagline: "x", signupRole: "author" });
  expect(status).toBe(400);
  expect(body.error).toContain("SIGNUP_ROLE");
  expect((await chief.put(settings, { tagline: "x", signupRole: "closed" })).body.tagline).toBe("x");
  expect((await guest.post("/signup", { username: "late", password })).status).toBe(403);
});
