/* The page on which guests send pictures. */

import { sendMany } from "./guest-upload.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-guests]")) sendMany(form);
