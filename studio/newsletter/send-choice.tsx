import { useQuery } from "@tanstack/react-query";
import { api } from "../lib/api.ts";
import { useIsAdmin } from "../lib/me.ts";
import { showToast } from "../lib/toasts.ts";
import { CheckField } from "../ui/field.tsx";
import { newsletterQuery, reloadNewsletter } from "./query.ts";
import { newsletterTexts as t } from "./texts.ts";

/** How many get a post by e-mail; null where there is no newsletter, and for those who may not send it. */
export function useSubscriberCount(): number | null {
  const isAdmin = useIsAdmin();
  const { data } = useQuery({ ...newsletterQuery, enabled: isAdmin });
  return data?.isOn ? data.confirmed : null;
}

type Props = { count: number; isChosen: boolean; onChange: (isChosen: boolean) => void };

/** In the dialog that publishes a post. It is off, so that no one sends by mistake. */
export const SendChoice = ({ count, isChosen, onChange }: Props) => (
  <CheckField
    label={t.sendLabel(count)}
    hint={t.sendHint}
    checked={isChosen}
    onChange={({ target }) => onChange(target.checked)}
  />
);

/** Returns whether it is sent. The post is published already, so a failure does not undo that. */
export async function sendPost(id: number): Promise<boolean> {
  try {
    await api.sendNewsletterPost({ id });
    return true;
  } catch {
    showToast({ text: t.notSent, isFailure: true, retry: () => void sendPost(id) });
    return false;
  } finally {
    void reloadNewsletter();
  }
}
