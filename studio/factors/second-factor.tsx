import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "../lib/api.ts";
import { formatDay } from "../lib/format.ts";
import { meQuery } from "../lib/me.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { ProveDialog } from "./prove-dialog.tsx";
import { RecoveryCodesDialog } from "./recovery-codes.tsx";
import { SetUpDialog } from "./set-up-dialog.tsx";
import { factorTexts as t } from "./texts.ts";

/** What is asked for besides the password. */
export function SecondFactor() {
  const queries = useQueryClient();
  const [open, setOpen] = useState<"setUp" | "remove" | "renew" | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const factors = useQuery({ queryKey: ["factors"], queryFn: ({ signal }) => api.readFactors({}, { signal }) });
  const close = () => setOpen(null);
  const refresh = async () => {
    close();
    await queries.invalidateQueries({ queryKey: ["factors"] });
    await queries.invalidateQueries({ queryKey: ["attention"] });
  };
  /** A person who had to set one up sees the studio only after the codes were saved. */
  const finish = () => {
    setCodes(null);
    void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  };

  return (
    <Card>
      <h2 className="mb-1 text-lg font-semibold">{t.title}</h2>
      <p className="text-sm text-soft">{t.about}</p>
      <Result of={factors}>
        {({ totpSince, recoveryCodesLeft, isRequired }) => (
          <>
            {isRequired && <p className="mt-2 text-sm text-notice">{t.required}</p>}
            <ul className="divide-y divide-line">
              <Line title={t.app} about={totpSince ? t.since(formatDay(totpSince)) : t.none}>
                {totpSince ? (
                  <Button variant="quiet" aria-label={t.removeTitle} onClick={() => setOpen("remove")}>
                    {words.remove}
                  </Button>
                ) : (
                  <Button aria-label={t.setUpTitle} onClick={() => setOpen("setUp")}>
                    {t.setUp}
                  </Button>
                )}
              </Line>
              {(totpSince !== null || recoveryCodesLeft > 0) && (
                <Line title={t.codes} about={t.left(recoveryCodesLeft)}>
                  <Button variant="quiet" aria-label={`${t.renew}: ${t.codes}`} onClick={() => setOpen("renew")}>
                    {t.renew}
                  </Button>
                </Line>
              )}
            </ul>
            {open === "remove" && (
              <ProveDialog
                title={t.removeTitle}
                about={t.removeAbout}
                action={words.remove}
                isDanger
                needsCode
                act={api.removeTOTP}
                onDone={() => {
                  showToast({ text: t.isOff });
                  void refresh().then(finish);
                }}
                onClose={close}
              />
            )}
            {open === "renew" && (
              <ProveDialog
                title={t.renewTitle}
                about={t.renewAbout}
                action={t.renew}
                needsCode={totpSince !== null}
                act={api.renewRecoveryCodes}
                onDone={({ recoveryCodes }) => {
                  setCodes(recoveryCodes);
                  void refresh();
                }}
                onClose={close}
              />
            )}
          </>
        )}
      </Result>
      {open === "setUp" && (
        <SetUpDialog
          onDone={(recoveryCodes) => {
            showToast({ text: t.isOn });
            setCodes(recoveryCodes);
            void refresh();
            if (!recoveryCodes) finish();
          }}
          onClose={close}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={finish} />}
    </Card>
  );
}

const Line = ({ title, about, children }: { title: string; about: string; children: ReactNode }) => (
  <li className="flex items-center gap-3 py-3">
    <div className="min-w-0 flex-1">
      <p className="font-medium">{title}</p>
      <p className="text-sm text-soft">{about}</p>
    </div>
    {children}
  </li>
);
