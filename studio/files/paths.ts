import type { File } from "../../client/src/index.ts";

/** Paths are as in the API: `/` or `/a/b`. */
export const splitPath = (path: string): string[] => path.split("/").filter(Boolean);

export const joinPath = (directory: string, ...names: string[]): string =>
  `/${[...splitPath(directory), ...names].join("/")}`;

export const pathOf = ({ path, name }: File): string => joinPath(path, name);

export const parentOf = (path: string): string => `/${splitPath(path).slice(0, -1).join("/")}`;

export const nameOf = (path: string): string => splitPath(path).at(-1) ?? "";

/** Whether a path is the directory itself or in it. */
export const isWithin = (path: string, directory: string): boolean =>
  directory === "/" || path === directory || path.startsWith(`${directory}/`);

/** The server treats names as equal that differ only in this. */
export const nameKey = (name: string): string => name.normalize("NFC").toLowerCase();

/** `photo.jpg`, 1 → `photo (1).jpg`, as the server does. */
export function addNumber(name: string, number: number): string {
  const [stem, extension] = splitName(name);
  return `${stem} (${number})${extension}`;
}

/** The name without its extension, and the extension with its dot. */
export function splitName(name: string): [string, string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= 20 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}
