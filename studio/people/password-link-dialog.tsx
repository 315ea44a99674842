import { useQuery } from "@tanstack/react-query";
import type { Person } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { mailTexts as t } from "../mail/texts.ts";
import { CopyLink } from "../shares/copy-link.tsx";
import { Dialog, DoneButton } from "../ui/dialog.tsx";
import { Result } from "../ui/screen.tsx";

/** Makes a link with which the person sets a new password, and shows it once. */
export function PasswordLinkDialog({ person: { id, username }, onClose }: { person: Person; onClose: () => void }) {
  const link = useQuery({
    queryKey: ["password link", id],
    queryFn: () => api.createPasswordLink({ id }),
    // Each request makes another link, and ends the one before.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Dialog title={t.passwordLinkFor(username)} onClose={onClose} actions={<DoneButton onClick={onClose} />}>
      <p className="mb-4">{t.passwordLinkHint}</p>
      <Result of={link}>{({ url }) => <CopyLink url={url} />}</Result>
    </Dialog>
  );
}
