import { confirmClock } from "../core/clock/clock.ts";
import { withSite } from "../engines.ts";
import { type Command, dataOption } from "./command.ts";

export const confirmClockCommand: Command = {
  name: "confirm clock",
  summary: "say that the clock of this machine is right, after a long pause or a jump",
  details:
    "A server that did not run for a week, or whose clock went back or jumped, deletes nothing because of its age for a day. This ends the wait.",
  options: dataOption,
  run: ({ config }) => withSite(config, confirmClock),
};
