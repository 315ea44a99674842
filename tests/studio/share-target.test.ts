// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
// Runs on the embedded engines only: what is shared is uploaded as everything else is.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "../kit/browser.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { expectNoBarriers } from "./barriers.ts";
import { eventually, phoneOptions, useStudio, withWorker } from "./studio.ts";

/** Sends a form to the address of the manifest, as the share sheet of a phone does. */
async function share(page: Page, action: string, ...names: string[]): Promise<void> {
  // The same picture again would be the same photo.
  const files = names.map((name) => ({ name, content: [...png(40 + name.length, 30)] }));
  await page.evaluate(`(() => {
    const form = Object.assign(document.createElement("form"), { method: "post", enctype: "multipart/form-data" });
    form.action = ${JSON.stringify(action)};
    const chosen = new DataTransfer();
    for (const { name, content } of ${JSON.stringify(files)})
      chosen.items.add(new File([new Uint8Array(content)], name, { type: "image/png" }));
    const input = Object.assign(document.createElement("input"), { type: "file", name: "files", multiple: true });
    input.files = chosen.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  })()`);
}

describeInBrowser("what another app shares with the studio", () => {
  const studio = useStudio();

  test("is kept, also while nobody has signed in, and uploaded when a person says so", async () => {
    const manifest: any = await (await fetch(`${studio.server.url}/studio/app.webmanifest`)).json();
    const target = manifest.share_target;
    expect(target).toMatchObject({
      method: "POST",
      enctype: "multipart/form-data",
      params: { files: [{ name: "files" }] },
    });
    const count = async () => (await studio.chief.get("/api/v1/photos?owner=me")).body.length;

    await using tab = await studio.open("/photos", { ...withWorker, ...phoneOptions });
    const { page, context } = tab;
    await page.evaluate("navigator.serviceWorker.ready.then(() => null)");
    await share(page, target.action, "one.png", "zwei – é.png");
    const dialog = page.getByRole("dialog", { name: "2 files from another app" });
    await dialog.getByRole("img", { name: "zwei – é.png" }).waitFor();
    await expectNoBarriers(page);
    expect(await count()).toBe(0);
    await dialog.getByRole("button", { name: "Upload as private" }).click();
    await eventually(count, 2);
    const { body } = await studio.chief.get("/api/v1/photos?owner=me");
    expect(body.map(({ visibility }: any) => visibility)).toEqual(["private", "private"]);
    expect(new URL(page.url()).search).toBe("");

    // Nothing is lost by signing in first.
    await context.clearCookies();
    await share(page, target.action, "three.png");
    await page.getByLabel("Username").fill("chief");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const again = page.getByRole("dialog", { name: "1 file from another app" });
    await again.getByRole("button", { name: "Close" }).click();
    // Whoever has not decided is asked again.
    await page.reload();
    await again.getByRole("button", { name: "Discard" }).click();
    await again.waitFor({ state: "detached" });
    await eventually(() => page.evaluate<boolean>("caches.has('shared-with-studio')"), false);
    expect(await count()).toBe(2);
    // What the page was asking for when it lost its cookie.
    expect(tab.complaints.filter((text) => !text.startsWith("401"))).toEqual([]);
  });

  test("is not lost silently where the browser has no worker", async () => {
    await using tab = await studio.open("/photos");
    await share(tab.page, "/studio/share", "one.png");
    await tab.page.getByText("Not all files were received").waitFor();
    expect(tab.complaints).toEqual([]);
  });
});
