// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { describeInBrowser, openTab, phone, sharedBrowser } from "../kit/browser.ts";
import type { Client } from "../kit/client.ts";
import { admin } from "../kit/people.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { mailEnv, startMailServer } from "../kit/servers/mail-server.ts";
import { freePort } from "../kit/process.ts";
import { expectNoBarriers } from "./barriers.ts";
import { signIn } from "./sign-in.ts";

describeInBrowser("the newsletter in the studio", () => {
  const api = "/api/v1";
  let mailbox: Awaited<ReturnType<typeof startMailServer>>;
  let server: TestServer;
  let chief: Client;
  beforeAll(async () => {
    mailbox = await startMailServer();
    const port = await freePort();
    const own = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    server = await startServer({ ...mailEnv(mailbox), ...own });
    chief = await admin(server, "chief");
  });
  afterAll(async () => {
    await server.close();
    await mailbox[Symbol.asyncDispose]();
  });

  test("is switched on, gets subscribers, and a post is sent when it is published", async () => {
    const browser = await sharedBrowser();
    await using tab = await openTab(browser, server.url, { locale: "en", serviceWorkers: "block" });
    const { page } = tab;
    await signIn(tab, "chief");
    await tab.open("/studio/settings");
    // It is on at once, before any timer: nothing shows it as it was for a moment.
    const isOnAtOnce = page.getByRole("switch", { name: "Visitors can subscribe" }).evaluate(async (input: any) => {
      input.click();
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      return input.checked;
    });
    expect(await isOnAtOnce).toBe(true);
    await page.getByText("Visitors can subscribe now.").waitFor();
    await page.getByRole("link", { name: "Show subscribers" }).click();
    await page.getByText("No subscribers yet").waitFor();
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog");
    const csv = "email,name,status\nada@example.org,Ada,subscribed\ngus@example.org,,cleaned\nnobody,,\n";
    await dialog.getByLabel("File").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await dialog.getByRole("button", { name: "Import" }).click();
    await dialog.getByText("2 added").waitFor();
    await dialog.getByText("Line 4: This is not an e-mail address.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Bounced 1" }).click();
    await page.getByText("ada@example.org").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Actions for gus@example.org" }).click();
    await page.getByRole("menuitem", { name: "Try again" }).click();
    await page.getByText("gus@example.org will get the next post.").waitFor();
    await expectNoBarriers(page);

    const { body: post } = await chief.post(`${api}/blog`, { title: "Lisbon", content: "Text", publishedAt: null });
    await tab.open(`/studio/blog/${post.id}`);
    await page.getByRole("button", { name: "Publish" }).click();
    await dialog.getByLabel("Send to 2 subscribers by e-mail").check();
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByText("The post is published, and is being sent.").waitFor();
    expect((await mailbox.wait("ada@example.org")).subject).toBe("Lisbon");
    await mailbox.wait("gus@example.org");

    await page.setViewportSize(phone);
    await tab.open("/studio/settings/newsletter");
    await page.getByText(/sent to 2/).waitFor();
    await expectNoBarriers(page);
    expect(tab.complaints).toEqual([]);
  });
});
