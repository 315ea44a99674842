// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
// Runs on the embedded engines only: src/core/factors/factors.test.ts has the same on the others.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser, findBarriers, openTab } from "../kit/browser.ts";
import { member, password } from "../kit/people.ts";
import { codeOf, waitForNextCode } from "../kit/second-factors.ts";
import { phoneOptions, useStudio } from "./studio.ts";

describeInBrowser("the second factor in the studio", () => {
  const studio = useStudio();
  beforeAll(async () => {
    await member(studio.server, "grace", "reader");
  });

  test("is set up, asked for at the next sign-in, required of others, and removed", async () => {
    await using tab = await studio.open("/account");
    const { page } = tab;
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    await page.getByRole("dialog").getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("img", { name: "QR code for the app" }).waitFor();
    const secret = await page.getByLabel("Or enter this key in the app").inputValue();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("Code shown by the app").fill("wrong");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("This code is wrong").waitFor();
    await page.getByLabel("Code shown by the app").fill(codeOf(secret));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("button", { name: "I have saved them" }).waitFor();
    const codes = await page.getByRole("dialog").getByRole("listitem").allTextContents();
    expect([codes.length, await findBarriers(page)]).toEqual([10, []]);
    await page.getByRole("button", { name: "I have saved them" }).click();
    await page.getByText("10 are left.").waitFor();

    // Without a script, in German, on a phone.
    const bare = { ...phoneOptions, javaScriptEnabled: false, locale: "de", colorScheme: "dark" as const };
    await using plain = await openTab(studio.browser, studio.server.url, bare);
    await plain.open("/signin?next=/photos");
    await plain.page.getByLabel("Benutzername").fill("chief");
    await plain.page.getByLabel("Passwort").fill(password);
    await plain.page.getByRole("button", { name: "Anmelden" }).click();
    await plain.page.getByLabel("Code").fill("wrong");
    await plain.page.getByRole("button", { name: "Anmelden" }).click();
    await plain.page.getByText("Dieser Code ist falsch").waitFor();
    await plain.page.getByLabel("Code").fill(codes[0] ?? "");
    await plain.page.getByRole("button", { name: "Anmelden" }).click();
    await plain.page.waitForURL("**/photos");
    expect(plain.complaints).toEqual([expect.stringContaining("/session/factor")]);

    await tab.open("/studio/settings");
    const rules = page.getByRole("form", { name: "Visitors and visibility" });
    await rules.getByLabel("Readers", { exact: true }).check();
    await rules.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await using reader = await studio.open("/account", { username: "grace", ...phoneOptions, colorScheme: "dark" });
    await reader.page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    expect(await findBarriers(reader.page)).toEqual([]);
    await reader.open("/");
    await reader.page.getByRole("link", { name: "Set it up" }).waitFor();
    expect(await findBarriers(reader.page)).toEqual([]);
    await reader.page.getByRole("button", { name: "Sign out" }).click();
    await reader.page.getByRole("link", { name: "Sign in" }).first().waitFor();

    await waitForNextCode(studio.server);
    await tab.open("/studio/account");
    await page.getByRole("button", { name: "Remove the authenticator app" }).click();
    await page.getByRole("dialog").getByLabel("Password").fill(password);
    await page.getByLabel("Code from the app, or a recovery code").fill(codeOf(secret));
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Set up an authenticator app" }).waitFor();
    expect([tab.complaints, reader.complaints]).toEqual([["400 /api/v1/account/totp/confirmation"], ["403 /"]]);
  });
});
