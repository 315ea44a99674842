import { useQuery } from "@tanstack/react-query";
import { words } from "../lib/words.ts";
import { MailCard } from "../mail/mail-card.tsx";
import { NewsletterCard } from "../newsletter/newsletter-card.tsx";
import { RedirectsCard } from "../redirects/redirects-card.tsx";
import { Result, Screen } from "../ui/screen.tsx";
import { WebhooksCard } from "../webhooks/webhooks-card.tsx";
import { LookSection } from "./look-section.tsx";
import { MapSection } from "./map-section.tsx";
import { MenuSection } from "./menu-section.tsx";
import { OpenWebSection } from "./open-web-section.tsx";
import { RulesSection } from "./rules-section.tsx";
import { settingsQuery } from "./settings.ts";
import { SiteSection } from "./site-section.tsx";

export function SettingsScreen() {
  const settings = useQuery(settingsQuery);
  return (
    <Screen title={words.settings}>
      <Result of={settings}>
        {(saved) => (
          <div className="grid gap-6">
            <SiteSection saved={saved} />
            <LookSection saved={saved} />
            <MenuSection saved={saved} />
            <MapSection saved={saved} />
            <RulesSection saved={saved} />
            <MailCard />
            <NewsletterCard />
            <OpenWebSection saved={saved} />
            <RedirectsCard />
            <WebhooksCard />
          </div>
        )}
      </Result>
    </Screen>
  );
}
