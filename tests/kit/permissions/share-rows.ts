import type { Answer, Client } from "../client.ts";
import { png } from "../files/png.ts";
import { api, fresh, hidden } from "./records.ts";
import { all, type Expected, members, ownerOnly, type Row } from "./rows.ts";

/** Of what does not exist for anyone but its owner and admins. */
const hiddenRead: Expected = [404, 404, 404, 404, 200, 200];
const hiddenChange: Expected = [401, 404, 404, 404, 200, 200];

export const shareRows: Row[] = [
  {
    route: "GET /albums/:id/albums",
    expected: all(200),
    prepare: fresh.album,
    send: (who, { id }) => who.get(`${api}/albums/${id}/albums`),
  },
  {
    route: "GET /files/:id/entries",
    expected: all(200),
    prepare: fresh.directory,
    send: (who, { id }) => who.get(`${api}/files/${id}/entries`),
  },
  {
    route: "POST /shares",
    expected: ownerOnly(201),
    prepare: fresh.album,
    send: (who, { link }) => who.post(`${api}/shares`, link),
  },
  { route: "GET /shares", expected: members(200), send: (who) => who.get(`${api}/shares`) },
  {
    route: "GET /shares/:id",
    expected: hiddenChange,
    prepare: fresh.share,
    send: (who, { path }) => who.get(path),
  },
  {
    route: "PUT /shares/:id",
    expected: hiddenChange,
    prepare: fresh.share,
    send: (who, { path }) => who.put(path, { allowUpload: false }),
  },
  {
    route: "DELETE /shares/:id",
    expected: hiddenChange,
    prepare: fresh.share,
    send: (who, { path }) => who.delete(path),
  },
  { route: "GET /shared", expected: all(404), link: 200, send: (who) => who.get(`${api}/shared`) },
  {
    route: "POST /shared/uploads",
    expected: all(404),
    link: 201,
    prepare: async (people) => {
      const share = await fresh.share(people);
      return { ...share, link: { ...share.link, allowUpload: true } };
    },
    send: (who) => sendPicture(who),
  },
  { route: "POST /shared/uploads to a link without uploads", expected: all(404), link: 403, send: sendPicture },
  {
    route: "GET /shares/:id/uploads",
    expected: hiddenChange,
    prepare: fresh.share,
    send: (who, { path }) => who.get(`${path}/uploads`),
  },
  {
    route: "GET /shares/:id/uploads/:uploadID/content",
    expected: hiddenChange,
    prepare: fresh.share,
    send: (who, { upload }) => who.get(`${upload}/content`),
  },
  {
    route: "POST /shares/:id/uploads/:uploadID/approve",
    expected: hiddenChange,
    prepare: fresh.share,
    send: (who, { upload }) => who.post(`${upload}/approve`, {}),
  },
  {
    route: "DELETE /shares/:id/uploads/:uploadID",
    expected: hiddenChange,
    prepare: fresh.share,
    send: (who, { upload }) => who.delete(upload),
  },
];

function sendPicture(who: Client): Promise<Answer> {
  const form = new FormData();
  form.set("file", new File([png(2, 2)], "sent.png"));
  return who.request("POST", `${api}/shared/uploads`, { body: form });
}

/** Requests that read a private record, or change it. */
export const hiddenRows: Row[] = (
  [
    ["/photos/:id", fresh.photo, ["", "/image?w=320"]],
    ["/blog/:id", fresh.post, [""]],
    ["/albums/:id", fresh.album, ["", "/zip"]],
    ["/files/:id", fresh.file, ["", "/content"]],
    ["/files/:id", fresh.directory, ["/entries", "/zip"]],
  ] as const
).flatMap(([path, record, suffixes]): Row[] => {
  const kind = path.replace("/:id", "");
  const prepare = hidden(record, kind);
  const at = (suffix: string, { id }: { id: number }) => `${api}${kind}/${id}${suffix}`;
  return [
    ...suffixes.map((suffix) => ({
      route: `GET ${path}${suffix.split("?")[0]} of what is private`,
      expected: hiddenRead,
      link: 200,
      prepare,
      send: (who: Client, one: { id: number }) => who.get(at(suffix, one)),
    })),
    {
      route: `PUT ${path} of what is private`,
      expected: hiddenChange,
      prepare,
      send: (who, one) => who.put(at("", one), { visibility: "private" }),
    },
    {
      route: `DELETE ${path} of what is private`,
      expected: hiddenChange,
      prepare,
      send: (who, one) => who.delete(at("", one)),
    },
  ];
});
