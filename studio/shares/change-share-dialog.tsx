import { useQuery } from "@tanstack/react-query";
import type { Share } from "../../client/src/index.ts";
import { albumQuery } from "../albums/album-photos.ts";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { toDraft } from "./share-form.tsx";
import { shareTexts as t } from "./texts.ts";
import { useShareForm } from "./use-share-form.tsx";

type Props = { share: Share; onClose: () => void };

/** Opens when it is known whether guests could send anything to the album. */
export function ChangeShareDialog({ share, onClose }: Props) {
  const album = useQuery({ ...albumQuery(share.recordID), enabled: share.kind === "album" });
  if (album.isLoading) return null;
  return <OptionsDialog share={share} isSmart={Boolean(album.data?.filter)} onClose={onClose} />;
}

function OptionsDialog({ share, isSmart, onClose }: Props & { isSmart: boolean }) {
  const { id, kind, hasPassword } = share;
  const { fields, isBusy, submit } = useShareForm({
    first: { ...toDraft(share), ...(isSmart && { allowUpload: false }) },
    kind,
    isSmart,
    hasPassword,
    async send(options) {
      await api.changeShare({ id, ...options });
      await queries.invalidateQueries({ queryKey: ["shares"] });
      showToast({ text: t.saved });
      onClose();
    },
  });
  return (
    <Dialog
      title={t.changeTitle}
      onClose={onClose}
      onSubmit={() => void submit()}
      submit={{ label: words.save, isBusy }}
    >
      {fields}
    </Dialog>
  );
}
