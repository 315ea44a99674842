import { Folder } from "lucide-react";
import { recordKinds } from "../lib/kinds.ts";
import { shareTexts as t } from "./texts.ts";

/** What a link can lead to. */
export const sharedKinds = { ...recordKinds, directory: { icon: Folder, one: t.folder } };
