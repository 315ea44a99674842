// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser } from "../kit/browser.ts";
import { expectNoBarriers } from "./barriers.ts";
import { phoneOptions, useStudio } from "./studio.ts";

describeInBrowser("redirects in the studio", () => {
  const api = "/api/v1";
  const studio = useStudio();
  beforeAll(async () => {
    await studio.chief.post(`${api}/blog`, { title: "A week in Lisbon", content: "Text" });
  });

  test("are found from the settings, added, changed, searched and removed", async () => {
    await using tab = await studio.open("/settings");
    const { page } = tab;
    await page.getByRole("link", { name: "Show redirects" }).click();
    await page.getByText("There are no redirects yet").waitFor();
    await page.getByRole("button", { name: "Add redirect" }).click();
    const dialog = page.getByRole("dialog");
    const save = async (from: string, to: string) => {
      await dialog.getByLabel("Old address").fill(from);
      await dialog.getByLabel("Leads to").fill(to);
      await page.keyboard.press("Enter");
    };
    await save("https://old.example/2019/05/lisbon/", `${studio.server.url}/blog/a-week-in-lisbon`);
    const line = page.getByRole("listitem").filter({ hasText: "/2019/05/lisbon" });
    await line.getByRole("link", { name: "A week in Lisbon" }).waitFor();

    await page.getByRole("button", { name: "Add redirect" }).click();
    for (const [from, to, sentence] of [
      ["", "/blog", "This field is required."],
      ["/", "/blog", "This address cannot be redirected."],
      ["/2019/05/lisbon", "/blog", "This old address already has a redirect."],
      ["/tejo", "https://elsewhere.example/", "There is nothing at this address"],
      ["/tejo", "/2019/05/lisbon", "This address is itself redirected"],
    ] as const) {
      await save(from, to);
      await dialog.getByRole("alert").filter({ hasText: sentence }).waitFor();
    }
    await save("/tejo", "/photos");
    await page.getByText("/tejo").waitFor();

    await page.getByRole("button", { name: "Actions for /tejo" }).click();
    await page.getByRole("menuitem", { name: "Change" }).click();
    await save("/tagus", "/albums");
    await page.getByRole("link", { name: "/albums" }).waitFor();
    await page.getByLabel("Search old addresses").fill("LISBON");
    await page.getByText("/tagus").waitFor({ state: "detached" });
    await page.getByLabel("Search old addresses").fill("");

    await page.getByLabel("Select /tagus").check();
    await page.getByRole("button", { name: "All shown" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await dialog.getByText("Remove 2 redirects?").waitFor();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("There are no redirects yet").waitFor();
    expect((await studio.chief.get(`${api}/redirects?cursor=`)).body).toEqual([]);
    expect(tab.complaints).toEqual([400, 409, 400, 409].map((status) => `${status} ${api}/redirects`));
  });

  test("say on a phone, in German, what leads nowhere any more, and have no barriers", async () => {
    const { body: album } = await studio.chief.post(`${api}/albums`, { name: "Tejo" });
    await studio.chief.post(`${api}/redirects`, { from: `/fotos/${"lang-".repeat(30)}`, to: `/albums/${album.id}` });
    await studio.chief.post(`${api}/redirects`, { from: "/2019/05/lissabon", to: "/blog/a-week-in-lisbon" });
    await studio.chief.delete(`${api}/albums/${album.id}`);
    await using tab = await studio.open("/settings/redirects", { ...phoneOptions, locale: "de" });
    const { page } = tab;
    await page.getByText("Führt nirgends mehr hin").waitFor();
    await expectNoBarriers(page);
    await page.getByLabel("/2019/05/lissabon auswählen").check();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Auswahl aufheben" }).click();
    await page.getByRole("button", { name: "Weiterleitung anlegen" }).click();
    await page.getByRole("dialog").getByLabel("Alte Adresse").fill("/2019/05/lissabon");
    await page.getByLabel("Führt zu").fill("/blog");
    await page.keyboard.press("Enter");
    await page.getByText("hat schon eine Weiterleitung").waitFor();
    await expectNoBarriers(page);
    expect(tab.complaints).toEqual([`409 ${api}/redirects`]);
  });
});
