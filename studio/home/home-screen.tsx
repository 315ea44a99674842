import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PenLine } from "lucide-react";
import { useIsUnreachable } from "../lib/connection.ts";
import { useMe } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { AttentionList } from "./attention-list.tsx";
import { QuickActions } from "./quick-actions.tsx";
import { recentQuery, RecentWork } from "./recent-work.tsx";
import { SamplesNotice } from "./samples-notice.tsx";
import { Start } from "./start.tsx";
import { homeTexts as t } from "./texts.ts";

export const HomeScreen = () => (useMe().role === "reader" ? <HomeOfReader /> : <HomeOfAuthor />);

function HomeOfAuthor() {
  const recent = useQuery(recentQuery);
  const isUnreachable = useIsUnreachable();
  const isNew = recent.data?.photos.length === 0 && recent.data.posts.length === 0;
  return (
    <Screen title={t.title}>
      <div className="grid gap-8">
        <SamplesNotice />
        <Result of={recent}>
          {(found) => (
            <>
              {isNew ? <Start /> : <QuickActions />}
              {!isUnreachable && <AttentionList isNew={isNew} />}
              {!isNew && <RecentWork {...found} />}
            </>
          )}
        </Result>
      </div>
    </Screen>
  );
}

/** People who only read have nothing here but their account. */
const HomeOfReader = () => (
  <Screen title={t.title}>
    <Empty
      icon={<PenLine />}
      title={t.forAuthors}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link to="/account" className={buttonClass("main")}>
            {t.yourAccount}
          </Link>
          <a href="/" className={buttonClass()}>
            {words.viewSite}
          </a>
        </div>
      }
    >
      {t.forAuthorsHint}
    </Empty>
  </Screen>
);
