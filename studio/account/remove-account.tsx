import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Archive, type OwnerStorage, VitrineError } from "../../client/src/index.ts";
import { api, isStatus } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatBytes } from "../lib/format.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { useMe } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { leaveForGood } from "../shell/sign-out.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { OwnPasswordField } from "../ui/own-password-field.tsx";
import { removalTexts as t } from "./removal-texts.ts";

type Props = {
  /** Of the archive of one's data. */
  status: Archive["status"] | undefined;
  onGetData: () => void;
  onClose: () => void;
};

/** Names what goes, and asks for the password: the account cannot be brought back. */
export function RemoveAccountDialog({ status, onGetData, onClose }: Props) {
  const me = useMe();
  const [password, setPassword] = useState("");
  const counted = useQuery({
    queryKey: ["files", "own-storage"],
    queryFn: async ({ signal }) => {
      const { owners } = await api.readStorage({}, { signal });
      return owners.find(({ ownerID }) => ownerID === me.id) ?? null;
    },
  });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => api.removeMe({ password }),
    onSuccess: leaveForGood,
    // It is shown at the field.
    onError() {},
  });

  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      onSubmit={() => mutate()}
      submit={{ label: t.removeNow, isDanger: true, isBusy: isPending, isDisabled: password === "" }}
    >
      <div className="grid gap-4">
        <p>{t.what}</p>
        <ul className="grid list-disc gap-1 pl-5">
          {listCounts(counted.data ?? null).map((line) => (
            <li key={line}>{line}</li>
          ))}
          <li>{t.further}</li>
        </ul>
        <p>{t.others}</p>
        <p className="text-sm text-soft">{t.copies}</p>
        {status === "waiting" && <p role="status">{t.waiting}</p>}
        {(status === "none" || status === "failed") && (
          <div>
            <Button
              onClick={() => {
                onGetData();
                onClose();
              }}
            >
              {t.getData}
            </Button>
          </div>
        )}
        <OwnPasswordField
          required
          value={password}
          onChange={(value) => {
            setPassword(value);
            reset();
          }}
          error={error && explainRefusal(error)}
        />
      </div>
    </Dialog>
  );
}

function listCounts(counted: OwnerStorage | null): string[] {
  if (!counted) return [];
  const { photos, posts, albums, comments, files, bytes } = counted;
  return [
    photos > 0 && countOf(recordKinds.photo, photos),
    files.count > 0 && t.files(files.count, formatBytes(bytes)),
    posts > 0 && t.posts(posts),
    albums > 0 && countOf(recordKinds.album, albums),
    comments > 0 && t.comments(comments),
  ].filter((line) => line !== false);
}

function explainRefusal(error: Error): string {
  if (error instanceof VitrineError && error.field === "password") return words.wrongPassword;
  return isStatus(error, 409) ? t.onlyAdmin : explain(error);
}
