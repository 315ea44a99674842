import { z } from "zod";

export const nextQuery = z.object({ next: z.string().optional() });
export const signUpQuery = nextQuery.extend({ invitation: z.string().optional() });

const longest = 2000;
const accountPages = /^\/(signin|signup|session|setup|password)(\/|$)/;

/** Where to go after signing in: a path of this site, or the front page if the text is none. */
export function readNext(text: string | undefined): string {
  // Without backslashes and control characters, which browsers change or drop.
  if (text === undefined || text.length > longest || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return "/";
  const here = "http://localhost";
  if (!URL.canParse(text, here)) return "/";
  const { origin, pathname, search, hash } = new URL(text, here);
  // Steps such as `/..` are gone now, and may leave two slashes behind.
  if (origin !== here || pathname.startsWith("//") || accountPages.test(pathname)) return "/";
  return pathname + search + hash;
}
