/** @jsxImportSource hono/jsx */
import type { Reader } from "../platform/database/database.ts";
import { page, type Page } from "./page.ts";

export function homePages(_db: Reader): Page[] {
  return [
    page({
      path: "/",
      async handle({ settings }) {
        return { title: null, description: settings.tagline, canonical: "/", body: <h1>{settings.siteName}</h1> };
      },
    }),
  ];
}
