import { recordBackup } from "../features/backups/last-backup.ts";
import { withSite } from "../engines.ts";
import { type Command, dataOption } from "./command.ts";

export const recordBackupCommand: Command = {
  name: "record backup",
  summary: "store that a backup was made now",
  details: "For the end of a script that makes backups. The studio reminds admins if there is no recent one.",
  options: dataOption,
  run: ({ config }) => withSite(config, (db) => recordBackup(db)),
};
