import { fileURLToPath } from "node:url";

/** The directory of the project. */
export const root = fileURLToPath(new URL("../../", import.meta.url));
