import type { OpenAPI } from "../platform/http/openapi.ts";
import { page } from "./page.ts";

export function docsPage(document: OpenAPI): string {
  return page("API", `<pre>${Bun.escapeHTML(JSON.stringify(document, null, 2))}</pre>`, "/assets/docs.js");
}
