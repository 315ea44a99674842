import { invalid } from "../../src/platform/errors.ts";

const database = "vitrine.db";
const secret = ["jwt-secret", "format"];

/** Refuses the data directory of a site, wherever it is in a tree: it has the secrets of that site, and what its trash holds. */
export function createSiteCheck(treeName: string) {
  const found = new Map<string, string[]>();
  return (path: string[]): void => {
    const name = path.at(-1) ?? "";
    if (name !== database && !secret.includes(name)) return;
    const directory = path.slice(0, -1).join("/");
    const names = [...(found.get(directory) ?? []), name];
    found.set(directory, names);
    if (names.includes(database) || secret.every((one) => names.includes(one)))
      throw invalid(
        `${directory || treeName} is the data directory of a Vitrine site: import what "vitrine export" writes of that site instead.`,
      );
  };
}
