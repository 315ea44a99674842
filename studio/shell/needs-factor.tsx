import { SecondFactor } from "../factors/second-factor.tsx";
import { factorTexts as t } from "../factors/texts.ts";
import { words } from "../lib/words.ts";
import { Passkeys } from "../passkeys/passkeys.tsx";
import { Button } from "../ui/button.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { signOut } from "./sign-out.ts";

/** The whole studio for a person who has to set up a second factor first. */
export const NeedsFactor = () => (
  <main className="mx-auto grid min-h-dvh max-w-xl content-center gap-6 p-6">
    <div className="grid gap-2">
      <h1 className="text-2xl font-semibold text-balance">{t.needed}</h1>
      <p>{t.neededAbout}</p>
    </div>
    <SecondFactor />
    <Passkeys />
    <div>
      <Button onClick={() => void signOut()}>{words.signOut}</Button>
    </div>
    <Toasts />
  </main>
);
