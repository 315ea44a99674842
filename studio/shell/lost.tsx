import { Link } from "@tanstack/react-router";
import { buttonClass } from "../ui/button.tsx";
import { Empty, Screen } from "../ui/screen.tsx";
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
