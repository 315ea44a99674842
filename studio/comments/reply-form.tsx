import { useState } from "react";
import type { QueuedComment } from "../../client/src/index.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { keepReply, readReply } from "./kept-replies.ts";
import { reply } from "./moderate.ts";
import { commentTexts as t } from "./texts.ts";

/** What is written stays in this browser until it is sent. */
export function ReplyForm({ comment, onClose }: { comment: QueuedComment; onClose: () => void }) {
  const { id } = comment;
  const [text, setText] = useState(() => readReply(id));
  const [isBusy, setIsBusy] = useState(false);
  const send = async () => {
    if (text.trim() === "" || isBusy) return;
    setIsBusy(true);
    const isSent = await reply(comment, text.trim());
    setIsBusy(false);
    if (!isSent) return;
    keepReply(id, "");
    onClose();
  };
  return (
    <form
      className="mt-3 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextArea
        label={t.replyTo(comment.author.username)}
        hint={comment.status === "visible" ? undefined : t.replyHint}
        autoFocus
        rows={3}
        dir="auto"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          keepReply(id, event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
        }}
      />
      <div className="flex gap-2">
        <Button type="submit" variant="main" isBusy={isBusy} disabled={text.trim() === ""}>
          {t.send}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  );
}
