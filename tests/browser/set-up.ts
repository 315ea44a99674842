import type { Browser } from "playwright-core";
import { type Client, client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import type { TestServer } from "../kit/server.ts";
import { openTab } from "../kit/browser.ts";
import { until } from "../kit/until.ts";

/** Sets the site up in a browser as its owner would, with samples, and returns the owner when they are complete. */
export async function setUpWithSamples(browser: Browser, server: TestServer): Promise<Client> {
  await using tab = await openTab(browser, server.url);
  const page = await tab.open(`/setup?key=${await server.setupKey()}`);
  await page.getByLabel("Name of the site").fill("Salt & Light");
  await page.getByLabel("Your username").fill("ada");
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Create the site" }).click();
  await page.waitForURL((url) => url.pathname !== "/setup");
  const { body } = await client(server).post("/signin", { username: "ada", password });
  const owner = client(server, body.token, body.user.id);
  await until(
    () => owner.get("/api/v1/albums"),
    (albums) => albums.body.length >= 2,
  );
  await until(
    () => owner.get("/api/v1/blog"),
    (posts) => posts.body.length >= 3,
  );
  if (tab.complaints.length > 0) throw new Error(tab.complaints.join("\n"));
  return owner;
}
