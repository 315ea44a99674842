import type { Answer, Client } from "./client.ts";

/** Reads a list page by page through its `next` links. `visited` is called after each page. */
export async function visitPages(
  who: Client,
  path: string,
  pageSize: number,
  visited: (page: any[], address: string) => Promise<void> = async () => {},
): Promise<any[][]> {
  const pages: any[][] = [];
  let next: string | undefined = `${path}${path.includes("?") ? "&" : "?"}cursor=&pageSize=${pageSize}`;
  while (next) {
    const { status, body, headers }: Answer = await who.get(next);
    if (status !== 200) throw new Error(`${next}: ${status} ${body.error}`);
    pages.push(body);
    const address = next;
    next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    await visited(body, address);
  }
  return pages;
}
