import { late } from "../../platform/once.ts";
import type { Module } from "../../module.ts";
import { table } from "../../platform/database/table.ts";
import { fixedSettings } from "../../core/settings/store.ts";
import { issuesFollowPosts } from "./issues.ts";
import { settleIssueMail } from "./mails.ts";
import { removeUnconfirmed } from "./subscribe.ts";

const loadRoutes = late(() => Promise.all([import("./routes.ts"), import("./issue-routes.ts")]));

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
      lateRoutes: {
        names: [
          "GET /api/v1/newsletter",
          "POST /api/v1/newsletter/subscriptions",
          "GET /api/v1/newsletter/subscribers",
          "GET /api/v1/newsletter/subscribers/:id",
          "PUT /api/v1/newsletter/subscribers/:id",
          "DELETE /api/v1/newsletter/subscribers/:id",
          "GET /api/v1/newsletter/export",
          "POST /api/v1/newsletter/import",
          "GET /api/v1/newsletter/posts",
          "GET /api/v1/newsletter/posts/:id",
          "PUT /api/v1/newsletter/posts/:id",
          "DELETE /api/v1/newsletter/posts/:id",
        ],
        async load() {
          const [{ newsletterRoutes }, { issueRoutes }] = await loadRoutes();
          return [...newsletterRoutes(db, { guesses, baseURL: config.baseURL, fixed }), ...issueRoutes(db, fixed)];
        },
      },
      jobs: [{ name: "unconfirmed subscribers", everyMs: hour, deletesByAge: true, run: () => removeUnconfirmed(db) }],
    };
  },
};
