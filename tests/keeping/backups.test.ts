// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openForBackup } from "../../src/engines.ts";
import { createBackup } from "../../src/features/backups/create.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { openFolder } from "../../src/platform/backups/folder.ts";
import { openOrCreateRepository } from "../../src/platform/backups/repository.ts";
import { openTemporaryWork } from "../../src/platform/backups/work-directory.ts";
import {
  backup,
  cut,
  edit,
  expectWhole,
  filesBelow,
  findFile,
  flipByte,
  listIDs,
  makeBucket,
  makeSite,
  readSite,
  signUp,
  writeUntil,
} from "../kit/backup-kit.ts";
import { isScaled, makeDatabase, testScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { isLong } from "../kit/long.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();

/** A file on S3 takes a while, and other tests use the same store. What does not depend on the engines runs once. */
const writerCount = isScaled ? 2 : 16;
const backupCount = isScaled ? 1 : 3;

const noKeys = { BACKUP_PASSPHRASE: "" };

describe("backups", () => {
  test.skipIf(!isLong)(
    "made while many write contain everything that was acknowledged before, and each is whole",
    async () => {
      const site = await makeSite(newDirectory(scratch));
      const repo = join(newDirectory(scratch), "backups");
      await using server = await startVitrine(site);
      const token = await signUp(server);
      const stopping = new AbortController();
      const acknowledged: string[] = [];
      const writers = Array.from({ length: writerCount }, (_, number) =>
        writeUntil(stopping.signal, { server, token, acknowledged, number }),
      );
      await until(() => acknowledged.length >= 3 * writerCount);
      const before: string[][] = [];
      for (let round = 0; round < backupCount; round++) {
        before.push([...acknowledged]);
        await backup(["create", "--to", repo], site);
      }
      stopping.abort();
      await Promise.all(writers);

      const ids = await listIDs(repo, site);
      expect(ids).toHaveLength(backupCount);
      for (const [round, id] of ids.entries()) {
        const restored = { DATA_DIR: join(newDirectory(scratch), "site") };
        await backup(["restore", "--from", repo, "--snapshot", id], restored);
        await expectWhole(restored);
        const { titles, contents } = await readSite(restored, token);
        expect((before[round] ?? []).filter((title) => !titles.includes(title))).toEqual([]);
        // One moment: whoever wrote a second one had written the first.
        for (const title of titles) {
          const [, writer, number] = /^(\d+)-(\d+)$/.exec(title) ?? [];
          if (Number(number) > 0) expect(titles).toContain(`${writer}-${Number(number) - 1}`);
        }
        expect(contents).toBeGreaterThan(0);
      }
    },
  );

  test.if(!isScaled)(
    "an encrypted one shows neither names nor content, and is read only with its passphrase",
    async () => {
      const site = { ...(await makeSite(newDirectory(scratch))), BACKUP_PASSPHRASE: "tide at nine" };
      const repo = join(newDirectory(scratch), "backups");
      await using server = await startVitrine(site);
      const token = await signUp(server);
      const bytes = `secret words ${crypto.randomUUID()}`;
      const { body } = await client(server, token).upload("letter.txt", bytes);
      const writer = client(server, token);
      expect((await runVitrine(["user", "role", "writer", "admin"], site)).code).toBe(0);
      const about = (await writer.post("/api/v1/blog", { kind: "page", title: "About me", content: "By the sea." }))
        .body;
      const picture = (await writer.upload("portrait.png", png(90, 60))).body;
      const portrait = (await writer.post("/api/v1/photos", { title: "Portrait", fileID: picture.id })).body;
      await writer.put("/api/v1/me/profile", { displayName: "Ada L.", about: "I write.", portraitID: portrait.id });
      const menu = [
        { kind: "page", pageID: about.id },
        { kind: "section", section: "blog", place: "footer" },
      ];
      expect((await writer.put("/api/v1/settings", { menu, footer: "All mine." })).status).toBe(200);
      const own = ["/api/v1/me/profile", "/api/v1/settings", `/api/v1/blog/${about.id}`, portrait.variants[0].url];
      const readOwn = async (from: { url: string }) => {
        const answers = own.map(async (path) => {
          const response = await fetch(from.url + path, { headers: { Authorization: `Bearer ${token}` } });
          return [path, response.status, await response.text()];
        });
        return Promise.all(answers);
      };
      const before = await readOwn(server);
      expect(before.map(([, status]) => status)).toEqual([200, 200, 200, 200]);
      await backup(["create", "--to", repo], site);
      for (const path of filesBelow(repo)) {
        expect(path).not.toContain(body.sha256);
        expect(readFileSync(path, "latin1")).not.toContain("secret words");
      }
      const withoutKey = await runVitrine(["backup", "list", "--from", repo], { ...site, ...noKeys });
      expect([withoutKey.code, withoutKey.stderr]).toEqual([
        1,
        "vitrine: These backups are encrypted: set BACKUP_PASSPHRASE, or BACKUP_IDENTITY_FILE to the file with the secret key.\n",
      ]);
      const wrong = await runVitrine(["backup", "list", "--from", repo], { ...site, BACKUP_PASSPHRASE: "tide at ten" });
      expect(wrong.stderr).toBe("vitrine: BACKUP_PASSPHRASE is not the passphrase of these backups.\n");

      // A second one needs no passphrase, and stores nothing twice.
      const blobs = filesBelow(join(repo, "blobs"));
      await backup(["create", "--to", repo], { ...site, ...noKeys });
      expect(filesBelow(join(repo, "blobs"))).toEqual(blobs);

      const restored = { DATA_DIR: join(newDirectory(scratch), "site"), BACKUP_PASSPHRASE: "tide at nine" };
      await backup(["restore", "--from", repo], restored);
      await expectWhole(restored);
      await using other = await startVitrine(restored);
      const content = await fetch(`${other.url}/api/v1/files/${body.id}/content`);
      expect(await content.text()).toBe(bytes);
      // What is shown of the owner: the page, the profile with its portrait, the menu and the footer.
      expect(await readOwn(other)).toEqual(before);
      const front = await (await fetch(`${other.url}/${about.slug}`)).text();
      for (const part of ["By the sea.", "About me", "All mine."]) expect(front).toContain(part);
    },
  );

  test("bytes that are deleted while a backup runs are in it", async () => {
    const site = await makeSite(newDirectory(scratch));
    await using server = await startVitrine(site);
    const token = await signUp(server);
    const writer = client(server, token);
    const { body: file } = await writer.upload("letter.txt", `bytes ${crypto.randomUUID()}`);
    const { body: post } = await writer.post("/api/v1/blog", { title: "before", content: "x" });

    const config = readConfig(site);
    const opened = await openForBackup(config, schemaOf(modules));
    const place = await openFolder(join(newDirectory(scratch), "backups"), "create", openTemporaryWork);
    const nameKeys = { read: async () => null, store: async () => {} };
    const repository = await openOrCreateRepository(place, config.backupKeys, "site", nameKeys);
    await createBackup(repository, { ...opened, exportDatabase }, () => {});
    await place.close();
    await opened.close();
    const restored = { DATA_DIR: join(newDirectory(scratch), "site") };
    await backup(["restore", "--from", place.name], restored);
    await expectWhole(restored);
    expect(await readSite(restored, token)).toEqual({ titles: ["before"], contents: 1 });

    /** Deletes the record and its bytes after the rows were read, and before the bytes are. */
    async function exportDatabase(path: string): Promise<void> {
      await opened.exportDatabase(path);
      for (const one of [`files/${file.id}`, `blog/${post.id}`]) await writer.delete(`/api/v1/${one}`);
      expect((await writer.delete("/api/v1/trash")).status).toBe(200);
      expect((await fetch(`${server.url}${file.url}`)).status).toBe(404);
    }
  });

  test.if(!isScaled)(
    "that are damaged, truncated, incomplete, foreign or newer are refused before anything is touched",
    async () => {
      const site = await makeSite(newDirectory(scratch));
      const repo = join(newDirectory(scratch), "backups");
      await using server = await startVitrine(site);
      const token = await signUp(server);
      await client(server, token).upload("one.txt", "the bytes of one");
      await backup(["create", "--to", repo], site);

      const cases: [name: string, damage: (copy: string) => void, sentence: RegExp][] = [
        [
          "a byte of the database",
          (copy) => flipByte(findFile(copy, "database.sqlite.gz")),
          /is damaged: database.sqlite.gz/,
        ],
        [
          "the end of the database",
          (copy) => cut(findFile(copy, "database.sqlite.gz")),
          /is damaged: database.sqlite.gz/,
        ],
        ["a byte of the list", (copy) => flipByte(findFile(copy, "files.sha256.gz")), /is damaged: files.sha256.gz/],
        ["the manifest", (copy) => cut(findFile(copy, "manifest.json")), /is damaged: its manifest/],
        ["a file", (copy) => rmSync(filesBelow(join(copy, "blobs"))[0] ?? ""), /1 of its 1 files are missing/],
        ["the header", (copy) => cut(join(copy, "vitrine-backups.json")), /vitrine-backups.json in .* is damaged/],
        [
          "a newer format",
          (copy) => edit(join(copy, "vitrine-backups.json"), (text) => text.replace('"format": 1', '"format": 2')),
          /have format 2, and this version reads 1: upgrade/,
        ],
        ["no backups", (copy) => rmSync(join(copy, "vitrine-backups.json")), /There are no backups of Vitrine in/],
      ];
      for (const [name, damage, sentence] of cases) {
        const copy = join(newDirectory(scratch), "copy");
        cpSync(repo, copy, { recursive: true });
        damage(copy);
        const target = join(newDirectory(scratch), "site");
        const { code, stderr } = await runVitrine(["backup", "restore", "--from", copy], { DATA_DIR: target });
        expect({ name, code, stderr }).toEqual({ name, code: 1, stderr: expect.stringMatching(sentence) as string });
        expect({ name, isThere: existsSync(target) }).toEqual({ name, isThere: false });
      }

      // A byte of a file is found by reading it.
      const copy = join(newDirectory(scratch), "copy");
      cpSync(repo, copy, { recursive: true });
      flipByte(filesBelow(join(copy, "blobs"))[0] ?? "");
      const { code, stdout } = await runVitrine(["backup", "verify", "--from", copy], {});
      expect([code, stdout]).toEqual([1, expect.stringMatching(/^damaged: blobs\/.*\n.*1 problems\.\n$/) as string]);
    },
  );

  test.if(!isScaled)(
    "go neither into a folder with other things, nor over the backups of another site, nor a restore over a site",
    async () => {
      const site = await makeSite(newDirectory(scratch));
      await using server = await startVitrine(site);
      await signUp(server);
      const other = newDirectory(scratch);
      writeFileSync(join(other, "holiday.txt"), "not a backup");
      const refused = await runVitrine(["backup", "create", "--to", other], site);
      expect(refused.stderr).toMatch(/is neither empty nor a place with backups of Vitrine \(it has "holiday.txt"\)/);
      expect(readdirSync(other)).toEqual(["holiday.txt"]);

      const repo = join(newDirectory(scratch), "backups");
      await backup(["create", "--to", repo], site);
      const second = await makeSite(newDirectory(scratch));
      await using secondServer = await startVitrine(second);
      await signUp(secondServer);
      const foreign = await runVitrine(["backup", "create", "--to", repo], second);
      expect(foreign.stderr).toMatch(/are those of another site/);

      const full = newDirectory(scratch);
      writeFileSync(join(full, "vitrine.db"), "");
      const over = await runVitrine(["backup", "restore", "--from", repo], { DATA_DIR: full });
      expect(over.stderr).toMatch(/is not empty: choose an empty directory/);
    },
  );

  test.if(!isScaled)("are pruned by days, weeks and months, with the files that only they had", async () => {
    const site = await makeSite(newDirectory(scratch));
    const repo = join(newDirectory(scratch), "backups");
    await using server = await startVitrine(site);
    const token = await signUp(server);
    const writer = client(server, token);
    const { body } = await writer.upload("first.txt", "only in the first");
    await backup(["create", "--to", repo], site);
    await writer.delete(`/api/v1/files/${body.id}`);
    await writer.delete("/api/v1/trash");
    await writer.upload("second.txt", "in the second");
    await backup(["create", "--to", repo], site);
    const dry = await backup(
      ["prune", "--from", repo, "--days", "1", "--weeks", "0", "--months", "0", "--dry-run"],
      site,
    );
    expect(dry).toMatch(/1 backups stay; 1 backups and 1 files would be removed/);
    expect(await listIDs(repo, site)).toHaveLength(2);
    await backup(["prune", "--from", repo, "--days", "1", "--weeks", "0", "--months", "0"], site);
    expect(await listIDs(repo, site)).toHaveLength(1);
    const left = filesBelow(join(repo, "blobs")).map((path) => readFileSync(path, "utf8"));
    expect(left).toEqual(["in the second"]);
    expect(await backup(["verify", "--from", repo], site)).toMatch(/all are as they were stored/);
  });

  test.if(!isScaled)(
    "are made by the server itself when one is due or an admin asks, and the studio knows why one has failed",
    async () => {
      const repo = join(newDirectory(scratch), "backups");
      const site = { ...(await makeSite(newDirectory(scratch))), BACKUP_TO: repo };
      const words = ["user", "add", "chief", "--role", "admin", "--create"];
      expect((await runVitrine(words, site, `${password}\n`)).code).toBe(0);
      await using server = await startVitrine(site);
      const { body } = await client(server).post("/signin", { username: "chief", password });
      const chief = client(server, body.token);
      const read = async () => (await chief.get("/api/v1/backups")).body;
      // Jobs first run ten seconds after the start.
      const first = await until(read, ({ lastRun, isRunning }) => lastRun && !isRunning, 120_000);
      expect(first).toMatchObject({ place: repo, lastRun: { error: null }, problem: null });
      expect(first.backups).toHaveLength(1);
      const { body: noticed } = await chief.get("/api/v1/attention");
      expect(noticed).toMatchObject({ lastBackupAt: expect.any(String), backupError: null });

      // Of one day, the newest stays.
      expect((await chief.post("/api/v1/backups", {})).status).toBe(200);
      const second = await until(
        read,
        ({ lastRun, isRunning }) => lastRun.endedAt !== first.lastRun.endedAt && !isRunning,
      );
      expect(second.backups).toHaveLength(1);
      expect(second.backups[0].id).not.toBe(first.backups[0].id);

      cut(join(repo, "vitrine-backups.json"));
      expect((await chief.post("/api/v1/backups", {})).status).toBe(200);
      const third = await until(
        read,
        ({ lastRun, isRunning }) => lastRun.endedAt !== second.lastRun.endedAt && !isRunning,
      );
      expect(third.lastRun.error).toMatch(/is damaged/);
      expect((await chief.get("/api/v1/attention")).body.backupError).toMatch(/is damaged/);
    },
  );

  (isLong ? testScaled : test.skip)("on S3 are restored to other engines", async () => {
    const site = { ...(await makeSite(newDirectory(scratch))), BACKUP_PASSPHRASE: "tide at nine" };
    const { url, ...keys } = await makeBucket();
    const repo = url.replace("?", "/site/nightly?");
    await using server = await startVitrine(site);
    const token = await signUp(server);
    await client(server, token).upload("one.txt", "the bytes of one");
    await client(server, token).post("/api/v1/blog", { title: "A post", content: "Words" });
    await backup(["create", "--to", repo], { ...site, ...keys });
    // On another machine, where nothing of the site is on the disk.
    await backup(["create", "--to", repo], { ...site, ...keys, DATA_DIR: join(newDirectory(scratch), "elsewhere") });
    expect(await backup(["verify", "--from", repo], { ...site, ...keys })).toMatch(/2 backups and 1 of 1 files/);
    const target = await makeBucket();
    const restored = {
      ...keys,
      BACKUP_PASSPHRASE: "tide at nine",
      DATA_DIR: newDirectory(scratch),
      DATABASE_URL: await makeDatabase(),
      STORAGE_URL: target.url,
    };
    await backup(["restore", "--from", repo], restored);
    await expectWhole(restored);
    expect((await readSite(restored, token)).titles).toEqual(["A post"]);
  });
});
