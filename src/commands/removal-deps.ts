import { erasersOf, kindsOf, type Module, reactionsOf, schemaOf } from "../module.ts";
import { createTrash } from "../core/trash/store.ts";

/** What removals need to know of the modules. */
export const removalDepsOf = (modules: readonly Module[]) => ({
  schema: schemaOf(modules),
  trash: createTrash(kindsOf(modules), reactionsOf(modules)),
  kinds: kindsOf(modules),
  erasers: erasersOf(modules),
});
