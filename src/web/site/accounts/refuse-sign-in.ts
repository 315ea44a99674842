import type { Answer } from "../../../platform/http/answer.ts";
import type { Exchange } from "../../../platform/http/exchange.ts";
import type { Renderer } from "../render.ts";
import { accountTexts } from "../texts/accounts.ts";
import { signInView } from "./forms.tsx";
import { toMistake } from "./mistake.ts";

type Sent = { username: string; next: string };

/** The page with the form that was sent, and why it was refused. */
export type RefuseSignIn = (exchange: Exchange, error: unknown, sent: Sent) => Promise<Answer>;

export const refuseSignIn =
  ({ openVisit, render }: Renderer): RefuseSignIn =>
  async (exchange, error, sent) => {
    const visit = await openVisit(exchange, null);
    const mistake = toMistake(error, accountTexts[visit.language]);
    return render(visit, signInView(visit, { ...sent, mistake }));
  };
