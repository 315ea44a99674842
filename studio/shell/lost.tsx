import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { buttonClass } from "../ui/button.tsx";
import { Empty, Failure, Screen } from "../ui/screen.tsx";
import { frameTexts as t } from "./texts.ts";

export const Lost = () => (
  <Screen title={t.lost}>
    <Empty
      title={t.lost}
      action={
        <Link to="/" className={buttonClass()}>
          {t.toHome}
        </Link>
      }
    >
      {t.lostHint}
    </Empty>
  </Screen>
);

/** In place of a screen that could not be loaded, also because its script could not. */
export const Broken = ({ error }: ErrorComponentProps) => (
  <div className="mx-auto max-w-5xl p-4 md:p-8">
    <Failure error={error} retry={() => location.reload()} />
  </div>
);
