import { Link } from "@tanstack/react-router";
import { buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/screen.tsx";
import { redirectTexts as t } from "./texts.ts";

/** A part of the settings: the way to the old addresses. */
export const RedirectsCard = () => (
  <Card className="flex flex-wrap items-start gap-3">
    <div className="min-w-0 flex-1 basis-64">
      <h2 className="text-lg font-semibold">{t.title}</h2>
      <p className="text-sm text-soft">{t.hint}</p>
    </div>
    <Link to="/settings/redirects" className={buttonClass()}>
      {t.show}
    </Link>
  </Card>
);
