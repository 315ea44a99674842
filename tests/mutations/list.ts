import { accounts } from "./accounts.ts";
import { backups } from "./backups.ts";
import { doors } from "./doors.ts";
import { durability } from "./durability.ts";
import { faithful } from "./faithful.ts";
import { memory } from "./memory.ts";
import type { Mutation } from "./mutation.ts";
import { privacy } from "./privacy.ts";
import { publishing } from "./publishing.ts";
import { requests } from "./requests.ts";

/** Each defect that was found adds one: what would bring it back, and the test that notices. */
export const mutations: Mutation[] = [
  ...durability,
  ...backups,
  ...privacy,
  ...doors,
  ...accounts,
  ...publishing,
  ...faithful,
  ...requests,
  ...memory,
];
