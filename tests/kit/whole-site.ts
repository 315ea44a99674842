import { type Answer, type Client, client } from "./client.ts";
import { png } from "./files/png.ts";
import { addMembers } from "./people.ts";
import type { TestServer } from "./server.ts";
import { bytesOf, plain, secretExif, withExif } from "./files/pictures.ts";
import { readVideoFile } from "./files/videos.ts";

const api = "/api/v1";

const done = async (answer: Promise<Answer>): Promise<any> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};

/** The people of `fillSite`, by their names. */
export const siteRoles = { chief: "admin", ada: "author", grace: "author", rita: "reader" } as const;

/** A small site with every feature: two authors, a reader and guests who use all of it. Returns a link that is shared. */
export async function fillSite(server: TestServer): Promise<{ link: string }> {
  const people = Object.entries(siteRoles).map(([username, role]) => ({ username, role }));
  const [chief, ada, grace, rita] = (await addMembers(server, people)) as [Client, Client, Client, Client];
  const guest = client(server);
  await done(
    chief.put(`${api}/settings`, {
      siteName: "Harbour & Sea",
      tagline: "Boats",
      hearts: true,
      photoComments: true,
      approveFirstComments: true,
      customCSS: "body { color: #222 }",
    }),
  );

  const jpeg = withExif(await bytesOf(plain(90, 60, "#246").jpeg()), secretExif());
  const upload = (who: Client, name: string, bytes: Bun.BlobPart, fields: Record<string, string> = {}) =>
    done(who.upload(name, bytes, fields));
  const photo = async (who: Client, name: string, bytes: Bun.BlobPart, more: object = {}, path = "/2026/Lisboa") => {
    const file = await upload(who, name, bytes, { path });
    return done(who.post(`${api}/photos`, { title: name.replace(/\.\w+$/, ""), fileID: file.id, ...more }));
  };
  const first = await photo(ada, "ferry: 9?.jpg", jpeg, {
    title: "Ferry <& tide>",
    description: "The last one.\n\nOf the day.",
    altText: "A ferry",
    tags: ["Sea", "Été"],
    isFavourite: true,
    showLocation: true,
  });
  const corrected = await photo(ada, "IMG_2198.png", png(8, 6), {
    takenAt: "2026-06-12T20:41:07+02:00",
    place: { latitude: -38.7071, longitude: 9.1355, name: "Lisboa" },
  });
  const hidden = await photo(ada, "secret.png", png(9, 6), { visibility: "private", tags: ["Sea"] }, "/private");
  const others = await photo(grace, "others.png", png(10, 6), { tags: ["sea"] }, "/grace");
  const film = await photo(ada, "film.mp4", readVideoFile("black.mp4"));
  await done(
    ada.request("PUT", `${api}/photos/${film.id}/poster`, {
      body: await bytesOf(plain(96, 64, "#900").jpeg()),
      headers: { "Content-Type": "image/jpeg" },
    }),
  );
  await done(ada.put(`${api}/photos/${corrected.id}`, { edits: { turn: 90 } }));
  const twin = await photo(ada, "twin.png", png(8, 6), {}, "/2026/copies");
  await done(ada.delete(`${api}/photos/${twin.id}`));

  // Names that other systems cannot store, an owner's own sidecar, earlier versions, and empty directories.
  await upload(ada, "IMG_2198.png.xmp", "<mine/>", { path: "/2026/Lisboa" });
  for (const name of ["con.txt", "end.", "100%41.txt", "._hidden"])
    await upload(ada, name, name, { path: "/odd: names" });
  for (const text of ["old", "older", "new"])
    await upload(ada, "notes.txt", text, { path: "/", onConflict: "replace", visibility: "private" });
  await done(ada.post(`${api}/directories`, { name: "empty", path: "/2026" }));
  await upload(grace, "kept.txt", "kept", { path: "/grace/in/trash" });
  const directory = (await grace.get(`${api}/files?path=/grace/in`)).body[0];
  await done(grace.delete(`${api}/files/${directory.id}`));

  const album = await done(ada.post(`${api}/albums`, { name: "Été à Lisboa", description: "Two days." }));
  for (const id of [corrected.id, hidden.id, first.id])
    await done(ada.post(`${api}/albums/${album.id}/photos`, { photoID: id }));
  await done(ada.put(`${api}/albums/${album.id}`, { coverPhotoID: corrected.id }));
  const inner = await done(ada.post(`${api}/albums`, { name: "Inner", parentID: album.id, visibility: "private" }));
  await done(ada.post(`${api}/albums/${inner.id}/photos`, { photoID: hidden.id }));
  await done(ada.post(`${api}/albums`, { name: "All sea", filter: { tags: ["sea"] } }));
  const gone = await done(grace.post(`${api}/albums`, { name: "Gone" }));
  await done(grace.delete(`${api}/albums/${gone.id}`));

  const content = `# Tide\n\n![[photo:${first.id}]]\n\nSee ![[album:${album.id}]] and ![[file:${hidden.fileID}]].\n\n\`\`\`\n![[photo:${first.id}]]\n\`\`\`\n`;
  const post = await done(
    ada.post(`${api}/blog`, { title: 'Tide: "nine"', content: "draft", tags: ["Sea"], coverID: corrected.id }),
  );
  await done(ada.put(`${api}/blog/${post.id}`, { content, slug: "tide", excerpt: "About tides.\nTwo lines." }));
  await done(ada.put(`${api}/blog/${post.id}`, { slug: "tide-at-nine" }));
  await done(grace.post(`${api}/blog`, { title: "Draft", content: "…", publishedAt: null }));
  await done(
    grace.post(`${api}/blog`, {
      title: "Later",
      content: "…",
      publishedAt: "2099-01-01T00:00:00Z",
    }),
  );
  const page = await done(chief.post(`${api}/blog`, { title: "Imprint", content: "Us.", kind: "page" }));
  const menu = (await chief.get(`${api}/settings`)).body.menu;
  await done(chief.put(`${api}/settings`, { menu: [...menu, { kind: "page", pageID: page.id }] }));
  await done(chief.post(`${api}/redirects`, { from: "/2019/old-tide", to: "/blog/tide-at-nine" }));
  const lost = await done(ada.post(`${api}/blog`, { title: "Lost", content: "In the trash." }));
  await done(ada.delete(`${api}/blog/${lost.id}`));

  const comment = await done(rita.post(`${api}/comments`, { content: "Waiting", blogPostID: post.id }));
  const answered = await done(grace.post(`${api}/comments`, { content: "Lovely", photoID: first.id }));
  await done(chief.put(`${api}/comments/${answered.id}`, { status: "visible" }));
  await done(ada.post(`${api}/comments`, { content: "Thanks", photoID: first.id, parentID: answered.id }));
  await done(chief.post(`${api}/comments`, { content: "Hm", blogPostID: post.id }));
  void comment;

  for (const who of [rita, grace, guest])
    await done(who.request("PUT", `${api}/blog/${post.id}/heart`, { headers: { Origin: server.url } }));
  await done(rita.request("PUT", `${api}/photos/${first.id}/heart`, { headers: { Origin: server.url } }));
  await done(ada.put(`${api}/me/profile`, { displayName: "Ada L.", about: "Writes.", portraitID: first.id }));

  const share = await done(ada.post(`${api}/shares`, { kind: "album", id: album.id, allowUpload: true }));
  await done(ada.post(`${api}/shares`, { kind: "photo", id: hidden.id, password: "tide at nine" }));
  const form = new FormData();
  form.set("guestName", "Bea");
  form.set("file", new File([png(4, 3)], "party.png"));
  await done(guest.request("POST", `${api}/shared/uploads`, { body: form, headers: { "X-Share-Token": share.token } }));
  void others;
  return { link: share.token };
}
