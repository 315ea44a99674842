import type { ReactNode } from "react";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/screen.tsx";
import type { SectionState } from "./settings.ts";
import { settingsTexts as t } from "./texts.ts";

type Props = { title: string; state: SectionState; children: ReactNode };

/** Some settings that are saved together. */
export const Section = ({ title, state, children }: Props) => (
  <Card>
    <form
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (state.isChanged) state.save();
      }}
    >
      <h2 className="mb-4 text-lg font-semibold">{title}</h2>
      <div className="grid gap-5">{children}</div>
      {state.error && (
        <p role="alert" className="mt-4 text-danger">
          {state.error}
        </p>
      )}
      <div className="mt-5 flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <Button
          type="submit"
          variant={state.isChanged ? "main" : "plain"}
          isBusy={state.isSaving}
          disabled={!state.isChanged}
        >
          {words.save}
        </Button>
        {state.isChanged && (
          <Button variant="quiet" onClick={state.reset}>
            {t.reset}
          </Button>
        )}
      </div>
    </form>
  </Card>
);
