import type { Row } from "./rows.ts";
import { api, fresh, type People } from "./records.ts";

const admins = (status = 200): Row["expected"] => [401, 403, 403, 403, 403, status];
const path = `${api}/newsletter`;
const importOne = (who: People["admin"], email: string) =>
  who.request("POST", `${path}/import`, {
    body: `email\n${email}`,
    headers: { "Content-Type": "application/octet-stream" },
  });

export async function createSubscriber(admin: People["admin"]): Promise<number> {
  const email = `${crypto.randomUUID()}@example.org`;
  await importOne(admin, email);
  return (await admin.get(`${path}/subscribers?q=${email}`)).body[0].id;
}

async function subscriber({ admin }: People) {
  const id = await createSubscriber(admin);
  return { id, path: `${path}/subscribers/${id}`, watch: [`${path}/subscribers/${id}`] };
}

async function sentPost(people: People) {
  const { id } = await fresh.post(people);
  return { id, path: `${path}/posts/${id}`, watch: [`${path}/posts/${id}`] };
}

/** Who subscribes is known to admins alone. The servers of these tests send no mail, so that nobody can subscribe or send. */
export const newsletterRows: Row[] = [
  { route: "GET /newsletter", expected: admins(), send: (who) => who.get(path) },
  {
    route: "POST /newsletter/subscriptions",
    expected: [403, 403, 403, 403, 403, 403],
    send: (who) => who.post(`${path}/subscriptions`, { email: "ada@example.org" }),
  },
  { route: "GET /newsletter/subscribers", expected: admins(), send: (who) => who.get(`${path}/subscribers`) },
  {
    route: "GET /newsletter/subscribers/:id",
    expected: admins(),
    prepare: subscriber,
    send: (who, one) => who.get(one.path),
  },
  {
    route: "PUT /newsletter/subscribers/:id",
    expected: admins(),
    prepare: subscriber,
    send: (who, one) => who.put(one.path, { state: "unsubscribed" }),
  },
  {
    route: "DELETE /newsletter/subscribers/:id",
    expected: admins(),
    prepare: subscriber,
    send: (who, one) => who.delete(one.path),
  },
  { route: "GET /newsletter/export", expected: admins(), send: (who) => who.get(`${path}/export`) },
  {
    route: "POST /newsletter/import",
    expected: admins(),
    send: (who) => importOne(who, `${crypto.randomUUID()}@example.org`),
  },
  { route: "GET /newsletter/posts", expected: admins(), send: (who) => who.get(`${path}/posts`) },
  {
    route: "GET /newsletter/posts/:id",
    expected: admins(),
    prepare: sentPost,
    send: (who, one) => who.get(one.path),
  },
  {
    route: "PUT /newsletter/posts/:id",
    expected: admins(403),
    prepare: sentPost,
    send: (who, one) => who.put(one.path),
  },
  {
    route: "DELETE /newsletter/posts/:id",
    expected: admins(),
    prepare: sentPost,
    send: (who, one) => who.delete(one.path),
  },
];
