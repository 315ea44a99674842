import type { TargetID } from "../../../content/comments/target.ts";
import { nameGiver } from "../../../features/hearts/giver.ts";
import { setHeart } from "../../../features/hearts/store.ts";
import type { Database } from "../../../platform/database/database.ts";
import { readPageForm } from "../../../platform/http/page-form.ts";
import { type Page, page, type PageCall, redirect } from "../page.ts";

type Options = {
  /** The path of the page, as the router has it: `/blog/:slug`. */
  path: `/${string}`;
  /** Throws if the visitor may not see the page. */
  open(call: PageCall<null>): Promise<{ target: TargetID; path: string }>;
};

/** The heart on a page without script. It leads back to the page. */
export const heartPages = (db: Database, { path, open }: Options): Page[] => [
  page({
    path: `${path}/heart`,
    handle: async (call) => redirect(`${(await open(call)).path}#heart`),
  }),

  page({
    path: `${path}/heart`,
    method: "POST",
    async handle(call) {
      const { viewer, exchange } = call;
      const opened = await open(call);
      const isGiven = (await readPageForm(exchange))["action"] !== "take";
      const { giver, headers } = nameGiver(exchange, viewer);
      await db.transaction((tx) => setHeart(tx, opened.target, giver, isGiven));
      return redirect(`${opened.path}${isGiven && !viewer ? "?heart=given" : ""}#heart`, 303, headers);
    },
  }),
];
