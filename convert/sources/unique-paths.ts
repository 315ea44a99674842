import { addNumber, nameKey } from "../../src/content/files/names.ts";

/** Gives each path that was given already a number: `IMG_1.jpg`, `IMG_1 (2).jpg`. The case of letters makes no difference. */
export function createUniquePaths(): (path: string[]) => string[] {
  const counts = new Map<string, number>();
  const keyOf = (path: string[]) => path.map(nameKey).join("/");
  return (path) => {
    const [above, name] = [path.slice(0, -1), path.at(-1) ?? ""];
    let number = counts.get(keyOf(path)) ?? 0;
    let unique = path;
    if (number > 0)
      do unique = [...above, addNumber(name, ++number)];
      while (counts.has(keyOf(unique)));
    counts.set(keyOf(path), Math.max(number, 1));
    if (unique !== path) counts.set(keyOf(unique), 1);
    return unique;
  };
}
