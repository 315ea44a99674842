import { modules } from "../modules.ts";
import { backupCommands } from "./backup.ts";
import { recordBackupCommand } from "./record-backup.ts";
import type { Command } from "./command.ts";
import { confirmClockCommand } from "./confirm-clock.ts";
import { doctorCommand } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { migrateCommand } from "./migrate.ts";
import { migrateEngineCommand } from "./migrate-engine.ts";
import { rollbackCommand } from "./rollback.ts";
import { rebuildCommands } from "./rebuild.ts";
import { rescueCommand } from "./rescue.ts";
import { openAPICommand, serveCommand } from "./serve.ts";
import { userCommands } from "./user.ts";
import { versionCommand } from "./version.ts";

/** Every command, in the order of the help. */
export const commands: Command[] = [
  serveCommand,
  ...userCommands(modules),
  importCommand(modules),
  exportCommand(modules),
  ...backupCommands(modules),
  recordBackupCommand,
  confirmClockCommand,
  ...rebuildCommands,
  doctorCommand(modules),
  rescueCommand(modules),
  migrateCommand,
  rollbackCommand,
  migrateEngineCommand,
  openAPICommand,
  versionCommand,
];
