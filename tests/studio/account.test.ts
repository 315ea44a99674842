// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser, findBarriers } from "../kit/browser.ts";
import { isScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { member, password, signedIn } from "../kit/people.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, sizesOf, useStudio } from "./studio.ts";

describeInBrowser("the account in the studio", () => {
  const studio = useStudio({ QUOTA_BYTES: "100000" });
  beforeAll(async () => {
    await member(studio.server, "grace", "reader");
    await studio.chief.upload("notes.txt", "x".repeat(40_000));
    await studio.chief.upload("sea.png", png(30, 20));
    const { body: old } = await studio.chief.upload("old.txt", "y".repeat(20_000));
    await studio.chief.delete(`/api/v1/files/${old.id}`);
  });

  test("revokes other sessions", async () => {
    await using other = await studio.open("/account", { userAgent: "Mozilla/5.0 (X11; Linux) Firefox/140.0" });
    await using tab = await studio.open("/account");
    const { page } = tab;
    await page.getByRole("button", { name: "Sign out Firefox on Linux" }).click();
    await page.getByText("Firefox on Linux has been signed out.").waitFor();
    await page.getByRole("button", { name: "Sign out Firefox on Linux" }).waitFor({ state: "detached" });
    await other.page.reload();
    await other.page.getByRole("button", { name: "Sign in", exact: true }).waitFor();

    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await page.getByText("You have been signed out everywhere else.").waitFor();
    await page.getByRole("button", { name: "Sign out everywhere else" }).waitFor({ state: "detached" });
    expect(await page.getByText("This session").count()).toBe(1);
    expect(await page.getByText("active now").count()).toBe(1);
    expect([...tab.complaints, ...other.complaints.filter((text) => !text.startsWith("401"))]).toEqual([]);
  });

  test("makes an app key, shows it once, and removes it", async () => {
    await using tab = await studio.open("/account");
    const { page } = tab;
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Give the key a name.").waitFor();
    await page.getByLabel("What is it for?").fill("Phone");
    await page.getByLabel("Upload and change photos and albums").check();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Create the key" }).click();
    const key = await page.getByLabel("Key", { exact: true }).inputValue();
    const read = async () => (await client(studio.server, key).get("/api/v1/me")).status;
    expect(await read()).toBe(200);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Upload and change photos and albums").waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole("button", { name: "Remove Phone" }).click();
    await page.getByText("The key “Phone” no longer works.").waitFor();
    expect([await read(), tab.complaints]).toEqual([401, []]);
  });

  test("limits an app key to a folder or an album", async () => {
    const chief = await signedIn(studio.server, "chief");
    const { body: folder } = await chief.post("/api/v1/directories", { path: "/", name: "Scans" });
    await chief.post("/api/v1/albums", { name: "Lisbon" });
    await using tab = await studio.open("/account");
    const { page } = tab;
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("What is it for?").fill("Scanner");
    await page.getByLabel("Where?").selectOption("Only in one folder");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Choose a folder.").waitFor();
    await page.getByRole("treeitem", { name: "Scans" }).click();
    await page.getByText("/Scans", { exact: true }).waitFor();
    expect(await page.getByLabel("Write posts and pages").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Create the key" }).click();
    const scanner = client(studio.server, await page.getByLabel("Key", { exact: true }).inputValue());
    expect((await scanner.get(`/api/v1/files/${folder.id}`)).status).toBe(200);
    expect((await scanner.get("/api/v1/photos")).status).toBe(403);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Only /Scans").waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("What is it for?").fill("Phone");
    await page.getByLabel("Where?").selectOption("Only in one album");
    await page.getByLabel("Album", { exact: true }).selectOption("Lisbon");
    await page.getByLabel("Add photos to it").check();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Only the album “Lisbon”").waitFor();
    expect(tab.complaints).toEqual([]);
  });

  // The server of this test has the other engines in its configuration alone, where its command does not find them.
  test.skipIf(isScaled)("makes an archive of one's own data, and offers it", async () => {
    await using tab = await studio.open("/account");
    const { page } = tab;
    await page.getByRole("button", { name: "Download my data" }).click();
    await page.getByText("Your archive is being created.").waitFor();
    await page.getByText("Your archive is ready").waitFor({ timeout: 60_000 });
    const link = page.getByRole("link", { name: "Download", exact: true });
    expect(await link.getAttribute("href")).toBe("/api/v1/me/archive/content");
    const downloading = page.waitForEvent("download");
    await link.click();
    expect((await downloading).suggestedFilename()).toEndWith(".zip");
    expect(await findBarriers(page)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  test("changes the password without a mouse, and says at the field what is wrong", async () => {
    await using tab = await studio.open("/account", { username: "grace" });
    const { page } = tab;
    const old = page.getByLabel("Current password");
    await old.focus();
    await page.keyboard.type("not the password");
    await page.keyboard.press("Tab");
    await page.keyboard.type("short");
    await page.keyboard.press("Enter");
    await page.getByText("This is not your current password.").waitFor();
    expect(await old.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("New password").inputValue()).toBe("short");
    expect(await findBarriers(page)).toEqual([]);
    await old.fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("The new password needs at least 8 characters.").waitFor();
    await page.getByLabel("New password").focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" and then long");
    await page.keyboard.press("Enter");
    await page.getByText("Your password was changed.").waitFor();
    const signIn = (given: string) => client(studio.server).post("/signin", { username: "grace", password: given });
    expect([(await signIn(password)).status, (await signIn("short and then long")).status]).toEqual([401, 200]);

    // Where any password is accepted, a weak one gets a warning.
    const chief = await signedIn(studio.server, "chief");
    await chief.put("/api/v1/settings", { passwordRule: "any" });
    await old.fill("short and then long");
    await page.getByLabel("New password").fill("pw");
    await page.keyboard.press("Enter");
    await page.getByText("Your new password is easy to guess.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await chief.put("/api/v1/settings", { passwordRule: "strong" });
    expect((await signIn("pw")).status).toBe(200);
    expect(tab.complaints).toEqual(["400 /api/v1/me/password", "400 /api/v1/me/password"]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`and the storage have no barriers ${name}`, async () => {
      await using tab = await studio.open("/account", options);
      const { page } = tab;
      await page.getByText("This session").waitFor();
      await expectNoBarriers(page);
      await tab.open("/studio/storage");
      await page.getByRole("row", { name: "Other files 1 40 KB" }).waitFor();
      for (const row of ["Trash 1 20 KB", "chief 2", "grace 0"]) await page.getByRole("row", { name: row }).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("main").getByRole("link", { name: "Open trash" }).click();
      await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
      expect(tab.complaints).toEqual([]);
    });
  }

  for (const { name, options } of sizesOf("phone")) {
    test(`removes itself with everything ${name}`, async () => {
      const username = `leaving-${options.viewport.width}`;
      const leaving = await member(studio.server, username, "author");
      const { body: file } = await leaving.upload("gone.png", png(30, 20));
      const { body: photo } = await leaving.post("/api/v1/photos", { title: "Gone", fileID: file.id });
      await using tab = await studio.open("/account", { ...options, username });
      const { page } = tab;
      const dialog = page.getByRole("dialog", { name: "Remove your account" });
      const open = () => page.getByRole("button", { name: "Remove my account…" }).click();
      await open();
      await dialog.getByText("1 photo").waitFor();
      await expectNoBarriers(page);
      await dialog.getByRole("button", { name: "Download your data first" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Download my data" }).and(page.locator("[aria-busy]")).waitFor();
      await open();
      expect(await dialog.getByRole("button", { name: "Download your data first" }).count()).toBe(0);
      await page.keyboard.type("not the password");
      await page.keyboard.press("Enter");
      await dialog.getByText("This is not your current password.").waitFor();
      const read = async () => (await client(studio.server).get(`/api/v1/photos/${photo.id}`)).status;
      expect(await read()).toBe(200);
      await dialog.getByLabel("Your password").fill(password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "your account is being removed with everything" }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await eventually(read, 404);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
      expect(tab.complaints).toEqual(["401 /api/v1/me/removal"]);
      await page.reload();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    });
  }

  test("says how much of the quota is used, to those who have one", async () => {
    const ada = await member(studio.server, "ada", "author");
    await ada.upload("half.txt", "z".repeat(50_000));
    await using tab = await studio.open("/storage", { username: "ada" });
    const { page } = tab;
    await page.getByText("50 KB of 100 KB used (50%)").waitFor();
    expect(await page.getByRole("progressbar", { name: "Your quota" }).getAttribute("aria-valuenow")).toBe("50");
    expect(await page.getByText("By person").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });
});
