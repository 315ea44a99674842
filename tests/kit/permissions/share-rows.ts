import type { Answer, Client } from "../client.ts";
import { png } from "../files/png.ts";
import { api, fresh, hidden } from "./records.ts";
import { all, type Expected, members, ownerOnly, type Row, row } from "./row.ts";

/** Of what does not exist for anyone but its owner and admins. */
const hiddenRead: Expected = [404, 404, 404, 404, 200, 200];
const hiddenChange: Expected = [401, 404, 404, 404, 200, 200];

export const shareRows: Row[] = [
  row("GET /albums/:id/albums", all(200), fresh.album, (who, { id }) => who.get(`${api}/albums/${id}/albums`)),
  row("GET /files/:id/entries", all(200), fresh.directory, (who, { id }) => who.get(`${api}/files/${id}/entries`)),
  row("POST /shares", ownerOnly(201), fresh.album, (who, { link }) => who.post(`${api}/shares`, link)),
  row("GET /shares", members(200), null, (who) => who.get(`${api}/shares`)),
  row("GET /shares/:id", hiddenChange, fresh.share, (who, { path }) => who.get(path)),
  row("PUT /shares/:id", hiddenChange, fresh.share, (who, { path }) => who.put(path, { allowUpload: false })),
  row("DELETE /shares/:id", hiddenChange, fresh.share, (who, { path }) => who.delete(path)),
  { ...row("GET /shared", all(404), null, (who) => who.get(`${api}/shared`)), link: 200 },
  {
    ...row(
      "POST /shared/uploads",
      all(404),
      async (people) => {
        const share = await fresh.share(people);
        return { ...share, link: { ...share.link, allowUpload: true } };
      },
      (who) => sendPicture(who),
    ),
    link: 201,
  },
  { ...row("POST /shared/uploads to a link without uploads", all(404), null, sendPicture), link: 403 },
  row("GET /shares/:id/uploads", hiddenChange, fresh.share, (who, { path }) => who.get(`${path}/uploads`)),
  row("GET /shares/:id/uploads/:uploadID/content", hiddenChange, fresh.share, (who, { upload }) =>
    who.get(`${upload}/content`),
  ),
  row("POST /shares/:id/uploads/:uploadID/approve", hiddenChange, fresh.share, (who, { upload }) =>
    who.post(`${upload}/approve`, {}),
  ),
  row("DELETE /shares/:id/uploads/:uploadID", hiddenChange, fresh.share, (who, { upload }) => who.delete(upload)),
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
      ...row(
        `GET ${path}${suffix.split("?")[0]} of what is private`,
        hiddenRead,
        prepare,
        (who: Client, one: { id: number }) => who.get(at(suffix, one)),
      ),
      link: 200,
    })),
    row(`PUT ${path} of what is private`, hiddenChange, prepare, (who, one) =>
      who.put(at("", one), { visibility: "private" }),
    ),
    row(`DELETE ${path} of what is private`, hiddenChange, prepare, (who, one) => who.delete(at("", one))),
  ];
});
