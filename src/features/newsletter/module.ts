import type { Module } from "../../module.ts";
import { table } from "../../platform/database/table.ts";
import { fixedSettings } from "../../core/settings/store.ts";
import { issueRoutes } from "./issue-routes.ts";
import { issuesFollowPosts } from "./issues.ts";
import { settleIssueMail } from "./mails.ts";
import { newsletterRoutes } from "./routes.ts";
import { removeUnconfirmed } from "./subscribe.ts";

const hour = 3_600_000;

/** New posts by e-mail. They are sent by `web/site/post-mail`, which knows how the site looks. */
export const newsletterModule: Module = {
  tags: { Newsletter: "New posts by e-mail, for those who subscribe. All but the subscription itself is for admins." },
  tables: [
    table("subscribers", {}, { without: "people who trust this site alone: admins download them as a table" }),
    table("newsletter_posts", {}, { key: ["post_id"], without: "belongs to the subscribers" }),
  ],
  derived: [issuesFollowPosts],
  reactions: { mailSettled: settleIssueMail },
  open({ db, guesses, config }) {
    const fixed = fixedSettings(config);
    return {
      routes: [...newsletterRoutes(db, { guesses, baseURL: config.baseURL, fixed }), ...issueRoutes(db, fixed)],
      jobs: [{ name: "unconfirmed subscribers", everyMs: hour, deletesByAge: true, run: () => removeUnconfirmed(db) }],
    };
  },
};
