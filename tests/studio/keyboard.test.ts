// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser, openTab, type Tab } from "../kit/browser.ts";
import { type Client, client } from "../kit/client.ts";
import { member, password } from "../kit/people.ts";
import { bytesOf, plain } from "../kit/files/pictures.ts";
import { forbidPointers, type Keys, keysOf } from "./keys.ts";
import { eventually, useStudio } from "./studio.ts";
import { until } from "../kit/until.ts";

const api = "/api/v1";

/** One person at one keyboard goes through every section of the studio. */
describeInBrowser("without a mouse", () => {
  let chief: Client;
  let tab: Tab;
  let page: Page;
  let keys: Keys;
  const photoIDs: number[] = [];
  const studio = useStudio();
  beforeAll(async () => {
    ({ chief } = studio);
    const reader = await member(studio.server, "rea", "reader");
    await member(studio.server, "grace", "author");
    await chief.put(`${api}/settings`, { approveFirstComments: true });
    const { body: post } = await chief.post(`${api}/blog`, { title: "Ferries", content: "Late." });
    for (const content of ["Alpha", "Beta", "Gamma", "Delta"]) {
      await reader.post(`${api}/comments`, { content, blogPostID: post.id });
    }
    for (const [index, title] of Array.from("ABCDEF").entries()) photoIDs.push(await addPhoto(title, index));
    await chief.post(`${api}/albums`, { name: "Around" });
    tab = await openTab(studio.browser, studio.server.url, { locale: "en" });
    ({ page } = tab);
    keys = keysOf(page);
    await forbidPointers(tab);
  });
  afterAll(() => expect(tab.complaints).toEqual([]));

  test("people sign in and come to the section that they wanted", async () => {
    await tab.open("/studio/trash");
    await keys.reach(page.getByLabel("Username"));
    await keys.type("chief");
    await keys.reach(page.getByLabel("Password"));
    await keys.type(password);
    await keys.press("Enter");
    await heading("Trash");
  });

  test("the home leads to what waits, and to new pictures", async () => {
    await goTo("h", "Home");
    const chooser = page.waitForEvent("filechooser");
    await keys.use(button("Upload pictures"));
    await keys.choose("Choose files…");
    await chooser;
    await keys.use(link("4 comments are waiting for approval"));
    await heading("Comments");
  });

  test("comments are approved, hidden, answered and deleted, one by one and many at once", async () => {
    const comment = (content: string) => page.getByRole("article").filter({ hasText: content });
    await goTo("c", "Comments");
    await comment("Delta").waitFor();
    await keys.press("j", "a");
    await said("The comment is visible.");
    await keys.isAt(comment("Beta"));
    await keys.press("h");
    await said("The comment is hidden.");
    await keys.press("Control+z");
    await comment("Beta").waitFor();
    await keys.press("x", "j", "x");
    await page.getByText("2 selected").waitFor();
    await keys.press("#");
    await said("2 comments are in the trash.");
    await keys.press("Control+z");
    await comment("Beta").waitFor();
    await keys.press("j", "r");
    await keys.isAt(page.getByLabel("Reply to rea"));
    await keys.type("Thank you.");
    await keys.press("Control+Enter");
    await said("Your reply is published.");
    await keys.use(link("Visible"), "Shift+Tab");
    await page.getByText("Thank you.").waitFor();
  });

  test("photos are selected, edited together, marked, deleted and restored", async () => {
    await goTo("p", "Photos");
    await page.locator(`[data-photo="${photoIDs[5]}"]`).waitFor();
    await keys.press("ArrowRight", "x", "Shift+ArrowRight", "Shift+ArrowRight");
    await page.getByText("3 selected").waitFor();
    await keys.press("e");
    await keys.isAt(page.getByLabel("Title"));
    await keys.type("Sea {n}");
    await keys.reach(page.getByLabel("Add tags"));
    await keys.type("coast,");
    await keys.use(button("Apply"));
    await said("3 changed.");
    await keys.use(button("Add to favourites"));
    await eventually(() => titles("favourite=true"), ["Sea 1", "Sea 2", "Sea 3"]);
    await keys.press("Delete");
    await said("Moved 3 photos and their files to the trash.");
    expect(await titles()).toEqual(["A", "B", "C"]);
    await keys.press("Control+z");
    await eventually(titles, ["A", "B", "C", "Sea 1", "Sea 2", "Sea 3"]);
    await keys.use(button("Favourites"), "Shift+Tab");
    await page.waitForURL(/favourite=only/);
    await keys.use(button("Clear filters"));
    await page.locator(`[data-photo="${photoIDs[0]}"]`).waitFor();
    await keys.press("Control+a");
    await page.getByText("6 selected").waitFor();
    await keys.press("l");
    await keys.use(page.getByRole("dialog").getByRole("button", { name: /^Around/ }));
    await said("6 added to Around.");
    await keys.press("Escape");
  });

  test("a photo is shown alone: the next one, its data, its file, and its end", async () => {
    await goTo("h", "Home");
    await goTo("p", "Photos");
    await page.locator("[data-photo]").first().waitFor();
    await keys.press("ArrowRight", "Enter");
    await heading("Sea 3");
    await button("Next photo").waitFor();
    await keys.press("ArrowRight");
    await heading("Sea 2");
    await keys.press("z", "z", "i");
    await keys.reach(page.getByLabel("Description"));
    await keys.type("At noon.");
    const { body: found } = await chief.get(`${api}/photos/${photoIDs[4]}`);
    expect(found.title).toBe("Sea 2");
    await eventually(async () => (await chief.get(`${api}/photos/${photoIDs[4]}`)).body.description, "At noon.");
    const chooser = page.waitForEvent("filechooser");
    await keys.use(button("More actions"), "Shift+Tab");
    await keys.choose("Replace the file");
    const buffer = Buffer.from(await bytesOf(plain(30, 20, "#135").jpeg()));
    await (await chooser).setFiles({ name: "other.jpg", mimeType: "image/jpeg", buffer });
    await said("The file was replaced.");
    await keys.isAt(button("More actions"));
    await keys.press("ArrowRight");
    await heading("Sea 1");
    await keys.press("Delete");
    await said("Moved 1 photo and its file to the trash.");
    await heading("C");
    await keys.press("Control+z");
    await eventually(async () => (await titles()).length, 6);
    await keys.press("Escape");
    await heading("Photos");
  });

  test("an album is created, filled, ordered, given a cover, shared, moved, deleted and restored", async () => {
    await goTo("a", "Albums");
    await keys.press("n");
    await keys.isAt(page.getByLabel("Name"));
    await keys.type("Journey");
    await keys.press("Enter");
    await heading("Journey");
    const id = Number(new URL(page.url()).pathname.split("/").at(-1));
    await keys.use(button("Add photos").first());
    await keys.choose("From the library…");
    const picker = page.getByRole("dialog");
    await keys.reach(picked().first());
    await keys.press("Space", "ArrowRight", "Space", "ArrowRight", "Space");
    await keys.use(picker.getByRole("button", { name: "Add 3" }));
    const before = await titlesIn(id, 3);
    await keys.reach(page.getByRole("listbox").getByRole("option").first());
    await keys.press("Space", "ArrowRight", "ArrowRight", "Space");
    await page.getByText("put down at position 3.").waitFor();
    await eventually(() => titlesIn(id), [...before.slice(1), ...before.slice(0, 1)]);
    await keys.press("x");
    await keys.use(button("Use as cover"), "Shift+Tab");
    await page.getByRole("option", { name: /, cover, Public$/ }).waitFor();
    await keys.use(button("Share…"));
    await keys.reach(page.getByLabel("Password"));
    await keys.type("tide at nine");
    await keys.reach(page.getByLabel("Guests can send pictures"));
    await keys.press("Space", "Enter");
    await page.getByText("The link is ready").waitFor();
    await keys.use(button("Done"));
    await keys.isAt(button("Share…"));
    await keys.use(page.getByRole("main").getByRole("button", { name: "More" }));
    await keys.choose("Move into another album…");
    await keys.use(page.getByRole("dialog").getByRole("button", { name: /^Around/ }));
    await said("Moved “Journey” to “Around”.");
    await keys.isAt(page.getByRole("main").getByRole("button", { name: "More" }));
    await keys.press("Enter");
    await keys.choose("Delete");
    await heading("Albums");
    await said("“Journey” is in the trash.");
    await keys.press("Control+z");
    await said("Restored.");
  });

  test("a post is written with the toolbar, described, published, scheduled, and restored from a revision", async () => {
    await goTo("b", "Posts");
    await keys.press("n");
    await keys.isAt(page.getByRole("textbox", { name: "Title" }));
    await keys.type("Only keys");
    await keys.press("Enter", "Control+b");
    await keys.type("strong");
    await keys.press("Control+b");
    await keys.type(" words\n- one\ntwo");
    const text = page.getByRole("textbox", { name: "Text" });
    await keys.reach(button("Bold"), "Shift+Tab");
    await keys.use(button("Quote"), "ArrowRight");
    await keys.isAt(text);
    await keys.reach(button("Bold"), "Shift+Tab");
    await keys.use(page.getByRole("toolbar").getByRole("button", { name: "Photo" }), "ArrowRight");
    await keys.reach(picked().first());
    await keys.press("Space");
    await keys.use(button("Add 1"));
    await keys.isAt(text);
    await keys.press("Control+s");
    await isSaved();
    const id = Number(new URL(page.url()).pathname.split("/").at(-1));
    const { content } = await postOf(id);
    expect(content).toMatch(/^\*\*strong\*\* words\n- one\n> - two\n\n!\[\[photo:\d+\]\]/);

    await keys.press("Control+Alt+7");
    await keys.use(button("Choose a photo"));
    await keys.reach(picked().first());
    await keys.press("Enter");
    await keys.isAt(button("Change"));
    await keys.reach(page.getByLabel("Tags"));
    await keys.type("keys");
    await keys.press("Enter", "Control+s");
    await isSaved();
    await keys.use(button("Publish"), "Shift+Tab");
    await keys.isAt(button("Publish now"));
    await keys.press("Enter");
    await said("The post is published.");
    expect((await client(studio.server).get(`${api}/blog?tag=keys`)).body).toMatchObject([{ slug: "only-keys" }]);
    await keys.use(button("More actions"));
    await keys.choose("Unpublish");
    await said("The post is a draft again.");
    await keys.isAt(button("More actions"));
    await keys.press("Enter");
    await keys.choose("Schedule…");
    await keys.isAt(page.getByLabel("Date and time"));
    await keys.type("05012031");
    await keys.press("Tab");
    await keys.type("0930AM");
    await keys.press("Enter");
    await said("The post will be published");
    expect((await postOf(id)).publishedAt).toStartWith("2031-05-01");

    await keys.reach(text);
    await keys.type("More.");
    await keys.press("Control+s");
    await eventually(async () => (await postOf(id)).content === content, false);
    await keys.press("Control+Alt+8");
    await keys.use(button(/Revision 1/));
    await keys.use(button("Restore this revision"));
    await keys.press("Control+s");
    const { body: first } = await chief.get(`${api}/blog/${id}/revisions/1`);
    await eventually(async () => (await postOf(id)).content, first.content);
    await keys.use(link("All posts"), "Shift+Tab");
    await heading("Posts");
    await keys.press("f");
    await keys.type("Only keys");
    await keys.use(button("Actions for Only keys"));
    await keys.choose("Delete");
    await said("“Only keys” is in the trash.");
    await keys.press("Control+z");
    await button("Actions for Only keys").waitFor();
  });

  test("files are found in the tree, named, moved, copied, shown, replaced, sorted and deleted", async () => {
    for (const name of ["a.txt", "b.txt"]) await chief.upload(name, `The text of ${name}`, { path: "/Work" });
    await chief.upload("c.txt", "c", { path: "/Work/Old" });
    await keys.press("Escape");
    await keys.press("Control+k");
    await keys.type("Go to Files");
    await keys.press("Enter");
    await heading("Files");
    await keys.reach(page.getByRole("treeitem", { name: "Files" }));
    await keys.reach(page.getByRole("treeitem", { name: "Work" }), "ArrowDown");
    await keys.press("Enter");
    await heading("Work");
    const entry = (name: string) => page.getByRole("row").filter({ hasText: name });
    await keys.reach(entry("Old"));
    await keys.press("Control+Shift+N");
    await keys.isAt(page.getByLabel("New name"));
    await keys.type("New");
    await keys.press("Enter");
    await said("Renamed to “New”");
    await keys.type("a.t");
    await keys.isAt(entry("a.txt"));
    await keys.press("F2");
    await keys.type("idea");
    await keys.press("Enter");
    await said("Renamed to “idea.txt”");
    await keys.isAt(entry("idea.txt"));
    await keys.press("Shift+F10");
    await keys.choose("Move to…");
    await keys.reach(page.getByRole("dialog").getByRole("treeitem", { name: "Work" }));
    await keys.reach(page.getByRole("dialog").getByRole("treeitem", { name: "Old" }), "ArrowDown");
    await keys.press("Enter");
    await keys.use(button("Move here"));
    await said("1 item moved to Old");
    await keys.press("ArrowUp");
    await keys.type("b.t");
    await keys.press("Control+c");
    await keys.type("new");
    await keys.press("Enter");
    await heading("New");
    await keys.press("Control+v");
    await said("1 item copied to New");
    expect([await namesIn("/Work/Old"), await namesIn("/Work/New")]).toEqual([["c.txt", "idea.txt"], ["b.txt"]]);
    await entry("b.txt").waitFor();
    await keys.press("ArrowDown", "Space");
    await page.getByRole("dialog").getByText("The text of b.txt").waitFor();
    await keys.press("Escape");
    await keys.isAt(entry("b.txt"));
    await keys.press("Shift+F10");
    await keys.choose("Details");
    const chooser = page.waitForEvent("filechooser");
    await keys.use(button("Replace content…"));
    await (await chooser).setFiles({ name: "b.txt", mimeType: "text/plain", buffer: Buffer.from("Another text") });
    await keys.use(button(/^Restore: /));
    await said("was restored");
    await keys.press("Escape");
    await keys.isAt(entry("b.txt"));
    await keys.press("Delete");
    await said("“b.txt” is in the trash");
    await keys.press("Control+z");
    await entry("b.txt").waitFor();
    await keys.press("Backspace");
    await heading("Work");
    await keys.use(page.getByRole("columnheader").getByRole("button", { name: "Size" }), "Shift+Tab");
    await page.getByRole("columnheader", { name: "Size" }).and(page.locator("[aria-sort=ascending]")).waitFor();
    await keys.use(button("Show as"), "Shift+Tab");
    await keys.choose("Grid");
    await keys.isAt(button("Show as"));
  });

  test("guests’ pictures are approved, and their link is changed and revoked", async () => {
    const { body: share } = await chief.post(`${api}/shares`, {
      kind: "album",
      id: (await chief.get(`${api}/albums`)).body[0].id,
      allowUpload: true,
    });
    for (const name of ["one", "two"]) await sendAsGuest(share.url, name);
    await goTo("l", "Share links");
    await keys.reach(page.getByRole("tab", { name: "Links" }));
    await keys.press("ArrowRight");
    await keys.reach(page.getByRole("checkbox", { name: "Select one.jpg" }));
    await keys.press("Space");
    await keys.use(button("Approve 1"), "Shift+Tab");
    await said("1 picture was approved.");
    await keys.use(button("Reject"));
    await keys.press("Control+z");
    await button("Reject").waitFor();
    await keys.reach(page.getByRole("tab", { name: /^Waiting/ }), "Shift+Tab");
    await keys.press("ArrowLeft");
    await keys.use(button("Change").first());
    await keys.choose("Change");
    await keys.reach(page.getByLabel("Expires"));
    await keys.type("After a week");
    await keys.use(button("Save"));
    await said("The link was changed.");
    await keys.isAt(button("Change").first());
    await keys.press("Enter");
    await keys.choose("Revoke link");
    await keys.use(page.getByRole("dialog").getByRole("button", { name: "Revoke link" }));
    await said("Link revoked.");
  });

  test("the trash gives back one, many, and nothing that was deleted permanently", async () => {
    for (const name of ["red", "green", "blue"]) {
      const { body } = await chief.upload(`${name}.txt`, name, { path: "/Paint" });
      await chief.delete(`${api}/files/${body.id}`);
    }
    await goTo("t", "Trash");
    await keys.use(button("Restore red.txt"));
    await said("1 item restored");
    await keys.reach(page.getByLabel("Select green.txt"));
    await keys.press("Space");
    await keys.use(button("Delete permanently"), "Shift+Tab");
    await keys.use(page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }));
    await said("1 item deleted permanently");
    await keys.reach(page.getByLabel("Show"));
    await keys.type("Files");
    await keys.use(button("Empty trash"));
    await keys.use(page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }));
    await page.getByText("The trash is empty").waitFor();
    expect(await namesIn("/Paint")).toEqual(["red.txt"]);
  });

  test("people get a role, an invitation, and are signed out and removed", async () => {
    await goTo("u", "People");
    await keys.reach(page.getByLabel("Role of grace"));
    await keys.press("ArrowDown");
    await said("grace now has the role: Admin.");
    await keys.press("Control+z");
    await said("grace now has the role: Author.");
    await keys.use(button("Actions for grace"));
    await keys.choose("Sign out everywhere");
    await said("grace has been signed out everywhere.");
    await keys.use(button("Invite someone"), "Shift+Tab");
    await keys.isAt(page.getByLabel("Who is it for?"));
    await keys.type("Ada, from the choir");
    await keys.press("Enter");
    await page.getByText("It is not shown again.").waitFor();
    await keys.press("Escape");
    await keys.use(button("Revoke the invitation: Ada, from the choir"));
    await said("Invitation revoked.");
    await keys.use(button("Actions for grace"));
    await keys.choose("Remove…");
    await keys.use(button("Remove the account"));
    await page.getByLabel("Role of grace").waitFor({ state: "detached" });
  });

  test("the settings are changed and taken back; storage and activity lead on", async () => {
    await goTo("e", "Settings");
    await keys.reach(page.getByLabel("Tagline"));
    await keys.type("From the coast");
    await keys.press("Enter");
    await said("Saved.");
    await keys.reach(page.getByRole("radio", { name: "Magazine" }));
    await keys.press("ArrowDown");
    await keys.use(page.getByRole("form", { name: "Look" }).getByRole("button", { name: "Save" }));
    await eventually(async () => (await chief.get(`${api}/settings`)).body.theme, "gallery");
    await keys.press("Control+z");
    await said("The settings have been restored.");
    await goTo("s", "Storage");
    await keys.use(page.getByRole("main").getByRole("link", { name: "Open trash" }));
    await heading("Trash");
    await goTo("v", "Activity");
    await keys.reach(page.getByLabel("Kind"));
    await keys.type("Posts");
    await page.waitForURL((url) => url.search === "?kind=post");
    await keys.use(page.getByRole("main").getByRole("link").first());
    await page.waitForURL("**/studio/blog/*");
  });

  test("the list of shortcuts, records and commands are found, the password is changed, and people sign out", async () => {
    await goTo("h", "Home");
    await keys.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Undo").waitFor();
    await keys.press("Escape");
    await keys.press("Control+k");
    await keys.type("Ferries");
    await page.getByRole("option", { name: /^Ferries/ }).waitFor();
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Ferries", level: 1 }).waitFor();
    await goTo("m", "chief");
    await keys.reach(page.getByLabel("Current password"));
    await keys.type(password);
    await keys.press("Tab");
    await keys.type("a longer password");
    await keys.press("Enter");
    await said("Your password was changed.");
    await keys.press("Control+k");
    await keys.type("sign out");
    await keys.press("Enter");
    await page.waitForURL((url) => url.pathname === "/");
  });

  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
  /** The photos of a dialog in which some are picked. */
  const picked = () => page.getByRole("dialog").getByRole("listbox").getByRole("option");
  const link = (name: string) => page.getByRole("link", { name });
  const said = (text: string) => page.getByRole("status").getByText(text).first().waitFor();
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor({ state: "attached" });
  const isSaved = () => page.getByRole("status").getByText("Saved", { exact: true }).waitFor();

  async function goTo(key: string, name: string): Promise<void> {
    await keys.press("g", key);
    await heading(name);
  }

  async function addPhoto(title: string, index: number): Promise<number> {
    const bytes = await bytesOf(plain(90 + index, 60, `hsl(${index * 60}, 40%, 50%)`).jpeg());
    const { body: file } = await chief.upload(`${title}.jpg`, bytes);
    const takenAt = `2026-06-0${index + 1}T12:00:00Z`;
    return (await chief.post(`${api}/photos`, { title, fileID: file.id, takenAt })).body.id;
  }

  const titlesOf = (photos: { title: string }[]): string[] => photos.map(({ title }) => title);
  const titles = async (query = ""): Promise<string[]> =>
    titlesOf((await chief.get(`${api}/photos?${query}`)).body).toSorted();
  const postOf = async (id: number) => (await chief.get(`${api}/blog/${id}`)).body;
  const namesIn = async (path: string): Promise<string[]> =>
    (await chief.get(`${api}/files?path=${path}`)).body.map(({ name }: { name: string }) => name);

  async function titlesIn(id: number, count = 0): Promise<string[]> {
    const read = async () => titlesOf((await chief.get(`${api}/albums/${id}`)).body.photos);
    return until(read, ({ length }) => length >= count);
  }

  async function sendAsGuest(url: string, name: string): Promise<void> {
    const form = new FormData();
    form.set("file", new File([await bytesOf(plain(80, 60, "#375").jpeg())], `${name}.jpg`));
    const headers = { "X-Share-Token": url.split("/").at(-1) ?? "" };
    await fetch(`${studio.server.url}${api}/shared/uploads`, { method: "POST", body: form, headers });
  }
});
