import { Problem } from "../../../platform/errors.ts";
import type { Answer } from "../../../platform/http/answer.ts";
import type { Exchange } from "../../../platform/http/exchange.ts";
import type { View, Visit } from "../page.ts";
import type { Renderer } from "../render.ts";
import { type AccountTexts, accountTexts } from "../texts/accounts.ts";
import { signInView } from "./forms.tsx";
import { toMistake } from "./mistake.ts";
import { secondStepView, type Waiting } from "./second-step-view.tsx";

/** What was sent: a username with a password, or the code of a sign-in that waits for it. */
type FormState = { username: string; next: string } | Waiting;

/** The page with the form that was sent and why it was refused, or with the second step. */
export type RefuseSignIn = (exchange: Exchange, error: unknown, sent: FormState) => Promise<Answer>;

export const refuseSignIn =
  ({ openVisit, render }: Renderer): RefuseSignIn =>
  async (exchange, error, sent) => {
    const visit = await openVisit(exchange, null);
    return render(visit, viewOf(visit, error, sent));
  };

function viewOf(visit: Visit, error: unknown, sent: FormState): View {
  const t: AccountTexts = accountTexts[visit.language];
  if (error instanceof Problem && error.code === "factor_required") {
    const { ticket, factors } = error.details as Pick<Waiting, "ticket" | "factors">;
    return secondStepView(visit, { ticket, factors, next: sent.next });
  }
  const mistake = toMistake(error, t);
  if (!("ticket" in sent)) return signInView(visit, { ...sent, mistake });
  return secondStepView(visit, {
    ...sent,
    mistake: { ...mistake, text: mistake.text === t.wrong ? t.wrongCode : mistake.text },
  });
}
