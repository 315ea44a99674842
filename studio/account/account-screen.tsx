import { SecondFactor } from "../factors/second-factor.tsx";
import { Keys } from "../keys/keys.tsx";
import { formatDay } from "../lib/format.ts";
import { useMe } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { OwnMailCard } from "../mail/own-mail.tsx";
import { Passkeys } from "../passkeys/passkeys.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Screen } from "../ui/screen.tsx";
import { OwnData } from "./own-data.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { Sessions } from "./sessions.tsx";
import { accountTexts as t } from "./texts.ts";

export function AccountScreen() {
  const me = useMe();
  return (
    <Screen
      title={me.username}
      about={`${words.roles[me.role]} · ${words.since(formatDay(me.createdAt))}`}
      actions={
        <a href={`/people/${encodeURIComponent(me.username)}`} className={buttonClass()}>
          {t.profile}
        </a>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[2fr_1fr]">
        <div className="grid gap-6">
          <ProfileForm />
          <Passkeys />
          <Sessions />
          <Keys />
        </div>
        <div className="grid gap-6">
          <PasswordForm />
          <OwnMailCard />
          <SecondFactor />
          <OwnData />
        </div>
      </div>
    </Screen>
  );
}
