// Runs on the embedded engines only: it is about the files of a backup in a folder.
import { beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { backup, filesBelow, flipByte, listIDs } from "../kit/backup-kit.ts";
import { makeBackedUpSite } from "../kit/backed-up-site.ts";
import { runVitrine } from "../kit/process.ts";
import { isLong, testLong } from "../kit/long.ts";
import { useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const folder = join(scratch, "backups");
const env = { DATA_DIR: "", BACKUP_PASSPHRASE: "tide at nine" };
beforeAll(async () => {
  env.DATA_DIR = await makeBackedUpSite(scratch, ["some words"]);
  await backup(["create", "--to", folder], env);
});

testLong("doctor says when the newest backup cannot be opened with the passphrase that is set", async () => {
  const doctor = (variables: Record<string, string>) =>
    runVitrine(["doctor"], { DATA_DIR: env.DATA_DIR, ...variables });
  if (isLong) expect(await doctor({ BACKUP_PASSPHRASE: "tide at nine" })).toMatchObject({ code: 0 });
  // The public key is enough to make backups.
  expect(await doctor({})).toMatchObject({ code: 0 });
  const { code, stdout } = await doctor({ BACKUP_PASSPHRASE: "tide at ten", BACKUP_TO: folder });
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^error +backup +the newest one cannot be opened: BACKUP_PASSPHRASE is not the passphrase/m),
  ] as [number, string]);
  const away = await doctor({ BACKUP_TO: join(scratch, "not mounted") });
  expect([away.code, away.stdout]).toEqual([3, expect.stringContaining("There is no folder")] as [number, string]);
});

test("nothing is added to encrypted backups that nobody could read, until their key is put back from its copy", async () => {
  const { BACKUP_PASSPHRASE: _, ...withoutPassphrase } = env;
  const withoutFile = () => rmSync(join(folder, "identity.age"));
  for (const damage of [withoutFile, ...(isLong ? [() => flipByte(join(folder, "identity.age"))] : [])]) {
    damage();
    const before = filesBelow(folder);
    for (const variables of [env, withoutPassphrase]) {
      const { code, stderr } = await runVitrine(["backup", "create", "--to", folder], variables);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^vitrine: identity\.age is missing or damaged in .* "vitrine backup verify --repair/),
      ] as [number, string]);
    }
    expect(filesBelow(folder)).toEqual(before);
    // Whoever has lost the site needs no repair.
    if (isLong) expect(await listIDs(folder, env)).toHaveLength(1);
    const { code, stdout } = await runVitrine(["backup", "verify", "--repair", "--from", folder], env);
    expect([code, stdout]).toEqual([1, expect.stringContaining("put back: identity.age\n")] as [number, string]);
  }
  await backup(["create", "--to", folder], withoutPassphrase);
  for (const name of ["identity.age", "identity-copy.age"]) rmSync(join(folder, name));
  const { stderr } = await runVitrine(["backup", "create", "--to", folder], env);
  expect(stderr).toContain("put one back from a copy of this place, or store backups in another place.");
});
