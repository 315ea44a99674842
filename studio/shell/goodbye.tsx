import { removalTexts as t } from "../account/removal-texts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Frame } from "./frame.tsx";
import { hasLeft } from "./sign-out.ts";

/** The studio, until the person has removed their account. */
export const Studio = () => (hasLeft.use() ? <Goodbye /> : <Frame />);

const Goodbye = () => (
  <main className="mx-auto grid min-h-dvh max-w-md place-content-center justify-items-center gap-6 p-6 text-center">
    <h1 className="text-lg text-balance" tabIndex={-1} ref={(element) => element?.focus()}>
      {t.left}
    </h1>
    <a href="/" className={buttonClass()}>
      {t.toSite}
    </a>
  </main>
);
