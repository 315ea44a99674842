import type { Client } from "../client.ts";
import { password, signedIn } from "../people.ts";
import { codeOf } from "../second-factors.ts";
import { api, fresh, type People } from "./records.ts";
import { all, members, type Row, row } from "./row.ts";

/** Requests about the caller's own account and records, and those that are open to everybody: none names a record. */
export const ownRows: Row[] = [
  row("GET /me", members(200), null, (who) => who.get(`${api}/me`)),
  row("PUT /me/password with a wrong old one", members(400), null, (who) =>
    who.put(`${api}/me/password`, { oldPassword: "not the password", newPassword: password }),
  ),
  row("PUT /me/password", members(200), null, async (who) =>
    (await newUserFor(who)).put(`${api}/me/password`, { oldPassword: password, newPassword }),
  ),
  row("POST /me/removal with a wrong password", members(401), null, (who) =>
    who.post(`${api}/me/removal`, { password: "not the password" }),
  ),
  row("POST /me/removal", members(200), null, async (who) =>
    (await newUserFor(who)).post(`${api}/me/removal`, { password }),
  ),
  row("GET /account/factors", members(200), null, (who) => who.get(`${api}/account/factors`)),
  row("POST /account/totp", members(200), null, async (who) =>
    (await newUserFor(who)).post(`${api}/account/totp`, { password }),
  ),
  row("POST /account/totp/confirmation", members(200), null, async (who) => confirmApp(await newUserFor(who))),
  row("POST /account/totp/removal", members(200), null, (who) => useRecoveryCode(who, "totp/removal")),
  row("POST /account/recovery-codes", members(200), null, (who) => useRecoveryCode(who, "recovery-codes")),
  row("POST /signin/factor without a code", all(400), null, (who) =>
    who.post(`${api}/signin/factor`, { ticket: "none" }),
  ),
  row("POST /session/factor without a code", all(400), null, (who) => who.post("/session/factor", { ticket: "none" })),
  row("GET /me/mail", members(200), null, (who) => who.get(`${api}/me/mail`)),
  // The servers of these tests send no mail.
  row("PUT /me/mail/address", members(409), null, (who) =>
    who.put(`${api}/me/mail/address`, { address: "ada@example.org", password }),
  ),
  row("PUT /me/mail/notices", members(200), null, (who) => who.put(`${api}/me/mail/notices`, { digest: true })),
  row("POST /address-confirmations", all(403), null, (who) =>
    who.post(`${api}/address-confirmations`, { token: "none" }),
  ),
  row("POST /password-links", all(409), null, (who) => who.post(`${api}/password-links`, { username: "owner" })),
  row("POST /password-resets", all(403), null, (who) =>
    who.post(`${api}/password-resets`, { token: "none", newPassword }),
  ),
  row("GET /me/profile", members(200), null, (who) => who.get(`${api}/me/profile`)),
  row("PUT /me/profile", members(200), null, (who) => who.put(`${api}/me/profile`, { about: "Somebody" })),
  row("GET /people/:id", all(200), fresh.post, (who, { ownerID }) => who.get(`${api}/people/${ownerID}`)),
  row("POST /signout", members(200), null, async (who) => (await inAgain(who)).post("/signout")),
  row("DELETE /session", all(200), null, async (who) => (await inAgain(who)).delete("/session")),
  row("GET /me/sessions", members(200), null, (who) => who.get(`${api}/me/sessions`)),
  row("DELETE /me/sessions", members(200), null, (who) => who.delete(`${api}/me/sessions`)),
  row("POST /keys", members(201), null, (who) => who.post(`${api}/keys`, { name: "x", scopes: ["read"] })),
  row("GET /keys", members(200), null, (who) => who.get(`${api}/keys`)),
  {
    route: "DELETE /keys/:id of the caller",
    expected: members(200),
    async send(who) {
      const { body } = await who.post(`${api}/keys`, { name: "x", scopes: ["read"] });
      return who.delete(`${api}/keys/${body.id ?? 1}`);
    },
  },
  row("POST /account/confirmation", members(200), null, (who) => who.post(`${api}/account/confirmation`, { password })),
  row("GET /account/passkeys", members(200), null, (who) => who.get(`${api}/account/passkeys`)),
  row("POST /account/passkeys/options at an address without HTTPS", members(409), null, (who) =>
    who.post(`${api}/account/passkeys/options`),
  ),
  row("POST /account/passkeys with a response for nothing, at an address without HTTPS", members(409), null, (who) =>
    who.post(`${api}/account/passkeys`, { response: newCredential }),
  ),
  row("PUT /account/passkeys/:id of nobody", members(404), null, (who) =>
    who.put(`${api}/account/passkeys/999999`, { name: "x" }),
  ),
  row("DELETE /account/passkeys/:id of nobody", members(404), null, (who) =>
    who.delete(`${api}/account/passkeys/999999`),
  ),
  ...["/signin/passkey", "/session/passkey"].map((path): Row =>
    row(`POST ${path} at an address without HTTPS`, all(409), null, (who) =>
      who.post(path === "/session/passkey" ? path : api + path, { response: assertion }),
    ),
  ),
  row("POST /signin/passkey/options at an address without HTTPS", all(409), null, (who) =>
    who.post(`${api}/signin/passkey/options`, {}),
  ),
  row("POST /me/archive", members(201), null, async (who) => askFresh(who)),
  row("GET /me/archive", members(200), null, async (who) => (await askFresh(who), who.get(`${api}/me/archive`))),
  row("GET /me/archive/content before it is made", members(404), null, (who) => who.get(`${api}/me/archive/content`)),
  row("DELETE /me/archive", members(200), null, async (who) => (await askFresh(who), who.delete(`${api}/me/archive`))),
  {
    route: "DELETE /trash, which leaves the owner's to the owner",
    expected: members(200),
    prepare: deletedPost,
    async send(who, { trashID, people }) {
      const answer = await who.delete(`${api}/trash`);
      const left = (await people.owner.get(`${api}/trash`)).body.map(({ id }: { id: number }) => id);
      const isLeft = left.includes(trashID);
      return isLeft === (who !== people.owner) ? answer : { ...answer, status: 0 };
    },
  },
  row("GET /storage", members(200), null, (who) => who.get(`${api}/storage`)),
  row("GET /search", all(200), null, (who) => who.get(`${api}/search?q=photo`)),
  row("GET /events", all(200), null, (who) => who.get(`${api}/events`)),
  ...["/livez", "/readyz", "/openapi.json", "/docs"].map((path): Row =>
    row(`GET ${path}`, all(200), null, (who) => who.get(path)),
  ),
];

const credential = { id: "AQID", rawId: "AQID", type: "public-key" };
const newCredential = { ...credential, response: { clientDataJSON: "e30", attestationObject: "oA" } };
const assertion = {
  ...credential,
  response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA", userHandle: "AA" },
};

/** A new archive of the caller's data, whether or not there was one. */
async function askFresh(who: Client) {
  await who.delete(`${api}/me/archive`);
  return who.post(`${api}/me/archive`);
}

const newPassword = `another ${password}`;

/** Another session of the same user, which the request may end. */
async function inAgain(who: Client): Promise<Client> {
  if (!who.token) return who;
  const { body } = await who.get(`${api}/me`);
  return signedIn({ url: who.url("") }, body.username);
}

/** A new user whose password may change; a guest stays a guest. */
async function newUserFor(who: Client): Promise<Client> {
  if (!who.token) return who;
  const { name } = await fresh.unusedName();
  await who.post("/signup", { username: name, password });
  return signedIn({ url: who.url("") }, name);
}

async function confirmApp(who: Client) {
  const { body } = await who.post(`${api}/account/totp`, { password });
  const code = who.token ? codeOf(body.secret) : "";
  return who.post(`${api}/account/totp/confirmation`, { code });
}

/** Does something for which a new user needs a code. */
async function useRecoveryCode(who: Client, path: string) {
  const user = await newUserFor(who);
  const { body } = await confirmApp(user);
  return user.post(`${api}/account/${path}`, { password, code: body.recoveryCodes?.[0] ?? "" });
}

async function deletedPost(people: People) {
  const post = await fresh.post(people);
  await people.owner.delete(`${api}/blog/${post.id}`);
  const entries = (await people.owner.get(`${api}/trash`)).body as { id: number; kind: string; recordID: number }[];
  const entry = entries.find(({ kind, recordID }) => kind === "post" && recordID === post.id);
  return { trashID: entry?.id, people };
}
