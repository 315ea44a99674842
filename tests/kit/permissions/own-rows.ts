import type { Client } from "../client.ts";
import { password, signedIn } from "../people.ts";
import { codeOf } from "../second-factors.ts";
import { api, fresh, type People } from "./records.ts";
import { all, members, type Row } from "./rows.ts";

/** Requests about the caller's own account and records, and those that are open to everybody: none names a record. */
export const ownRows: Row[] = [
  { route: "GET /me", expected: members(200), send: (who) => who.get(`${api}/me`) },
  {
    route: "PUT /me/password with a wrong old one",
    expected: members(400),
    send: (who) => who.put(`${api}/me/password`, { oldPassword: "not the password", newPassword: password }),
  },
  {
    route: "PUT /me/password",
    expected: members(200),
    send: async (who) => (await newUserFor(who)).put(`${api}/me/password`, { oldPassword: password, newPassword }),
  },
  {
    route: "POST /me/removal with a wrong password",
    expected: members(401),
    send: (who) => who.post(`${api}/me/removal`, { password: "not the password" }),
  },
  {
    route: "POST /me/removal",
    expected: members(200),
    send: async (who) => (await newUserFor(who)).post(`${api}/me/removal`, { password }),
  },
  { route: "GET /account/factors", expected: members(200), send: (who) => who.get(`${api}/account/factors`) },
  {
    route: "POST /account/totp",
    expected: members(200),
    send: async (who) => (await newUserFor(who)).post(`${api}/account/totp`, { password }),
  },
  {
    route: "POST /account/totp/confirmation",
    expected: members(200),
    send: async (who) => confirmApp(await newUserFor(who)),
  },
  {
    route: "POST /account/totp/removal",
    expected: members(200),
    send: (who) => useRecoveryCode(who, "totp/removal"),
  },
  {
    route: "POST /account/recovery-codes",
    expected: members(200),
    send: (who) => useRecoveryCode(who, "recovery-codes"),
  },
  {
    route: "POST /signin/factor without a code",
    expected: all(400),
    send: (who) => who.post(`${api}/signin/factor`, { ticket: "none" }),
  },
  {
    route: "POST /session/factor without a code",
    expected: all(400),
    send: (who) => who.post("/session/factor", { ticket: "none" }),
  },
  { route: "GET /me/mail", expected: members(200), send: (who) => who.get(`${api}/me/mail`) },
  // The servers of these tests send no mail.
  {
    route: "PUT /me/mail/address",
    expected: members(409),
    send: (who) => who.put(`${api}/me/mail/address`, { address: "ada@example.org", password }),
  },
  {
    route: "PUT /me/mail/notices",
    expected: members(200),
    send: (who) => who.put(`${api}/me/mail/notices`, { digest: true }),
  },
  {
    route: "POST /address-confirmations",
    expected: all(403),
    send: (who) => who.post(`${api}/address-confirmations`, { token: "none" }),
  },
  {
    route: "POST /password-links",
    expected: all(409),
    send: (who) => who.post(`${api}/password-links`, { username: "owner" }),
  },
  {
    route: "POST /password-resets",
    expected: all(403),
    send: (who) => who.post(`${api}/password-resets`, { token: "none", newPassword }),
  },
  { route: "GET /me/profile", expected: members(200), send: (who) => who.get(`${api}/me/profile`) },
  {
    route: "PUT /me/profile",
    expected: members(200),
    send: (who) => who.put(`${api}/me/profile`, { about: "Somebody" }),
  },
  {
    route: "GET /people/:id",
    expected: all(200),
    prepare: fresh.post,
    send: (who, { ownerID }) => who.get(`${api}/people/${ownerID}`),
  },
  { route: "POST /signout", expected: members(200), send: async (who) => (await inAgain(who)).post("/signout") },
  { route: "DELETE /session", expected: all(200), send: async (who) => (await inAgain(who)).delete("/session") },
  { route: "GET /me/sessions", expected: members(200), send: (who) => who.get(`${api}/me/sessions`) },
  { route: "DELETE /me/sessions", expected: members(200), send: (who) => who.delete(`${api}/me/sessions`) },
  {
    route: "POST /keys",
    expected: members(201),
    send: (who) => who.post(`${api}/keys`, { name: "x", scopes: ["read"] }),
  },
  { route: "GET /keys", expected: members(200), send: (who) => who.get(`${api}/keys`) },
  {
    route: "DELETE /keys/:id of the caller",
    expected: members(200),
    async send(who) {
      const { body } = await who.post(`${api}/keys`, { name: "x", scopes: ["read"] });
      return who.delete(`${api}/keys/${body.id ?? 1}`);
    },
  },
  {
    route: "POST /account/confirmation",
    expected: members(200),
    send: (who) => who.post(`${api}/account/confirmation`, { password }),
  },
  { route: "GET /account/passkeys", expected: members(200), send: (who) => who.get(`${api}/account/passkeys`) },
  {
    route: "POST /account/passkeys/options at an address without HTTPS",
    expected: members(409),
    send: (who) => who.post(`${api}/account/passkeys/options`),
  },
  {
    route: "POST /account/passkeys with a response for nothing, at an address without HTTPS",
    expected: members(409),
    send: (who) => who.post(`${api}/account/passkeys`, { response: newCredential }),
  },
  {
    route: "PUT /account/passkeys/:id of nobody",
    expected: members(404),
    send: (who) => who.put(`${api}/account/passkeys/999999`, { name: "x" }),
  },
  {
    route: "DELETE /account/passkeys/:id of nobody",
    expected: members(404),
    send: (who) => who.delete(`${api}/account/passkeys/999999`),
  },
  ...["/signin/passkey", "/session/passkey"].map((path): Row => ({
    route: `POST ${path} at an address without HTTPS`,
    expected: all(409),
    send: (who) => who.post(path === "/session/passkey" ? path : api + path, { response: assertion }),
  })),
  {
    route: "POST /signin/passkey/options at an address without HTTPS",
    expected: all(409),
    send: (who) => who.post(`${api}/signin/passkey/options`, {}),
  },
  { route: "POST /me/archive", expected: members(201), send: async (who) => askFresh(who) },
  {
    route: "GET /me/archive",
    expected: members(200),
    send: async (who) => (await askFresh(who), who.get(`${api}/me/archive`)),
  },
  {
    route: "GET /me/archive/content before it is made",
    expected: members(404),
    send: (who) => who.get(`${api}/me/archive/content`),
  },
  {
    route: "DELETE /me/archive",
    expected: members(200),
    send: async (who) => (await askFresh(who), who.delete(`${api}/me/archive`)),
  },
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
  { route: "GET /storage", expected: members(200), send: (who) => who.get(`${api}/storage`) },
  { route: "GET /search", expected: all(200), send: (who) => who.get(`${api}/search?q=photo`) },
  { route: "GET /events", expected: all(200), send: (who) => who.get(`${api}/events`) },
  ...["/livez", "/readyz", "/openapi.json", "/docs"].map((path): Row => ({
    route: `GET ${path}`,
    expected: all(200),
    send: (who) => who.get(path),
  })),
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
