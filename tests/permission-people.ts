import { client, password } from "./kit.ts";
import type { Row } from "./permission-rows.ts";
import { api, type People } from "./permission-records.ts";

/** Another session of the owner. */
async function session({ owner }: People) {
  await client({ url: owner.url("") }).post("/signin", { username: "owner", password });
  const { body } = await owner.get(`${api}/me/sessions`);
  return { path: `${api}/me/sessions/${body[1].id}` };
}

export const peopleRows: Row[] = [
  {
    route: "DELETE /me/sessions/:id",
    expected: [401, 404, 404, 404, 200, 404],
    prepare: session,
    send: (who, { path }) => who.delete(path),
  },
];
