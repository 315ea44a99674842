// Runs only with TEST_LONG: it builds or starts the whole program several times.
// Runs on the embedded engines only: the command line is the same on all engines.
import { beforeAll, describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { password } from "../kit/people.ts";
import { runVitrine } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";
import { controlC, controlD, openTerminal } from "../kit/terminal.ts";

const dataDir = useScratch();
const env = { DATA_DIR: dataDir, PASSWORD_RULE: "strong" };
const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const vitrine = (...words: string[]) => openTerminal([process.execPath, main, ...words], env);
const listUsers = async () => (await runVitrine(["user", "list"], env)).stdout;

beforeAll(async () => {
  const made = await runVitrine(["user", "add", "Ada", "--create"], env, `${password}\n`);
  expect([made.code, made.stdout]).toEqual([0, "Ada is now an author.\n"]);
});

describe("a password on a terminal", () => {
  test("is asked for twice, and not shown", async () => {
    const terminal = vitrine("user", "add", "bob");
    expect(await terminal.until(": ")).toBe("Password (at least 8 characters): ");
    terminal.type(`${password}\r`);
    expect(await terminal.until(": ")).toBe("\nThe same password again: ");
    terminal.type(`${password}\r`);
    expect(await terminal.end()).toEqual({ code: 0, output: "\nbob is now an author.\n" });
  });

  test("can be pasted as two lines at once", async () => {
    const terminal = vitrine("user", "add", "carol");
    await terminal.until(": ");
    terminal.type(`${password}\r${password}\r`);
    const { code, output } = await terminal.end();
    expect([code, output]).toEqual([0, expect.stringContaining("carol is now an author.")]);
  });

  test("that is different the second time is refused", async () => {
    const terminal = vitrine("user", "password", "ada");
    await terminal.until(": ");
    terminal.type("a new password\r");
    await terminal.until(": ");
    terminal.type("another password\r");
    expect(await terminal.end()).toEqual({ code: 1, output: "\nvitrine: The two passwords are different.\n" });
  });

  test("that is too short is refused before it is asked for a second time", async () => {
    const terminal = vitrine("user", "add", "dora");
    await terminal.until(": ");
    terminal.type("short\r");
    expect(await terminal.end()).toEqual({
      code: 1,
      output: '\nvitrine: "password" must have at least 8 characters.\n',
    });
  });

  test.each([
    ["ADA", /^vitrine: The username "ADA" is taken/],
    ["a b", /^vitrine: "username" may contain only letters, digits/],
  ])("is not asked for if the name %p is not available", async (name, message) => {
    const { code, output } = await vitrine("user", "add", name).end();
    expect([code, output]).toEqual([1, expect.stringMatching(message)]);
    expect(output).not.toContain("Password");
  });

  test("Ctrl-D ends the prompt", async () => {
    const terminal = vitrine("user", "add", "eve");
    await terminal.until(": ");
    terminal.type(controlD);
    expect(await terminal.end()).toMatchObject({ code: 1, output: expect.stringContaining("must not be empty") });
  });

  test.each([1, 2])(
    "Ctrl-C at prompt %p ends the program with 130, and restores the echo of the terminal",
    async (question) => {
      const shell = `"$0" "$1" user add frank; echo "code $?"; stty -a; echo end`;
      const terminal = openTerminal(["sh", "-c", shell, process.execPath, main], env);
      await terminal.until("characters): ");
      if (question === 2) {
        terminal.type(`${password}\r`);
        await terminal.until("again: ");
      }
      terminal.type(controlC);
      expect(await terminal.until("code 130")).toBe("\ncode 130");
      const settings = await terminal.until("end");
      for (const setting of ["echo", "icanon", "isig"]) expect(settings).toMatch(new RegExp(`(?<!-)\\b${setting}\\b`));
      await terminal.end();
      expect(await listUsers()).not.toContain("frank");
    },
  );
});

describe("user remove on a terminal", () => {
  test("asks first, and does nothing unless the answer is yes", async () => {
    await runVitrine(["user", "add", "gone"], env, `${password}\n`);
    for (const answer of ["\r", "n\r", controlD]) {
      const terminal = vitrine("user", "remove", "gone");
      expect(await terminal.until("[y/N] ")).toBe("Remove gone? [y/N] ");
      terminal.type(answer);
      const { code, output } = await terminal.end();
      expect([code, output]).toEqual([1, expect.stringContaining("Nothing was removed.")]);
    }
    expect(await listUsers()).toContain("gone");
    const terminal = vitrine("user", "remove", "gone");
    await terminal.until("[y/N] ");
    terminal.type("y\r");
    expect(await terminal.end()).toMatchObject({ code: 0, output: expect.stringContaining("gone was removed.") });
    expect(await listUsers()).not.toContain("gone");
  });

  test("Ctrl-C ends it with 130", async () => {
    const terminal = vitrine("user", "remove", "ada");
    await terminal.until("[y/N] ");
    terminal.type(controlC);
    expect((await terminal.end()).code).toBe(130);
    expect(await listUsers()).toContain("Ada");
  });
});

test("the output at the start has no colour on a terminal", async () => {
  const terminal = openTerminal([process.execPath, main, "serve", "--port", "0"], { ...env, LOG_LEVEL: "warn" });
  const announced = await terminal.until("--role admin");
  terminal.type(controlC);
  await terminal.end();
  expect(announced).toStartWith("Vitrine is running at http://localhost:");
  expect(announced).not.toContain("\x1b");
});
