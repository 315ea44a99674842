// Runs only with TEST_LONG: a browser takes long, and tests/studio/blog.test.ts is the story of the studio in npm test.
import { beforeAll, expect, test } from "bun:test";
import { describeInBrowser, openTab } from "../kit/browser.ts";
import { client } from "../kit/client.ts";
import { member, password } from "../kit/people.ts";
import { expectNoBarriers, expectNoRareBarriers } from "./barriers.ts";
import { sizesOf, useStudio } from "./studio.ts";

describeInBrowser("people in the studio", () => {
  const roleOf = async (username: string) =>
    (await studio.chief.get("/api/v1/users")).body.find((person: any) => person.username === username)?.role;

  const studio = useStudio({ SIGNUP_ROLE: "closed" });
  beforeAll(async () => {
    await member(studio.server, "grace", "author");
    await member(studio.server, "leaving-with-a-rather-long-name", "author");
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`get another role, which can be undone, ${name}`, async () => {
      await using tab = await studio.open("/people", options);
      const { page } = tab;
      const role = page.getByLabel("Role of grace");
      await role.selectOption("Admin");
      await page.getByText("grace now has the role: Admin.").waitFor();
      expect(await roleOf("grace")).toBe("admin");
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("grace now has the role: Author.").waitFor();
      expect([await roleOf("grace"), await role.inputValue()]).toEqual(["author", "author"]);
      expect(await page.getByLabel("Role of chief").isDisabled()).toBe(true);
      expect(tab.complaints).toEqual([]);
    });
  }

  test("do not become an admin with a weak password, and the studio says why", async () => {
    const weak = await member(studio.server, "wilma", "author");
    await studio.chief.put("/api/v1/settings", { passwordRule: "any" });
    await weak.put("/api/v1/me/password", { oldPassword: password, newPassword: "pw" });
    await studio.chief.put("/api/v1/settings", { passwordRule: "strong" });
    await using tab = await studio.open("/people");
    const { page } = tab;
    await page.getByLabel("Role of wilma").selectOption("Admin");
    await page.getByText("wilma has a password that is easy to guess").waitFor();
    expect(await roleOf("wilma")).toBe("author");
    expect(tab.complaints).toEqual([`400 /api/v1/users/${weak.userID}`]);
  });

  test("are invited by a link, without a mouse, and sign up with it although sign-up is closed", async () => {
    await using tab = await studio.open("/people");
    const { page } = tab;
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("invite");
    await page.keyboard.press("Enter");
    await page.getByLabel("Who is it for?").waitFor();
    await page.keyboard.type("Ada, from the choir");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("It is not shown again.").waitFor();
    const link = await page.getByRole("dialog").getByRole("textbox").inputValue();
    await page.keyboard.press("Escape");
    await page.getByText("Ada, from the choir").waitFor();

    await using guest = await openTab(studio.browser, studio.server.url, { locale: "en" });
    await guest.page.goto(link);
    await guest.page.getByLabel("Username").fill("ada");
    await guest.page.getByLabel("Password").fill(password);
    await guest.page.getByRole("button", { name: "Sign up" }).click();
    await guest.page.locator("summary", { hasText: "ada" }).waitFor();
    expect(await roleOf("ada")).toBe("author");
    // The change is told by an event.
    await page.getByText("Ada, from the choir").waitFor({ state: "detached" });
    await page.getByLabel("Role of ada").waitFor();
    expect([tab.complaints, guest.complaints]).toEqual([[], []]);
  });

  test("are signed out and removed, and what they had is given to somebody else", async () => {
    const leaving = (
      await client(studio.server).post("/signin", { username: "leaving-with-a-rather-long-name", password })
    ).body.token;
    await client(studio.server, leaving).post("/api/v1/blog", { title: "Farewell", content: "…" });
    await using tab = await studio.open("/people");
    const { page } = tab;
    await page.getByLabel("Search by name").fill("leav");
    await page.getByLabel("Role of grace").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Actions for leaving" }).click();
    await page.getByRole("menuitem", { name: "Sign out everywhere" }).click();
    await page.getByText("has been signed out everywhere.").waitFor();
    expect((await client(studio.server, leaving).get("/api/v1/me")).status).toBe(401);
    await page.getByRole("button", { name: "Actions for leaving" }).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByLabel("Choose a person").selectOption("grace");
    await expectNoRareBarriers(page);
    await page.getByRole("button", { name: "Remove the account" }).click();
    await page.getByText("No one matches that name.").waitFor();
    const [post] = (await studio.chief.get("/api/v1/blog")).body;
    const grace = (await studio.chief.get("/api/v1/users?q=grace")).body[0];
    expect([post.title, post.ownerID]).toEqual(["Farewell", grace.id]);
    expect(tab.complaints).toEqual([]);
  });

  for (const { name, options } of sizesOf("phone")) {
    test(`and what they did are shown without barriers ${name}`, async () => {
      await studio.chief.post("/api/v1/invitations", { role: "reader", note: "For ".repeat(40) });
      await using tab = await studio.open("/people", options);
      const { page } = tab;
      await page.getByLabel("Role of grace").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Invite someone" }).click();
      await page.getByLabel("Who is it for?").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Create the link" }).click();
      await page.getByText("It is not shown again.").waitFor();
      await page.keyboard.press("Escape");
      await tab.open("/studio/activity");
      await page
        .getByText(/created (the invitation|\d+ invitations)/)
        .first()
        .waitFor();
      await expectNoBarriers(page);
      await page.getByLabel("Kind").selectOption("Invitations");
      await page.waitForURL((url) => url.search === "?kind=invitation");
      expect(tab.complaints).toEqual([]);
    });
  }
});
