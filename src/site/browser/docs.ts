// Brings the API page to life: signing in, trying operations, finding them. It can be read without this script.
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
