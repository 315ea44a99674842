// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { expect, test } from "bun:test";
import { describeInBrowser } from "../kit/browser.ts";
import { startFake } from "../kit/servers/fake-servers.ts";
import { client } from "../kit/client.ts";
import { expectNoBarriers } from "./barriers.ts";
import { phoneOptions, useStudio } from "./studio.ts";

const api = "/api/v1";
const evil = `"><script>__fired(1)</script><img src=x onerror=__fired(1)>`;

describeInBrowser("mentions by other sites in the studio", () => {
  const studio = useStudio({ MENTION_ALLOW_PRIVATE: "true" });

  test("are switched on in the settings, approved on a phone, and run nothing", async () => {
    const { chief, server } = studio;
    const { body: post } = await chief.post(`${api}/blog`, {
      title: "Ferries",
      content: "The last one leaves at ten.",
    });
    const target = `${server.url}/blog/${post.slug}`;
    const written = evil.replaceAll("<", "&lt;");
    await using elsewhere = await startFake(() => ({
      headers: { "Content-Type": "text/html" },
      body: `<div class="h-entry"><b class="p-author">Grace ${written}</b>
        <a class="u-in-reply-to" href="${target}">re</a><p class="e-content">And at eleven. ${written}</p></div>`,
    }));
    {
      await using tab = await studio.open("/settings");
      const { page } = tab;
      const form = page.getByRole("form", { name: "Other sites" });
      await form.getByLabel("Mentions from and to other sites").check();
      await form.getByLabel("WebSub hub").fill("nonsense");
      await form.getByRole("button", { name: "Save" }).click();
      await form.getByText("This must be an address").waitFor();
      await expectNoBarriers(page);
      await form.getByLabel("WebSub hub").fill("");
      await form.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      expect(tab.complaints).toEqual([`400 ${api}/settings`]);
    }
    const sent = await client(server).post("/webmention", { source: `${elsewhere.url}/note`, target });
    expect(sent.status).toBe(202);
    await using tab = await studio.open("/comments", { ...phoneOptions, locale: "de" });
    const { page } = tab;
    await page.addInitScript("globalThis.fired = 0; globalThis.__fired = () => fired++;");
    await page.reload();
    const row = page.getByRole("article").filter({ hasText: "And at eleven." });
    // It appears by itself as soon as the page was read.
    await row.waitFor();
    expect(await row.getByRole("link", { name: "hat auf 127.0.0.1" }).getAttribute("href")).toBe(
      `${elsewhere.url}/note`,
    );
    await expectNoBarriers(page);
    await row.getByRole("button", { name: "Freigeben" }).click();
    await page.getByText("Der Kommentar ist sichtbar.").waitFor();
    expect(await page.evaluate("fired")).toBe(0);
    await tab.open(`/blog/${post.slug}`);
    await page.getByRole("link", { name: /^Grace/ }).waitFor();
    await page.getByText("And at eleven.").waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate("fired")).toBe(0);
    expect(tab.complaints).toEqual([]);
  });
});
