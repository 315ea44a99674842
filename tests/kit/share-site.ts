import { expect } from "bun:test";
import { png } from "./files/png.ts";
import { useServer } from "./use-server.ts";

const api = "/api/v1";

/** A server, its people, and what is shared in tests: private photos and albums of `owner`, and links to them. */
export function useShareSite() {
  const server = useServer();
  const { guest, owner, stranger } = server.people();
  let pictures = 0;
  return { server, guest, owner, stranger, create, share, createPhoto, createAlbum, attach };

  async function create(path: string, body: object, who = owner) {
    const { status, body: record } = await who.post(api + path, body);
    expect([status, record.error]).toEqual([201, undefined]);
    return record;
  }

  async function share(
    kind: string,
    id: number,
    more: object = {},
  ): Promise<{ id: number; token: string; at: string }> {
    const link = await create("/shares", { kind, id, ...more });
    return { ...link, at: `/s/${link.token}` };
  }

  async function createPhoto(title: string, more: { visibility?: string } & Record<string, unknown> = {}, who = owner) {
    const visibility = more.visibility ?? "private";
    const { body } = await who.upload(`original of ${title}.png`, png(400, 300 + pictures++), {
      path: `/${who.userID}`,
      visibility,
    });
    return create("/photos", { title, fileID: body.id, visibility: "private", ...more }, who);
  }

  function createAlbum(name: string, more: object = {}) {
    return create("/albums", { name, visibility: "private", ...more });
  }

  function attach(albumID: number, photoID: number) {
    return owner.post(`${api}/albums/${albumID}/photos`, { photoID });
  }
}

/** The addresses of all links, pictures and forms in a page. */
export const addressesIn = (body: string): string[] =>
  [...body.matchAll(/(?:href|src|action|data-video)="([^"]+)"/g)]
    .map((match) => match[1] as string)
    .concat(
      [...body.matchAll(/srcset="([^"]+)"/g)].flatMap((match) =>
        (match[1] as string).split(", ").map((one) => one.split(" ")[0] as string),
      ),
    )
    .map((address) => address.replaceAll("&amp;", "&"));
