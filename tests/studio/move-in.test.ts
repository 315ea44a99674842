// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeInBrowser } from "../kit/browser.ts";
import { useScratch } from "../kit/scratch.ts";
import { startFake } from "../kit/servers/fake-servers.ts";
import { bytesOf, quadrants } from "../kit/files/pictures.ts";
import { expectNoBarriers } from "./barriers.ts";
import { dropPaths } from "./drop.ts";
import { phoneOptions, useStudio } from "./studio.ts";

const scratch = useScratch();

async function writeArchive(): Promise<string> {
  const input = await bytesOf(quadrants(60, 40).png());
  const names = ["Lisbon/harbour.png", "Lisbon/..", "Lisbon/notes.txt"];
  const files = names.map((name) => ({ name, input: name.endsWith(".png") ? input : "text" }));
  const path = join(scratch, "travels.zip");
  writeFileSync(path, new Uint8Array(await downloadZip(files).arrayBuffer()));
  return path;
}

describeInBrowser("moving in", () => {
  const studio = useStudio();

  test("the export of a service that cannot be imported is named, and kept as a folder only if somebody says so", async () => {
    await using tab = await studio.open("/move-in");
    const { page } = tab;
    const files = ["Connections.csv", "Profile.csv"].map((name) => ({ name, input: "First Name" }));
    const path = join(scratch, "mine.zip");
    writeFileSync(path, new Uint8Array(await downloadZip(files).arrayBuffer()));
    await dropPaths(tab, page.getByText("Drop archives here, or"), [path]);
    await page.getByRole("checkbox", { name: "mine.zip" }).waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { name: "This import failed." }).waitFor();
    await page.getByText("It is an export of LinkedIn, which cannot be imported here").waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Import as a folder of files" }).click();
    await page.getByText("Recognized as: a folder of files, not an export that is known here.").waitFor();
    await page.getByRole("heading", { name: "The import is finished." }).waitFor();
    await page.getByRole("button", { name: "Delete the uploaded archives" }).click();
    expect(tab.complaints).toEqual([]);
  });

  test("an archive is uploaded, tried, imported and undone", async () => {
    await using tab = await studio.open("/move-in");
    const { page } = tab;
    await dropPaths(tab, page.getByText("Drop archives here, or"), [await writeArchive()]);
    await page.getByRole("checkbox", { name: "travels.zip" }).waitFor();
    await page.getByRole("checkbox", { name: "Create an album for each folder" }).check();
    await page.getByLabel("Who can see it?").selectOption("Everyone");
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Trial run" }).click();

    await page.getByRole("heading", { name: "This was a trial run: nothing was changed." }).waitFor();
    await page
      .getByText("Recognized as: a folder of files, not an export that is known here. Everyone can see")
      .waitFor();
    const refused = page.getByRole("listitem").filter({ hasText: "Lisbon/.." });
    await refused.getByText('Its path contains "..".').waitFor();
    expect((await studio.chief.get("/api/v1/albums")).body).toEqual([]);
    await page.getByRole("button", { name: "Import now" }).click();

    await page.getByRole("heading", { name: "The import is finished." }).waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("Added (3)");
    await page.getByRole("link", { name: "Lisbon", exact: true }).waitFor();
    await expectNoBarriers(page);
    const { body: photos } = await studio.chief.get("/api/v1/photos");
    expect(photos.map(({ title, visibility }: any) => [title, visibility])).toEqual([["harbour", "public"]]);
    await page.getByRole("button", { name: "Delete the uploaded archives" }).click();
    await page.getByText("The archives are in the trash.").waitFor();

    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByRole("heading", { name: "This import was undone." }).waitFor();
    expect((await studio.chief.get("/api/v1/photos")).body).toEqual([]);
    await page.getByRole("link", { name: "All imports" }).click();
    await page.getByText("Nothing has been uploaded yet.").waitFor();
    await page.getByText("Trial run · Finished · Would be added: 3 · Not possible: 1").waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test("another server is tried, imported, and asked for its key again", async () => {
    let accepted = "app-password";
    let lists = 0;
    const entry = (name: string, isFolder = false) => `<D:response><D:href>/${name}</D:href><D:propstat><D:prop>
      <D:resourcetype>${isFolder ? "<D:collection/>" : ""}</D:resourcetype><D:getcontentlength>5</D:getcontentlength>
      </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`;
    await using cloud = await startFake(({ method, headers, path }) => {
      if (path !== "/" && path !== "/notes.txt") return { status: 404 };
      if (headers.get("Authorization") !== `Basic ${btoa(`ada:${accepted}`)}`) return { status: 401 };
      if (method === "GET") return { body: Buffer.from("Notes") };
      // When the real import begins, the key has changed.
      if (++lists === 7) accepted = "another";
      return {
        status: 207,
        body: `<D:multistatus xmlns:D="DAV:">${entry("", true)}${entry("notes.txt")}</D:multistatus>`,
      };
    });
    await using tab = await studio.open("/move-in");
    const { page } = tab;
    await page.getByRole("radio", { name: "On another server" }).check();
    await page.getByLabel("Which program?").selectOption("Nextcloud, ownCloud, WebDAV");
    await page.getByRole("textbox", { name: "Address" }).fill(cloud.url);
    await page.getByRole("textbox", { name: "Username" }).fill("ada");
    await page.getByLabel("App password").fill("wrong");
    await page.getByRole("button", { name: "Trial run" }).click();
    await page.getByRole("alert").filter({ hasText: "does not accept the key." }).waitFor();
    await expectNoBarriers(page);
    await page.getByLabel("App password").fill("app-password");
    await page.getByRole("button", { name: "Trial run" }).click();

    await page.getByRole("heading", { name: "This was a trial run: nothing was changed." }).waitFor();
    await page.getByRole("button", { name: "Import now" }).click();
    await page.getByRole("heading", { name: "This import is waiting for the key" }).waitFor();
    await expectNoBarriers(page);
    await page.getByLabel("App password").fill("another");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "The import is finished." }).waitFor();
    const { body: files } = await studio.chief.get("/api/v1/files?path=/WebDAV");
    expect(files.map(({ name, visibility }: any) => [name, visibility])).toEqual([["notes.txt", "private"]]);
    expect(tab.complaints).toEqual(["400 /api/v1/imports"]);
  });

  test("on a phone, in German, a photo import shows how far it is", async () => {
    await using tab = await studio.open("/move-in", { ...phoneOptions, locale: "de", colorScheme: "dark" });
    const { page } = tab;
    const [{ id }] = (await studio.chief.get("/api/v1/imports")).body;
    const { body: found } = await studio.chief.get(`/api/v1/imports/${id}`);
    const running = { status: "running", phase: "photos", imported: 120, left: 780, refused: 0, secondsLeft: 250 };
    await page.route(`**/api/v1/imports/${id}`, (route) => route.fulfill({ json: { ...found, ...running } }));
    await page.getByRole("link", { name: found.source }).first().click();
    await page.getByText("Fotos werden erstellt: 120 von 900 · noch etwa 4 Minuten").waitFor();
    expect(await page.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("13");
    await expectNoBarriers(page);
    expect(tab.complaints).toEqual([]);
  });
});
