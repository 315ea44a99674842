import { describe, expect, test } from "bun:test";
import { browserPath, findBarriers } from "../browser/browser.ts";
import { member, password, signedIn } from "../kit.ts";
import { codeOf, waitForNextCode } from "../second-factors.ts";
import { useStudio } from "./studio.ts";

describe.skipIf(!browserPath)("the second factor in the studio", () => {
  const studio = useStudio();

  test("is set up, asked for at the next sign-in, required of others and removed", async () => {
    const { server } = studio;
    await using tab = await studio.open("/account");
    const { page } = tab;
    await page.getByRole("button", { name: "Set up an authenticator app" }).click();
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("img", { name: "The QR code for the app" }).waitFor();
    const secret = await page.getByLabel("Or type this into it").inputValue();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("Code that the app shows").fill("000000");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("This code is wrong").waitFor();
    await page.getByLabel("Code that the app shows").fill(codeOf(secret));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Save your recovery codes").waitFor();
    const codes = await page.getByRole("dialog").getByRole("listitem").allTextContents();
    expect(codes).toHaveLength(10);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "I have saved them" }).click();
    await page.getByText("10 are left.").waitFor();

    // The next sign-in, without a script.
    const [code = "", other = ""] = codes;
    await using plain = await studio.open("/account", { javaScriptEnabled: false, isGuest: true });
    await plain.page.getByLabel("Username").fill("root");
    await plain.page.getByLabel("Password").fill(password);
    await plain.page.getByRole("button", { name: "Sign in" }).click();
    await plain.page.getByLabel("Code").fill("000000");
    expect(await findBarriers(plain.page)).toEqual([]);
    await plain.page.getByRole("button", { name: "Sign in" }).click();
    await plain.page.getByText("This code is wrong").waitFor();
    await plain.page.getByLabel("Code").fill(code);
    await plain.page.getByRole("button", { name: "Sign in" }).click();
    await plain.page.waitForURL("**/studio/account");
  });
});
