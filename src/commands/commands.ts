import { modules } from "../modules.ts";
import { backupCommands } from "./backup.ts";
import { recordBackupCommand } from "./record-backup.ts";
import { checkCommand } from "./check.ts";
import type { Command } from "./command.ts";
import { confirmClockCommand } from "./confirm-clock.ts";
import { importCommand } from "./import.ts";
import { migrateCommand } from "./migrate.ts";
import { migrateEngineCommand } from "./migrate-engine.ts";
import { rebuildCommands } from "./rebuild.ts";
import { rescueCommand } from "./rescue.ts";
import { openAPICommand, serveCommand } from "./serve.ts";
import { userCommands } from "./user.ts";

/** Every command, in the order of the help. */
export const commands: Command[] = [
  serveCommand,
  ...userCommands,
  importCommand,
  ...backupCommands,
  recordBackupCommand,
  confirmClockCommand,
  ...rebuildCommands,
  checkCommand(modules),
  rescueCommand(modules),
  migrateCommand,
  migrateEngineCommand,
  openAPICommand,
];
