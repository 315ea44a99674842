import { describe, expect, test } from "bun:test";
import { client } from "../../../tests/kit/client.ts";
import { password, person } from "../../../tests/kit/people.ts";
import { runBeside, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { confusables } from "./confusables.ts";
import { usernameSkeleton } from "./skeleton.ts";
import { addUser, noPassword } from "./store.ts";
import { usernameKey } from "./user.ts";

const server = useServer();

const signUp = (username: string) => client(server).post("/signup", { username, password });
const signIn = (username: string) => client(server).post("/signin", { username, password });

/** Renames an account to a name that a version without these rules could have stored. */
async function rename(userID: number, name: string): Promise<void> {
  await withDatabase(server, (db) =>
    db.transaction((tx) =>
      tx.run(sql`
        UPDATE users SET username = ${name}, username_key = ${usernameKey(name)}, username_skeleton = ${usernameSkeleton(name)}
        WHERE id = ${userID}`),
    ),
  );
}

describe("invisible characters in usernames", () => {
  test.each([
    ["Hangul filler", "\u3164"],
    ["halfwidth Hangul filler", "\uffa0"],
    ["Hangul choseong filler", "\u115f"],
    ["Hangul jungseong filler", "\u1160"],
    ["variation selector", "\ufe0f"],
    ["variation selector of the second block", "\u{e0100}"],
    ["Mongolian variation selector", "\u180b"],
    ["combining grapheme joiner", "\u034f"],
    ["Khmer inherent vowel", "\u17b4"],
    ["zero width space", "\u200b"],
    ["zero width joiner", "\u200d"],
    ["soft hyphen", "\u00ad"],
    ["tag", "\u{e0061}"],
  ])("%s is refused, alone and within a name", async (_what, character) => {
    for (const username of [character, `vis${character}ible`, `visible${character}`]) {
      const { status, body } = await signUp(username);
      expect([username, status, body.field]).toEqual([username, 400, "username"]);
    }
  });

  test("a name that begins with an accent is refused, because it would combine with the character before it", async () => {
    expect((await signUp("\u0301ada")).body.field).toBe("username");
    expect((await signUp("\u0301")).status).toBe(400);
    expect((await signUp("a\u0301e\u0301")).status).toBe(201);
  });
});

describe("names that look alike", () => {
  test.each([
    ["Cyrillic for Latin", "lookada", "lооkаdа"],
    ["Greek for Latin", "novello", "nονello"],
    ["one letter of another script", "Henry", "Нenry"],
    ["capitals of another script", "racer", "RАСЕR"],
    ["a digit for a letter", "collier", "co11ier"],
    ["a capital I for a small l", "allison", "aIIison"],
    ["a zero for an O", "Oslo0", "0sl0o"],
    ["two letters for one", "memory", "rnernory"],
    ["one letter for two", "born", "bom"],
    ["vv for w", "wwind", "vvvvind"],
    ["a letter of full width", "wide", "ｗidｅ"],
    ["a dotless i", "piping", "pıpıng"],
    ["Cyrillic alone", "opacha", "орасһа"],
    ["letters of a rare script alone", "ada", "ꓮꓓꓮ"],
  ])("%s: %s is taken, and so is %s", async (_what, existing, lookalike) => {
    expect((await signUp(existing)).status).toBe(201);
    const refused = await signUp(lookalike);
    expect([refused.status, refused.body.field]).toEqual([400, "username"]);
    // The error message is the same as for a taken name.
    const taken = await signUp(existing);
    expect(refused.body.error.replace(lookalike, existing)).toBe(taken.body.error);
    expect((await signIn(lookalike)).body.user?.username ?? existing).toBe(existing);
    expect((await signIn(existing)).status).toBe(200);
  });

  test("different names stay different", async () => {
    const names = ["zoe", "zoé", "anna", "ana", "bert", "berta", "日本", "日木", "мария", "марина", "user2", "user3"];
    for (const name of names) expect([name, (await signUp(name)).status]).toEqual([name, 201]);
  });

  test("of many concurrent sign-ups with lookalikes, one succeeds", async () => {
    const answers = await Promise.all(["parallel", "раrаllеl", "para1lel", "paraIIeI", "pаrаllеl"].map(signUp));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400, 400]);
  });

  test("of many lookalikes that are added at the same time, one is", async () => {
    const names = ["moment", "mоment", "momеnt", "rnornent", "mоmеnt", "MOMENT"];
    const added = await withDatabase(server, (db) =>
      Promise.allSettled(names.map((name) => addUser(db, name, noPassword, "reader"))),
    );
    expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("the command line applies the same rules", async () => {
    await person(server, "commander");
    for (const name of ["cоmmander", "comrnander", "com\u034fmander"]) {
      const { code, stderr } = await runBeside(server, ["user", "add", name], `${password}\n`);
      expect([name, code === 0, stderr.includes("username")]).toEqual([name, false, true]);
    }
  });
});

describe("accounts created before these rules", () => {
  test("can still sign in and change their passwords, and others cannot take names like theirs", async () => {
    const [one, two, three] = [
      await person(server, "before1st"),
      await person(server, "before2nd"),
      await person(server, "before3rd"),
    ];
    await rename(one.userID, "quill");
    await rename(two.userID, "quіll");
    await rename(three.userID, "se\u3164ven");
    expect((await signIn("quill")).body.user.id).toBe(one.userID);
    expect((await signIn("quіll")).body.user.id).toBe(two.userID);
    expect((await signIn("se\u3164ven")).body.user.id).toBe(three.userID);

    expect((await signUp("quiIl")).status).toBe(400);
    expect((await signUp("seven")).status).toBe(400);
    for (const name of ["quill", "quіll", "se\u3164ven"]) expect((await signIn(name)).status).toBe(200);
    const reset = await runBeside(server, ["user", "password", "se\u3164ven"], "another password\n");
    expect([reset.code, reset.stderr]).toEqual([0, ""]);
    const renewed = { username: "se\u3164ven", password: "another password" };
    expect((await client(server).post("/signin", renewed)).status).toBe(200);
  });
});

describe("the table of lookalikes", () => {
  test("contains only characters that a username can have, and its targets are not mapped again", () => {
    const groups = confusables
      .trim()
      .split(/\s+/)
      .map((group) => group.split("="));
    const read = (hexadecimal: string) => String.fromCodePoint(Number.parseInt(hexadecimal, 16));
    const sources = groups.flatMap(([, list = ""]) => list.split(",").map(read));
    expect(sources.length).toBe(new Set(sources).size);
    expect(sources.length).toBeGreaterThan(400);
    expect(sources.filter((source) => !/^[\p{L}\p{M}\p{N}]$/u.test(source))).toEqual([]);
    const targets = groups.flatMap(([target = ""]) => target.split("+").map(read));
    expect(targets.filter((target) => sources.includes(target))).toEqual([]);
  });

  test("a skeleton does not depend on how accents are encoded", () => {
    for (const name of ["Renée", "Ünï.Cødé", "각", "がぎ"]) {
      expect(usernameSkeleton(name.normalize("NFD"))).toBe(usernameSkeleton(name.normalize("NFC")));
    }
  });
});
