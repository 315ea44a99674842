import { confirmClock } from "../core/clock/clock.ts";
import { withSite } from "../engines.ts";
import { type Command, dataOption } from "./command.ts";

export const confirmClockCommand: Command = {
  name: "confirm clock",
  summary: "say that the clock of this machine is right, after a long pause or a jump",
  details:
    "A server that did not run for a week, or whose clock jumped, is behind what is stored, or differs from that of the database server, deletes nothing because of its age: for a day, and for longer if the clock then does not fit what is stored. This ends the wait, as does a button in the studio.",
  options: dataOption,
  run: ({ config }) => withSite(config, (db) => db.transaction((tx) => confirmClock(tx))),
};
