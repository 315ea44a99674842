import { client } from "../client.ts";
import { password, person } from "../people.ts";
import { type Row, row } from "./row.ts";
import { api, made, type People } from "./records.ts";

const admins = (status = 200): Row["expected"] => [401, 403, 403, 403, 403, status];

/** Another session of the owner. */
async function session({ owner }: People) {
  await client({ url: owner.url("") }).post("/signin", { username: "owner", password });
  const { body } = await owner.get(`${api}/me/sessions`);
  return { path: `${api}/me/sessions/${body[1].id}` };
}

async function somebody({ owner }: People) {
  const { userID } = await person({ url: owner.url("") }, `p${crypto.randomUUID()}`);
  const path = `${api}/users/${userID}`;
  return { path, watch: [path] };
}

async function invitation({ admin }: People) {
  const { id } = await made(admin, "/invitations", { role: "reader" });
  return { path: `${api}/invitations/${id}`, watch: [`${api}/invitations`] };
}

const newRedirect = () => ({ from: `/old/${crypto.randomUUID()}`, to: "/blog" });

async function redirect({ admin }: People) {
  const { id } = await made(admin, "/redirects", newRedirect());
  return { id, path: `${api}/redirects/${id}`, watch: [`${api}/redirects?cursor=`] };
}

export const peopleRows: Row[] = [
  row(
    "POST /redirects",
    admins(201),
    async () => newRedirect(),
    (who, record) => who.post(`${api}/redirects`, record),
  ),
  row("GET /redirects", admins(), null, (who) => who.get(`${api}/redirects`)),
  row("GET /redirects/:id", admins(), redirect, (who, { path }) => who.get(path)),
  row("PUT /redirects/:id", admins(), redirect, (who, { path }) => who.put(path, { to: "/albums" })),
  row("POST /redirects/remove", admins(), redirect, (who, { id }) =>
    who.post(`${api}/redirects/remove`, { ids: [id] }),
  ),
  row("DELETE /redirects/:id", admins(), redirect, (who, { path }) => who.delete(path)),
  row("POST /invitations", admins(201), null, (who) => who.post(`${api}/invitations`, { role: "reader" })),
  row("GET /invitations", admins(), null, (who) => who.get(`${api}/invitations`)),
  row("DELETE /invitations/:id", admins(), invitation, (who, { path }) => who.delete(path)),
  row("DELETE /me/sessions/:id", [401, 404, 404, 404, 200, 404], session, (who, { path }) => who.delete(path)),
  row("GET /users", admins(), null, (who) => who.get(`${api}/users`)),
  row("GET /users/:id", admins(), somebody, (who, { path }) => who.get(path)),
  row("GET /users/:id of nobody", admins(404), null, (who) => who.get(`${api}/users/999999`)),
  row("PUT /users/:id", admins(), somebody, (who, { path }) => who.put(path, { role: "admin" })),
  row("POST /users/:id/password-link", admins(201), somebody, (who, { path }) => who.post(`${path}/password-link`)),
  row("DELETE /users/:id/sessions", admins(), somebody, (who, { path }) => who.delete(`${path}/sessions`)),
  row("DELETE /users/:id/factors", admins(), somebody, (who, { path }) => who.delete(`${path}/factors`)),
  row("DELETE /users/:id", admins(), somebody, (who, { path }) => who.delete(`${path}?records=trash`)),
];
