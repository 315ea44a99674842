import { existsSync } from "node:fs";
import { sources } from "../sources.ts";

/** Where `npm run build` writes the application. */
export const buildDirectory = new URL("../build/studio/", sources);

/** A clone has no studio before it is built; packages and images have it. */
export const isBuilt = (): boolean => existsSync(new URL("build.json", buildDirectory));
