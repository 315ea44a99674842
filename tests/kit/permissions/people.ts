import { client } from "../client.ts";
import { password, person } from "../people.ts";
import type { Row } from "./rows.ts";
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
  {
    route: "POST /redirects",
    expected: admins(201),
    prepare: async () => newRedirect(),
    send: (who, record) => who.post(`${api}/redirects`, record),
  },
  { route: "GET /redirects", expected: admins(), send: (who) => who.get(`${api}/redirects`) },
  { route: "GET /redirects/:id", expected: admins(), prepare: redirect, send: (who, { path }) => who.get(path) },
  {
    route: "PUT /redirects/:id",
    expected: admins(),
    prepare: redirect,
    send: (who, { path }) => who.put(path, { to: "/albums" }),
  },
  {
    route: "POST /redirects/remove",
    expected: admins(),
    prepare: redirect,
    send: (who, { id }) => who.post(`${api}/redirects/remove`, { ids: [id] }),
  },
  {
    route: "DELETE /redirects/:id",
    expected: admins(),
    prepare: redirect,
    send: (who, { path }) => who.delete(path),
  },
  {
    route: "POST /invitations",
    expected: admins(201),
    send: (who) => who.post(`${api}/invitations`, { role: "reader" }),
  },
  { route: "GET /invitations", expected: admins(), send: (who) => who.get(`${api}/invitations`) },
  {
    route: "DELETE /invitations/:id",
    expected: admins(),
    prepare: invitation,
    send: (who, { path }) => who.delete(path),
  },
  {
    route: "DELETE /me/sessions/:id",
    expected: [401, 404, 404, 404, 200, 404],
    prepare: session,
    send: (who, { path }) => who.delete(path),
  },
  { route: "GET /users", expected: admins(), send: (who) => who.get(`${api}/users`) },
  { route: "GET /users/:id", expected: admins(), prepare: somebody, send: (who, { path }) => who.get(path) },
  {
    route: "GET /users/:id of nobody",
    expected: admins(404),
    send: (who) => who.get(`${api}/users/999999`),
  },
  {
    route: "PUT /users/:id",
    expected: admins(),
    prepare: somebody,
    send: (who, { path }) => who.put(path, { role: "admin" }),
  },
  {
    route: "POST /users/:id/password-link",
    expected: admins(201),
    prepare: somebody,
    send: (who, { path }) => who.post(`${path}/password-link`),
  },
  {
    route: "DELETE /users/:id/sessions",
    expected: admins(),
    prepare: somebody,
    send: (who, { path }) => who.delete(`${path}/sessions`),
  },
  {
    route: "DELETE /users/:id/factors",
    expected: admins(),
    prepare: somebody,
    send: (who, { path }) => who.delete(`${path}/factors`),
  },
  {
    route: "DELETE /users/:id",
    expected: admins(),
    prepare: somebody,
    send: (who, { path }) => who.delete(`${path}?records=trash`),
  },
];
