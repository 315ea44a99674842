import { Folder } from "lucide-react";
import { recordKinds } from "../lib/kinds.ts";
import { words } from "../lib/words.ts";

/** What a link can lead to. */
export const sharedKinds = { ...recordKinds, directory: { icon: Folder, one: words.folder } };
