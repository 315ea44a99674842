import { invalid } from "../errors.ts";
import type { Route, Viewer } from "./route.ts";

type Ids = Record<string, number>;

type Found = { params: Ids; record: unknown };

/** The step `record`: what the path refers to, as the viewer sees it (404). An id that is not a number is a 400. */
export async function findRecord(route: Route, texts: Record<string, string>, viewer: Viewer): Promise<Found> {
  const params = route.isPage ? {} : readParams(texts);
  return { params, record: route.find ? await route.find(params, viewer) : null };
}

function readParams(texts: Record<string, string>): Ids {
  const params: Ids = {};
  for (const [name, text] of Object.entries(texts)) {
    const value = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw invalid(`"${name}" in the path must be a positive whole number.`, name);
    params[name] = value;
  }
  return params;
}
