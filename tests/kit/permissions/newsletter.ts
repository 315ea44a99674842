import { type Row, row } from "./row.ts";
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
  row("GET /newsletter", admins(), null, (who) => who.get(path)),
  row("POST /newsletter/subscriptions", [403, 403, 403, 403, 403, 403], null, (who) =>
    who.post(`${path}/subscriptions`, { email: "ada@example.org" }),
  ),
  row("GET /newsletter/subscribers", admins(), null, (who) => who.get(`${path}/subscribers`)),
  row("GET /newsletter/subscribers/:id", admins(), subscriber, (who, one) => who.get(one.path)),
  row("PUT /newsletter/subscribers/:id", admins(), subscriber, (who, one) =>
    who.put(one.path, { state: "unsubscribed" }),
  ),
  row("DELETE /newsletter/subscribers/:id", admins(), subscriber, (who, one) => who.delete(one.path)),
  row("GET /newsletter/export", admins(), null, (who) => who.get(`${path}/export`)),
  row("POST /newsletter/import", admins(), null, (who) => importOne(who, `${crypto.randomUUID()}@example.org`)),
  row("GET /newsletter/posts", admins(), null, (who) => who.get(`${path}/posts`)),
  row("GET /newsletter/posts/:id", admins(), sentPost, (who, one) => who.get(one.path)),
  row("PUT /newsletter/posts/:id", admins(403), sentPost, (who, one) => who.put(one.path)),
  row("DELETE /newsletter/posts/:id", admins(), sentPost, (who, one) => who.delete(one.path)),
];
