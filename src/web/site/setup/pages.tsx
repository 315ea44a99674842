/** @jsxImportSource hono/jsx */
import { z } from "zod";
import { forbidden } from "../../../platform/errors.ts";
import type { Database } from "../../../platform/database/database.ts";
import { readPageForm } from "../../../platform/http/page-form.ts";
import { line } from "../../../platform/http/validate.ts";
import type { SettingsChanges } from "../../../core/settings/settings.ts";
import { changeSettings, type FixedSettings, lockSettings } from "../../../core/settings/store.ts";
import { addFirstAdmin, isSetupKey, removeKeyFile } from "../../../core/users/first-admin.ts";
import type { SignIn } from "../../../core/users/sign-in.ts";
import { hasAdmin } from "../../../core/users/store.ts";
import { findMistake, type Mistake, toMistake } from "../accounts/mistake.ts";
import { openSession } from "../accounts/session.ts";
import { isView, page, type Page, redirect, type Visit } from "../page.ts";
import { accountTexts } from "../texts/accounts.ts";
import { setupTexts } from "../texts/setup.ts";
import type { Samples } from "./samples/samples.ts";
import { SamplesNotice, type SetupForm, setupView, usedView, waitingView } from "./views.tsx";

type Deps = { db: Database; fixed: FixedSettings; signIn: SignIn; samples: Samples; dataDir: string };

const siteNameSchema = line(100);

/** The pages by which a new site gets its name and its first admin. */
export function setupPages({ db, fixed, signIn, samples, dataDir }: Deps): Page[] {
  const isRoleFixed = fixed.signupRole !== undefined;
  return [
    page({
      path: "/setup",
      query: z.object({ key: z.string().optional() }),
      async handle({ query: { key }, ...visit }) {
        if (key === undefined && !(await hasAdmin(db))) return waitingView(visit);
        if (!(await isSetupKey(db, key))) return usedView(visit);
        return setupView(visit, readSetupForm({ key: key ?? "", content: "samples" }), { isRoleFixed });
      },
    }),

    page({
      path: "/setup",
      method: "POST",
      async handle(visit) {
        const { language, exchange } = visit;
        const fields = await readPageForm(exchange);
        const form = readSetupForm(fields);
        const credentials = { username: form.username, password: fields.password ?? "" };
        const showAgain = (mistake: Mistake) => setupView(visit, form, { isRoleFixed, mistake });
        if (!(await isSetupKey(db, form.key))) return usedView(visit);
        const mistake = checkSiteName(form, visit) ?? findMistake(credentials, accountTexts[language], true);
        if (mistake) return showAgain(mistake);
        try {
          const admin = await addFirstAdmin(
            db,
            form.key,
            { ...credentials, siteName: form.siteName },
            async (tx, user) => {
              await lockSettings(tx, fixed);
              await changeSettings(tx, fixed, toSettings(form, visit));
              if (form.content === "samples") await samples.request(tx, user, language);
            },
          );
          if (!admin) return usedView(visit);
        } catch (error) {
          return showAgain(toMistake(error, accountTexts[language]));
        }
        removeKeyFile(dataDir);
        samples.start();
        const { headers } = await openSession(signIn, exchange, credentials);
        return redirect("/studio/", 303, headers);
      },
    }),

    page({
      path: "/setup/samples/remove",
      method: "POST",
      async handle({ viewer, exchange }) {
        await readPageForm(exchange);
        if (viewer?.role !== "admin") throw forbidden("Only an admin can remove the samples.");
        await samples.remove(viewer.id);
        return redirect("/");
      },
    }),
  ];

  function toSettings({ siteName, signupRole, defaultVisibility }: SetupForm, { language }: Visit): SettingsChanges {
    return { siteName: siteName.trim(), language, defaultVisibility, ...(isRoleFixed ? {} : { signupRole }) };
  }
}

/** What the form has sent, with the usual choice for what it has not. */
function readSetupForm(fields: Record<string, string>): SetupForm {
  const { key = "", siteName = "", username = "", signupRole, defaultVisibility, content } = fields;
  return {
    key,
    siteName,
    username: username.trim(),
    signupRole: signupRole === "author" || signupRole === "reader" ? signupRole : "closed",
    // What was made public by mistake cannot be taken back from those who have seen it.
    defaultVisibility: defaultVisibility === "public" ? "public" : "private",
    content: content === "samples" ? "samples" : "empty",
  };
}

function checkSiteName({ siteName }: SetupForm, { language }: Visit): Mistake | null {
  if (siteNameSchema.safeParse(siteName).success) return null;
  return { field: "siteName", text: setupTexts[language].wrongSiteName, status: 400 };
}

/** The front page: while there is no admin, a word about that; and for admins, a notice above it while there are samples. */
export function withSetup(db: Database, samples: Samples, front: Page): Page {
  let isSetUp = false;
  return {
    ...front,
    async handle(call) {
      isSetUp ||= await hasAdmin(db);
      if (!isSetUp) return waitingView(call);
      const view = await front.handle(call);
      const state = call.viewer?.role === "admin" && isView(view) ? await samples.read() : null;
      if (!state || !isView(view)) return view;
      const { isDone } = state;
      const body = (
        <>
          <SamplesNotice language={call.language} isDone={isDone} />
          {view.body}
        </>
      );
      const refresh = isDone ? null : <meta http-equiv="refresh" content="3" />;
      const head = (
        <>
          {view.head}
          {refresh}
        </>
      );
      return { ...view, body, head };
    },
  };
}
