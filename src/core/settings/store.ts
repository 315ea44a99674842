import { invalid } from "../../platform/errors.ts";
import type { Queries, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { sectionNames } from "./menu.ts";
import {
  defaults,
  type PasswordRule,
  type SettingName,
  type Settings,
  type SettingsChanges,
  type SignupRole,
  themeNames,
} from "./settings.ts";

/** The settings that come from environment variables, which win over what is stored. */
export type FixedSettings = Partial<Settings>;

export const fixedSettings = ({ signupRole, passwordRule, mail }: FixedBy): FixedSettings => ({
  ...(signupRole ? { signupRole } : {}),
  ...(passwordRule ? { passwordRule } : {}),
  // Without a mail server there is none, whatever is stored.
  ...(mail ? {} : { newsletter: false }),
});

type FixedBy = { signupRole: SignupRole | null; passwordRule?: PasswordRule | null; mail?: object | null };

const variables: { [Name in SettingName]?: string } = { signupRole: "SIGNUP_ROLE", passwordRule: "PASSWORD_RULE" };

/** Those that a variable has set. */
export const namesFromEnvironment = (fixed: FixedSettings): SettingName[] =>
  (Object.keys(fixed) as SettingName[]).filter((name) => name in variables);

/** SQL for whether the files of photos are private, whoever sees the photos: 1 or 0. */
export const originalIsPrivate = sql`(
  SELECT count(*) FROM site_settings WHERE name = 'originalVisibility' AND value = '"private"')`;

export async function keepsOriginalsPrivate(db: Reader): Promise<boolean> {
  return (await db.get<{ kept: number }>(sql`SELECT ${originalIsPrivate} AS kept`))?.kept === 1;
}

/** SQL for whether first comments wait for approval: 1 or 0. */
export const firstCommentsWait = sql`(
  SELECT count(*) FROM site_settings WHERE name = 'approveFirstComments' AND value = 'true')`;

/** SQL for whether photos and albums have comments: 1 or 0. */
export const photosHaveComments = sql`(
  SELECT count(*) FROM site_settings WHERE name = 'photoComments' AND value = 'true')`;

/** SQL for whether hearts can be given: 1 or 0. */
export const heartsAreOn = sql`(SELECT count(*) FROM site_settings WHERE name = 'hearts' AND value = 'true')`;

/** Whether other sites can tell of pages that link here. */
export async function takesMentions(db: Reader): Promise<boolean> {
  const on = sql`SELECT name FROM site_settings WHERE name = 'webmentions' AND value = 'true'`;
  return (await db.get(on)) !== null;
}

export async function readSettings(db: Reader, fixed: FixedSettings): Promise<Settings> {
  const rows = await db.all<{ name: string; value: string }>(sql`SELECT name, value FROM site_settings`);
  const known = rows.filter(({ name }) => name in defaults);
  const stored = Object.fromEntries(known.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
  const settings: Settings = { ...defaults, ...stored, ...fixed };
  // A later version may have further sections.
  settings.menu = settings.menu.filter(
    ({ kind, section }) => kind !== "section" || sectionNames.includes(section ?? "api"),
  );
  // An earlier or a later version may have had a theme that this one does not have.
  if (!themeNames.includes(settings.theme)) settings.theme = defaults.theme;
  return settings;
}

export async function readSignupRole(db: Reader, fixed: FixedSettings): Promise<SignupRole> {
  return fixed.signupRole ?? (await readSettings(db, fixed)).signupRole;
}

/** With the first admin, passwords have to be strong from now on. A rule that an admin has chosen stays. */
export async function settlePasswordRule(tx: Queries): Promise<void> {
  await tx.run(sql`
    INSERT INTO site_settings (name, value)
    SELECT 'passwordRule', '"strong"' WHERE EXISTS (SELECT 1 FROM users WHERE role = 'admin')
    ON CONFLICT (name) DO NOTHING`);
}

/** Other changes of settings wait until the transaction ends. */
export async function lockSettings(tx: Queries, fixed: FixedSettings): Promise<Settings> {
  await tx.lock("site settings");
  return readSettings(tx, fixed);
}

export async function changeSettings(tx: Queries, fixed: FixedSettings, changed: SettingsChanges): Promise<Settings> {
  refuseFixed(fixed, changed);
  for (const [name, value] of Object.entries(changed)) {
    await tx.run(sql`
      INSERT INTO site_settings (name, value) VALUES (${name}, ${JSON.stringify(value)})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  }
  return readSettings(tx, fixed);
}

function refuseFixed(fixed: FixedSettings, changed: SettingsChanges): void {
  for (const name of Object.keys(fixed) as SettingName[]) {
    if (changed[name] === undefined || changed[name] === fixed[name]) continue;
    if (name === "newsletter") throw invalid('"newsletter" needs a mail server: set SMTP_URL first.', name);
    throw invalid(`"${name}" is set by the environment variable ${variables[name]}: change it there.`, name);
  }
}
