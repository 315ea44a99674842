// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
// Runs on the embedded engines only: it is about screens.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { describeInBrowser, openTab } from "../kit/browser.ts";
import { member, password } from "../kit/people.ts";
import { linkIn, startMailServer } from "../kit/servers/mail-server.ts";
import { expectNoBarriers } from "./barriers.ts";
import { phoneOptions, useStudio } from "./studio.ts";

describeInBrowser("mail in the studio", () => {
  let post: Awaited<ReturnType<typeof startMailServer>>;
  const env = { MAIL_FROM: "vitrine@example.org", BASE_URL: "http://vitrine.example", SMTP_URL: "" };
  beforeAll(async () => {
    post = await startMailServer();
    env.SMTP_URL = post.url;
  });
  afterAll(() => post[Symbol.asyncDispose]());
  const studio = useStudio(env);

  test("is tested, chosen and used for a forgotten password", async () => {
    await member(studio.server, "grace", "author");
    await using tab = await studio.open("/settings");
    const { page } = tab;
    await page.getByLabel("Send a test mail to").fill("chief@example.org");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("accepted the mail to chief@example.org").waitFor();
    await expectNoBarriers(page);

    await page.goto(`${studio.server.url}/studio/account`);
    await page.getByRole("button", { name: "Add an address" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("New address").fill("chief@example.org");
    await dialog.getByLabel("Your password").fill("not the password");
    await dialog.getByRole("button", { name: "Send the link" }).click();
    await dialog.getByText("This is not your current password.").waitFor();
    await dialog.getByLabel("Your password").fill(password);
    await dialog.getByRole("button", { name: "Send the link" }).click();
    await dialog.waitFor({ state: "detached" });
    const link = linkIn(await post.wait("chief@example.org", 2), "/account/address");
    await page.goto(studio.server.url + link);
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Confirm the address" }).click();
    await page.getByRole("heading", { name: "The address is confirmed" }).waitFor();
    await page.goto(`${studio.server.url}/studio/account`);
    await page.getByRole("switch", { name: "Weekly" }).click();
    await page.getByRole("switch", { name: "Weekly", checked: true, disabled: false }).waitFor();
    expect((await studio.chief.get("/api/v1/me/mail")).body.notices.digest).toBe(true);
    await expectNoBarriers(page);

    await page.goto(`${studio.server.url}/studio/people`);
    await page.getByRole("button", { name: "Actions for grace" }).click();
    await page.getByRole("menuitem", { name: "Password link…" }).click();
    const made = await page.getByRole("dialog").getByRole("textbox").inputValue();
    await expectNoBarriers(page);

    await using phone = await openTab(studio.browser, studio.server.url, { locale: "de", ...phoneOptions });
    await phone.open("/signin");
    await phone.page.getByRole("link", { name: "Passwort vergessen?" }).click();
    await expectNoBarriers(phone.page);
    const { pathname, search } = new URL(made);
    await phone.open(pathname + search);
    await phone.page.getByLabel("Neues Passwort").fill("a password by link");
    await phone.page.getByRole("button", { name: "Passwort setzen" }).click();
    await phone.page.getByRole("heading", { name: "Das Passwort wurde geändert" }).waitFor();
    await expectNoBarriers(phone.page);
    expect([tab.complaints, phone.complaints]).toEqual([["400 /api/v1/me/mail/address"], []]);
  });

  test("fits on a phone", async () => {
    await using tab = await studio.open("/account", phoneOptions);
    await tab.page.getByRole("switch", { name: "Weekly" }).waitFor();
    await expectNoBarriers(tab.page);
    expect(tab.complaints).toEqual([]);
  });
});
