import { lazy, Suspense } from "react";
import { useMe } from "../lib/me.ts";
import { buttonClass } from "../ui/button.tsx";
import { Loading } from "../ui/screen.tsx";
import { Frame } from "./frame.tsx";
import { hasLeft } from "./sign-out.ts";
import { frameTexts as t } from "./texts.ts";

const NeedsFactor = lazy(async () => ({ default: (await import("./needs-factor.tsx")).NeedsFactor }));

/** The studio, until the person has removed their account, and after they have set up a second factor if they need one. */
export function Studio() {
  const { needsFactor } = useMe();
  if (hasLeft.use()) return <Goodbye />;
  if (!needsFactor) return <Frame />;
  return (
    <Suspense fallback={<Loading />}>
      <NeedsFactor />
    </Suspense>
  );
}

const Goodbye = () => (
  <main className="mx-auto grid min-h-dvh max-w-md place-content-center justify-items-center gap-6 p-6 text-center">
    <h1 className="text-lg text-balance" tabIndex={-1} ref={(element) => element?.focus()}>
      {t.accountRemoved}
    </h1>
    <a href="/" className={buttonClass()}>
      {t.toSite}
    </a>
  </main>
);
