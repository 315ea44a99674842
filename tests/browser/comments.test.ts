// Runs only with TEST_LONG: a browser takes long, and tests/browser/reading.test.ts is the story of the site in npm test.
import { beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password, person } from "../kit/people.ts";
import { useServer } from "../kit/use-server.ts";
import { browserPath, describeInBrowser, openTab, sharedBrowser } from "../kit/browser.ts";
import { overflowOf, ways } from "./ways.ts";

const server = useServer();
const chief = server.person("root", "admin");
const author = server.person("ada");
let browser: Browser;

beforeAll(async () => {
  if (!browserPath) return;
  browser = await sharedBrowser();
  await chief.put("/api/v1/settings", {
    signupRole: "reader",
    approveFirstComments: true,
    photoComments: true,
    hearts: true,
  });
});

async function writePost(title: string): Promise<string> {
  const { body } = await author.post("/api/v1/blog", { title, content: "What do you think?" });
  return `/blog/${body.slug}`;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Fills in the form to sign in, which is on its own page and below a post. */
async function signIn(page: Page, username: string, secret = password): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(secret);
  await press(page, "Sign in");
}

for (const { name, id, hasScript, options } of ways) {
  describeInBrowser(name, () => {
    test("a guest gives a heart to a photo, takes it back, and sees the comments on it", async () => {
      const { body: file } = await author.upload("dusk.png", png(60, 40));
      const { body: photo } = await author.post("/api/v1/photos", { title: `Dusk ${id}`, fileID: file.id });
      await author.post("/api/v1/comments", { content: "Like glass", photoID: photo.id });
      await using tab = await openTab(browser, server.url, options);
      const page = await tab.open(`/photos/${photo.id}`);
      await page.getByText("Like glass").waitFor();
      await page.getByRole("button", { name: "Heart", pressed: false }).click();
      await page.getByRole("button", { name: "Heart 1", pressed: true }).waitFor();
      expect(new URL(page.url()).search).toBe(hasScript ? "" : "?heart=given");
      if (hasScript) {
        await page.reload();
        await page.getByRole("button", { name: "Heart 1", pressed: true }).waitFor();
      }
      expect(await overflowOf(page)).toBe(0);
      await page.getByRole("button", { name: "Heart 1" }).click();
      await page.getByRole("button", { name: "Heart", exact: true, pressed: false }).waitFor();
      expect((await client(server).get(`/api/v1/photos/${photo.id}/heart`)).body.hearts).toBe(0);
      expect(tab.complaints).toEqual([]);
    });

    test("a visitor signs up, out and in, and comes back to the page each time", async () => {
      const path = await writePost(`Accounts ${id}`);
      await using tab = await openTab(browser, server.url, options);
      const page = await tab.open(path);
      await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
      await page.getByRole("link", { name: "Sign up" }).click();
      expect(await overflowOf(page)).toBe(0);
      await page.getByLabel("Username").fill("ada");
      await page.getByLabel("Password").fill(password);
      await press(page, "Sign up");
      await page.getByText("This username is taken").waitFor();
      expect(await overflowOf(page)).toBe(0);
      await page.getByLabel("Username").fill(`grace-${id}`);
      await page.getByLabel("Password").fill(password);
      await press(page, "Sign up");
      await page.waitForURL(`**${path}`);

      const menu = page.locator("summary", { hasText: `grace-${id}` });
      await menu.click();
      expect(await overflowOf(page)).toBe(0);
      await press(page, "Sign out");
      await page.waitForURL(`${server.url}/`);
      await tab.open("/blog");
      await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
      await signIn(page, `grace-${id}`, "a wrong password");
      await page.getByText("The username or the password is wrong.").waitFor();
      expect(await page.getByLabel("Username").inputValue()).toBe(`grace-${id}`);
      expect(await overflowOf(page)).toBe(0);
      await signIn(page, `grace-${id}`);
      await page.waitForURL("**/blog");
      await menu.waitFor();
      expect(tab.complaints).toEqual(["400 /signup/form", "401 /session"]);
    });

    test("a reader comments, the author approves, replies and hides, and the reader edits and deletes", async () => {
      const path = await writePost(`Comments ${id}`);
      await person(server, `reader-${id}`);
      await using readers = await openTab(browser, server.url, options);
      await using authors = await openTab(browser, server.url, options);
      const isPublic = async (text: string) =>
        (await client(server).get<string>(path, { Accept: "text/html" })).body.includes(text);

      const reader = await readers.open(path);
      await signIn(reader, `reader-${id}`);
      await reader.getByLabel("Your comment").fill(" ");
      await press(reader, "Post comment");
      await reader.getByText("Write something first.").waitFor();
      expect(await overflowOf(reader)).toBe(0);
      await reader.getByLabel("Your comment").fill("I was there, too.\nSee https://example.org/there");
      await press(reader, "Post comment");
      const own = reader.locator(".comment", { hasText: "I was there" });
      await own.getByText("Waiting for approval").waitFor();
      expect(await own.getByRole("button", { name: "Approve" }).count()).toBe(0);
      expect(await isPublic("I was there")).toBe(false);

      const page = await authors.open(path);
      await signIn(page, "ada");
      const comment = page.locator(".comment", { hasText: "I was there" });
      await comment.getByRole("button", { name: "Approve" }).click();
      await comment.getByText("Waiting for approval").waitFor({ state: "detached" });
      expect(await isPublic("I was there")).toBe(true);
      await comment.getByRole("link", { name: "Reply" }).click();
      await page.getByLabel(`Reply to reader-${id}`).fill("So we may have met.");
      expect(await overflowOf(page)).toBe(0);
      await press(page, "Post reply");
      const reply = page.locator(".replies .comment", { hasText: "So we may have met." });
      await reply.getByText("Author", { exact: true }).waitFor();

      await reader.reload();
      await own.getByRole("link", { name: "Edit" }).click();
      expect(await reader.getByLabel("Edit your comment").inputValue()).toStartWith("I was there, too.");
      await reader.getByLabel("Edit your comment").fill("I was there, but later.");
      expect(await overflowOf(reader)).toBe(0);
      await press(reader, "Save");
      await own.getByText("I was there, but later.").waitFor();

      await page.reload();
      await comment.getByRole("button", { name: "Hide" }).click();
      await comment.getByText("Hidden", { exact: true }).waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(await isPublic("I was there")).toBe(false);
      await comment.getByRole("button", { name: "Show again" }).click();
      await comment.getByText("Hidden", { exact: true }).waitFor({ state: "detached" });
      expect(await isPublic("but later")).toBe(true);

      await reader.reload();
      await own.getByRole("button", { name: "Delete" }).click();
      await own.waitFor({ state: "detached" });
      expect(await isPublic("I was there")).toBe(false);
      await reader.getByText("So we may have met.").waitFor();
      expect(readers.complaints).toEqual([`400 ${path}/comments`]);
      expect(authors.complaints).toEqual([]);
    });
  });
}
