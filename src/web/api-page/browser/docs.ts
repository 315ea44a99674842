// The script of the API page: signing in, trying operations, filtering them. The page can be read without it.
import { startAccount } from "./account.ts";
import { startFilter } from "./filter.ts";
import { startOpening } from "./open.ts";
import { findAll } from "./page.ts";
import { startTrying } from "./try.ts";

startAccount();
startTrying();
startOpening();
for (const button of findAll<HTMLButtonElement>(".banner button[disabled]")) button.disabled = false;
if (document.querySelector("#filter")) startFilter();
