import { sql } from "../../src/platform/database/sql.ts";
import { stepAt, totpCode } from "../../src/platform/auth/totp.ts";
import type { Client } from "./client.ts";
import { password } from "./people.ts";
import { type TestServer, withDatabase } from "./server.ts";

/** What the authenticator app of a person shows now. */
export const codeOf = (secret: string): string => totpCode(secret, stepAt(Date.now()));

/** Sets up an authenticator app. */
export async function addApp(who: Client): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { body: begun } = await who.post("/api/v1/account/totp", { password });
  const { body } = await who.post("/api/v1/account/totp/confirmation", { code: codeOf(begun.secret) });
  return { secret: begun.secret, recoveryCodes: body.recoveryCodes };
}

/** As if a while had passed: the code that an app shows now was not used yet. */
export const waitForNextCode = (server: TestServer): Promise<unknown> =>
  withDatabase(server, (db) => db.transaction((tx) => tx.run(sql`UPDATE totp_secrets SET last_step = 0`)));
